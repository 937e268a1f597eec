import Type, { type Static } from 'typebox';
import { HOOK_OUTCOMES } from '../domain/shopify-hooks.js';
import { closed, TEXT_PATTERN } from './primitives.js';
import { validator } from './validator.js';

export const HOOK_SETTINGS_BYTES = 16 * 1024;
/** What Shopify sends of an order. */
export const HOOK_BODY_BYTES = 1024 * 1024;

const Domain = Type.String({
  minLength: 1,
  maxLength: 253,
  format: 'idn-hostname',
  description: 'The name of the shop at Shopify, which it sends as `X-Shopify-Shop-Domain`.',
  examples: ['my-shop.myshopify.com'],
});
const HookId = Type.String({ minLength: 22, maxLength: 22, description: 'Part of the address: 128 random bits.' });
const Address = Type.String({
  format: 'uri',
  description: 'The address for Shopify, under the host of this request.',
});

/** Body of `PUT /v1/hooks/shopify`. */
export const ShopifyHookInput = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: TEXT_PATTERN,
      description:
        'With what Shopify signs: it stands on its page of webhooks, or is the secret of the app. Never shown again.',
    }),
    shop_domain: Domain,
  },
  { ...closed, title: 'ShopifyHookInput' },
);
export const shopifyHookValidator = validator(ShopifyHookInput);

/** Response of `PUT /v1/hooks/shopify`. */
export const ShopifyHookAddress = Type.Object(
  { hook_id: HookId, url: Address },
  { ...closed, title: 'ShopifyHookAddress' },
);

/** Response of `GET /v1/hooks/shopify`. */
export const ShopifyHookState = Type.Object(
  {
    hook_id: HookId,
    url: Address,
    shop_domain: Domain,
    last_received_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When a signed hook came last, UTC. Absent: none yet.' }),
    ),
    refused: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Deliveries with a wrong signature since the secret was set: Shopify has another one. Absent: none.',
      }),
    ),
    last_refused_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the last one of these came, UTC. Absent: none.' }),
    ),
    needs_secret: Type.Optional(
      Type.Boolean({
        description:
          'The secret cannot be read, as after a restore: hooks are refused until it is set again. Absent: it can.',
      }),
    ),
  },
  { ...closed, title: 'ShopifyHook' },
);
export type ShopifyHookState = Static<typeof ShopifyHookState>;

/** What Shopify sends: an order of its REST API, and of a deleted one the id alone. */
export const ShopifyHookBody = Type.Object(
  {},
  {
    title: 'ShopifyHookBody',
    description: 'An order as the REST API of Shopify has it; of a deleted order `id` alone.',
  },
);

/** Response of `POST /v1/hooks/shopify/{hook_id}`. */
export const ShopifyHookResult = Type.Object(
  {
    outcome: Type.Enum(HOOK_OUTCOMES, {
      description:
        'What became of the order; `ignored`: nothing is read from hooks of this kind. Why it was rejected: `GET /v1/ingest/rejections`.',
    }),
  },
  { ...closed, title: 'ShopifyHookResult' },
);
