import { connectionStatus } from '../../domain/connections.js';
import { canonicalHosts } from '../../domain/own-hosts.js';
import type { SourceRecord } from '../../domain/source.js';
import { requestError } from '../../errors.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import type { ConnectionStatus } from '../../schemas/connections.js';
import { Source, SOURCE_BODY_BYTES, sourceValidator } from '../../schemas/source.js';
import { authOf } from '../middleware/authenticate.js';
import { json } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface SourceDeps {
  now: () => number;
  keys: KeyRegistry;
  sources: SourceRegistry;
}

const registered = {
  platform: 'woocommerce',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  shop_domain: 'shop.example.com',
  locked: false,
  registered_at: '2026-03-01T08:00:00.000Z',
  status: 'connected',
};

/** `PUT` and `GET /v1/source` (contract: "Source"). */
export const sourceRoutes: readonly Route<SourceDeps>[] = [
  defineRoute({
    id: 'putSource',
    method: 'put',
    path: '/v1/source',
    tag: 'Source',
    scope: 'secret',
    summary: 'Register or edit the source',
    description:
      'Names the platform, the currency of all amounts and the time zone whose days the figures are of. Currency and time zone ' +
      'are immutable after the first accepted order (`source_locked`); repeating the same values is fine, and platform, ' +
      'domain and hosts stay editable. A visitor who comes from one of these hosts was in the shop already; a change counts for ' +
      'events that arrive after it, within 10 seconds. Time zones are the IANA names that the service and its warehouse read alike, in any case.',
    body: json(sourceValidator, SOURCE_BODY_BYTES),
    answers: { 200: { description: 'The registered source.', schema: Source } },
    errors: ['source_locked', 'money_must_be_string', 'invalid_money', 'too_many'],
    examples: [
      {
        name: 'register',
        summary: 'A shop in Berlin',
        body: {
          platform: 'woocommerce',
          currency: 'EUR',
          timezone: 'Europe/Berlin',
          shop_domain: 'shop.example.com',
        },
        status: 200,
        response: registered,
      },
      {
        name: 'not_a_zone',
        summary: 'An abbreviation is no time zone',
        body: { platform: 'woocommerce', currency: 'EUR', timezone: 'CEST' },
        status: 400,
        response: {
          errors: [
            {
              code: 'invalid_value',
              message: 'timezone must be a name of the IANA time zones; the nearest is "Europe/Berlin"; it is "CEST".',
              field: 'timezone',
            },
          ],
          request_id: '1f6f3f3e-6d0a-4a0e-9d59-0f7a3c1f5a11',
        },
      },
    ],
    async run({ shopId, body }, { sources }) {
      const { platform, currency, timezone, shop_domain = null, conversion, convert_spend, own_hosts } = body;
      const ownHosts = own_hosts === undefined ? undefined : canonicalHosts(own_hosts);
      const record = await sources.put(shopId, {
        platform,
        currency,
        timezone,
        shopDomain: shop_domain,
        ...(conversion !== undefined && { conversion }),
        ...(convert_spend !== undefined && { convertSpend: convert_spend }),
        ...(ownHosts && { ownHosts }),
      });
      return toSource(record, 'connected');
    },
  }),
  defineRoute({
    id: 'getSource',
    method: 'get',
    path: '/v1/source',
    tag: 'Source',
    scope: 'read',
    summary: 'Read the source',
    description: 'The registered source with the state of the store connection; 404 before registration.',
    answers: { 200: { description: 'The registered source.', schema: Source } },
    errors: ['not_found'],
    examples: [{ name: 'registered', summary: 'After registration', status: 200, response: registered }],
    async run({ res, shopId }, { now, keys: registry, sources }) {
      const record = await sources.find(shopId, { fresh: true });
      if (record === null) throw requestError('not_found', 'No source is registered yet: PUT /v1/source.');
      // A live key that may push proves the connection by itself; other keys are looked up.
      const own = authOf(res);
      const keys = own.scopes.includes('orders:write') ? [own] : await registry.list(shopId);
      const status = connectionStatus({ present: true, source: record, keys, scope: 'orders:write', nowMs: now() });
      return toSource(record, status);
    },
  }),
];

function toSource(record: SourceRecord, status: ConnectionStatus): Source {
  return {
    platform: record.platform,
    currency: record.currency,
    timezone: record.timezone,
    ...(record.shopDomain !== null && { shop_domain: record.shopDomain }),
    ...(record.conversion && { conversion: record.conversion }),
    ...(record.convertSpend === true && { convert_spend: true }),
    ...(record.ownHosts.length > 0 && { own_hosts: [...record.ownHosts] }),
    locked: record.lockedAt !== null,
    ...(record.lockedAt !== null && { locked_at: new Date(record.lockedAt).toISOString() }),
    registered_at: new Date(record.registeredAt).toISOString(),
    status,
  };
}
