import type { Request, Response } from 'express';
import { isHookId, isSigned } from '../../domain/shopify-hooks.js';
import { requestError } from '../../errors.js';
import type { TakeShopifyHook } from '../../ingest/shopify-hooks.js';
import type { OpenHook, ShopifyHooks } from '../../repositories/shopify-hooks.js';
import {
  HOOK_BODY_BYTES,
  HOOK_SETTINGS_BYTES,
  ShopifyHookAddress,
  ShopifyHookBody,
  ShopifyHookResult,
  ShopifyHookState,
  shopifyHookValidator,
} from '../../schemas/shopify-hooks.js';
import { readBody, requireType } from '../../body/read-body.js';
import { unauthorized, type AuthenticateDeps } from '../middleware/authenticate.js';
import { requestIdIn, startedAtIn, traceIdIn } from '../middleware/request-id.js';
import { json, type BodyTools, type RequestBody } from '../request-bodies.js';
import { ownAddress } from '../own-address.js';
import { defineRoute, type Route } from '../route.js';

export interface ShopifyHookDeps extends BodyTools {
  hooks: ShopifyHooks;
  takeHook: TakeShopifyHook;
  limitUnknown: AuthenticateDeps['limitUnknown'];
  /** Throws `queue_unavailable` while the queue is over its budget. */
  requireCapacity: () => void;
}

const PATH = '/v1/hooks/shopify';
const hookId = 'c2hvcGlmeS1ob29rLWlkMQ';
const url = `https://profit.example.com${PATH}/${hookId}`;
const domain = 'my-shop.myshopify.com';

/** Who pushed, in the lists of pushes, where others have the end of their key. */
const SENDER = 'hook';
const REFUSED = 'The hook is not known, or it is not signed with its secret for its shop.';

/** It is read by the route itself, once the hook is known. */
const signed: RequestBody<void> = {
  schema: ShopifyHookBody,
  maxBytes: HOOK_BODY_BYTES,
  receive: (_exchange, _tools, work) => work(),
};

/** `/v1/hooks/shopify` (contract, third part: "Orders"). */
export const shopifyHookRoutes: readonly Route<ShopifyHookDeps>[] = [
  defineRoute({
    id: 'putShopifyHook',
    method: 'put',
    path: PATH,
    tag: 'Orders',
    scope: 'orders:write',
    summary: 'Take the webhooks of a Shopify shop',
    description:
      'Makes the hook of the shop, or replaces its secret and domain: its address stays, and the old secret holds for 24 hours more. ' +
      'The secret is kept encrypted and never shown. Give the address to Shopify for `orders/create`, `orders/updated`, `orders/paid`, ' +
      '`orders/cancelled`, `orders/edited` and `orders/delete`, as JSON.',
    body: json(shopifyHookValidator, HOOK_SETTINGS_BYTES),
    answers: { 200: { description: 'The hook.', schema: ShopifyHookAddress } },
    errors: ['invalid_request', 'store_unavailable'],
    examples: [
      {
        name: 'make',
        summary: 'The hook of a shop',
        body: { secret: 'hush-6f1d2c', shop_domain: domain },
        status: 200,
        response: { hook_id: hookId, url },
      },
    ],
    async run({ req, shopId, body }, { hooks }) {
      const id = await hooks.put(shopId, { secret: body.secret, shopDomain: body.shop_domain });
      return { hook_id: id, url: addressOf(req, id) };
    },
  }),
  defineRoute({
    id: 'getShopifyHook',
    method: 'get',
    path: PATH,
    tag: 'Orders',
    scope: 'orders:write',
    summary: 'Show the hook of a Shopify shop',
    description:
      'Its address, when something came last, and how much came with a wrong signature; never its secret. 404 where there is none.',
    answers: { 200: { description: 'The hook.', schema: ShopifyHookState } },
    errors: ['not_found'],
    examples: [
      {
        name: 'hook',
        summary: 'Before anything came',
        status: 200,
        response: { hook_id: hookId, url, shop_domain: domain },
      },
    ],
    async run({ req, shopId }, { hooks }) {
      const hook = await hooks.ofShop(shopId);
      if (hook === null) throw requestError('not_found', `There is no hook of Shopify yet: PUT ${PATH}.`);
      return {
        hook_id: hook.hookId,
        url: addressOf(req, hook.hookId),
        shop_domain: hook.shopDomain,
        ...(hook.lastReceivedAt !== null && { last_received_at: new Date(hook.lastReceivedAt).toISOString() }),
        ...(hook.refused > 0 && { refused: hook.refused }),
        ...(hook.lastRefusedAt !== null && { last_refused_at: new Date(hook.lastRefusedAt).toISOString() }),
        ...(hook.needsSecret && { needs_secret: true }),
      };
    },
  }),
  defineRoute({
    id: 'receiveShopifyHook',
    method: 'post',
    path: `${PATH}/{hook_id}`,
    tag: 'Orders',
    scope: null,
    summary: 'For Shopify: what happened to an order',
    description: `Shopify calls this. An order is converted as by \`format=shopify\`; what can not be converted is among the rejections. They may come in any order and more than once.

- \`X-Shopify-Hmac-Sha256\` signs the body alone, so the other headers are trusted no further: \`X-Shopify-Shop-Domain\` must be that of the hook, and an order is deleted only where \`orders/delete\` has a body of nothing but \`id\`, a whole number.
- The version of an order is its \`updated_at\` with the microseconds from there to \`X-Shopify-Triggered-At\`, 999,999 at most.
- Refunds, edits and other topics are answered and ignored: the order itself follows by \`orders/updated\`.`,
    params: { hook_id: { description: 'The id of the hook.', schema: ShopifyHookAddress.properties.hook_id } },
    headers: {
      'X-Shopify-Hmac-Sha256': { description: 'HMAC-SHA256 of the body, base64.', schema: { type: 'string' } },
      'X-Shopify-Shop-Domain': { description: 'Name of the shop at Shopify.', schema: { type: 'string' } },
      'X-Shopify-Topic': { description: 'What happened, such as `orders/updated`.', schema: { type: 'string' } },
      'X-Shopify-Triggered-At': { description: 'When it happened.', schema: { type: 'string' } },
    },
    body: signed,
    answers: { 200: { description: 'It is in the durable queue, or ignored.', schema: ShopifyHookResult } },
    errors: ['unauthorized', 'rate_limited', 'source_not_registered', 'queue_unavailable', 'store_unavailable'],
    examples: [
      {
        name: 'unsigned',
        summary: 'A hook that is not signed',
        path: { hook_id: hookId },
        body: { id: 1001 },
        status: 401,
        response: {
          errors: [{ code: 'unauthorized', message: REFUSED }],
          request_id: '6c1f3b0e-51a6-4ab5-9a86-0b8c1d2e3f40',
        },
      },
    ],
    async run({ req, res }, deps) {
      const hook = await requireHook(req, res, deps);
      const { shopId } = hook;
      const header = (name: string): string => req.get(`X-Shopify-${name}`) ?? '';
      requireType(req);
      // Apart from the share of the shop's own pushes: who knows the address alone can send bodies too.
      return deps.bodies.during(`hook ${shopId}`, res, async (count) => {
        const bytes = await readBody(req, HOOK_BODY_BYTES, count);
        if (!isSigned(bytes, header('Hmac-Sha256'), hook.secrets)) {
          await deps.hooks.markRefused(hook.hookId).catch(() => undefined);
          throw unauthorized(REFUSED);
        }
        deps.requireCapacity();
        const sender = {
          shopId,
          keyLast4: SENDER,
          requestId: requestIdIn(res),
          traceId: traceIdIn(res),
          startedAt: startedAtIn(res),
        };
        const sent = { bytes, topic: header('Topic'), triggeredAt: header('Triggered-At') };
        const outcome = await deps.takeHook(sender, sent, await deps.yielding.begin(shopId));
        await deps.hooks.markReceived(hook.hookId).catch(() => undefined);
        return { outcome };
      });
    },
  }),
  defineRoute({
    id: 'deleteShopifyHook',
    method: 'delete',
    path: PATH,
    tag: 'Orders',
    scope: 'orders:write',
    summary: 'Take no more webhooks',
    description:
      'The address answers 401 from now on; a new hook has another one. Deleting it again is answered the same.',
    answers: { 204: { description: 'There is no hook.' } },
    errors: ['store_unavailable'],
    examples: [{ name: 'delete', summary: 'It is gone', status: 204 }],
    async run({ shopId }, { hooks }) {
      await hooks.remove(shopId);
    },
  }),
];

/** The hook of an address, for the shop that the request names. Throws `unauthorized`. */
async function requireHook(req: Request, res: Response, { hooks, limitUnknown }: ShopifyHookDeps): Promise<OpenHook> {
  const id = String(req.params.hook_id);
  const hook = isHookId(id) ? await hooks.find(id, limitUnknown(req, res)) : null;
  const isOfShop = hook !== null && hook.shopDomain === (req.get('X-Shopify-Shop-Domain') ?? '').trim().toLowerCase();
  if (!isOfShop) {
    req.resume();
    throw unauthorized(REFUSED);
  }
  return hook;
}

/** The address under the host of the request. */
function addressOf(req: Request, id: string): string {
  return `${ownAddress(req) ?? ''}${PATH}/${id}`;
}
