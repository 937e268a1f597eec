import { toConnections } from '../../domain/connections.js';
import type { KeyRegistry } from '../../repositories/keys.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { ConnectionsResponse } from '../../schemas/connections.js';
import type { ReadAdChannels } from '../../warehouse/queries/ad-channels.js';
import type { ReadReceived } from '../../warehouse/queries/push-times.js';
import { defineRoute, type Route } from '../route.js';

export interface ConnectionDeps {
  now: () => number;
  keys: KeyRegistry;
  sources: SourceRegistry;
  received: ReadReceived;
  adChannels: ReadAdChannels;
}

/** `GET /v1/connections` (contract: "Connections"). */
export const connectionRoutes: readonly Route<ConnectionDeps>[] = [
  defineRoute({
    id: 'getConnections',
    method: 'get',
    path: '/v1/connections',
    tag: 'Status',
    scope: 'read',
    summary: 'State of every integration',
    description:
      'One entry for the store, one for the pixel, one for each ad channel seen. New channels appear over time: treat unknown ' +
      'values as valid. Fields that do not apply to a channel are absent.',
    answers: { 200: { description: 'The connections.', schema: ConnectionsResponse } },
    examples: [
      {
        name: 'connections',
        summary: 'A store, its pixel and an ad channel',
        status: 200,
        response: {
          connections: [
            {
              channel: 'woocommerce',
              status: 'connected',
              shop_domain: 'shop.example.com',
              currency: 'EUR',
              connected_at: '2026-03-01T08:00:00.000Z',
              last_synced_at: '2026-03-04T14:00:01.337Z',
            },
            {
              channel: 'pixel',
              status: 'connected',
              connected_at: '2026-03-01T08:30:03.001Z',
              last_synced_at: '2026-03-01T08:30:03.001Z',
            },
            {
              channel: 'custom:radio',
              status: 'connected',
              ad_accounts: 1,
              last_synced_at: '2026-03-03T05:00:00.240Z',
            },
          ],
        },
      },
    ],
    async run({ shopId }, deps) {
      const [source, keys, received, adChannels] = await Promise.all([
        deps.sources.find(shopId),
        deps.keys.list(shopId),
        deps.received(shopId),
        deps.adChannels(shopId),
      ]);
      const [orders, events] = [received.get('orders'), received.get('events')];
      return { connections: toConnections({ source, keys, orders, events, adChannels, nowMs: deps.now() }) };
    },
  }),
];
