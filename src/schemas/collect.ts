import Type from 'typebox';
import type { ErrorDetail } from '../errors.js';
import { ErrorItem } from './errors.js';
import { closed } from './primitives.js';
import { validator } from './validator.js';

export const EVENTS_PER_BATCH = 20;
export const COLLECT_BODY_BYTES = 64 * 1024;
/** `text/plain` spares the browser a preflight. */
export const COLLECT_TYPES = ['text/plain', 'application/json'] as const;

const text = (most: number, least = 0, rest: object = {}) =>
  Type.String({ pattern: `^[^\\u0000-\\u001f\\u007f]{${least},${most}}$`, ...rest });

/** One item of `POST /v1/collect` (specification: "Collect event"). Events never carry money. */
export const CollectEvent = Type.Object(
  {
    event_id: Type.String({
      pattern: '^[\\w.:-]{1,128}$',
      description: 'Natural key, UUID-like: 1-128 letters, digits and any of `_.:-`. The first event of an id stays.',
      examples: ['0b0c7d2e-6a0b-4a36-9d3a-5f1c4a6d9e01'],
    }),
    type: Type.Enum(['page_view', 'product_view', 'add_to_cart', 'begin_checkout', 'purchase', 'identify']),
    ts: Type.String({
      description: 'RFC 3339 with milliseconds, UTC: the visitor’s clock. At most 30 days old and a day ahead.',
      examples: ['2026-03-01T12:00:00.000Z'],
    }),
    anon_id: text(255, 1, { description: 'Anonymous visitor id.' }),
    consent: Type.Enum(['analytics', 'analytics+marketing'], { 'x-code': 'consent_required' }),
    session_hint: Type.Optional(text(255)),
    url: Type.Optional(Type.String({ description: 'Raw page URL, as it is; the server removes what is personal.' })),
    referrer: Type.Optional(Type.String({ description: 'Raw referrer, as it is.' })),
    order_id: Type.Optional(text(255, 0, { description: 'A purchase needs this or `checkout_token`.' })),
    checkout_token: Type.Optional(text(255)),
    sdk: Type.Optional(text(64, 0, { description: 'Label of the client library and its version.' })),
    store_client_id: Type.Optional(text(255)),
    email_hash: Type.Optional(
      Type.String({ description: 'SHA-256 in hex; with type `identify` and consent `analytics+marketing` only.' }),
    ),
    product_id: Type.Optional(text(255)),
    sku: Type.Optional(text(255)),
    quantity: Type.Optional(Type.String({ format: 'quantity', description: 'Plain decimal string.', examples: ['1'] })),
  },
  closed,
);

/** The envelope alone; its events are checked one by one so that each is taken or dropped by itself. */
export const CollectBatch = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'The pixel token, where it is not in the Authorization header.' })),
    events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: EVENTS_PER_BATCH, 'x-size-code': 'batch_size' }),
  },
  closed,
);

/** The request body as the documentation shows it. */
export const CollectRequest = Type.Object(
  {
    token: CollectBatch.properties.token,
    events: Type.Array(CollectEvent, { minItems: 1, maxItems: EVENTS_PER_BATCH }),
  },
  closed,
);

export const collectBatchValidator = validator(CollectBatch, 'The body');
export const collectEventValidator = validator(CollectEvent, 'The event');

/** What became of one event. `errors` stands on dropped ones only. */
export interface EventVerdict {
  event_id: string | null;
  verdict: 'accepted' | 'dropped';
  errors?: ErrorDetail[];
}

/** Response of `POST /v1/collect?debug=1`; the results stand in the order of the request. */
export interface CollectResult {
  results: EventVerdict[];
}

export const CollectResultSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          event_id: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'As supplied; null when it was not a string.',
          }),
          verdict: Type.Enum(['accepted', 'dropped']),
          errors: Type.Optional(Type.Array(ErrorItem)),
        },
        closed,
      ),
    ),
  },
  closed,
);
