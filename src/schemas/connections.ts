import Type, { type Static } from 'typebox';
import { closed, Currency, optional, Timestamp } from './primitives.js';

export const CONNECTION_STATUSES = ['connected', 'needs_reauth', 'uninstalled', 'not_connected'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** One integration in the response of `GET /v1/connections` (specification: "Connection"); fields that do not apply are absent. */
export const Connection = Type.Object(
  {
    channel: Type.String({
      description: 'Name of the integration. New ones appear over time; treat unknown values as valid.',
      examples: ['pixel'],
    }),
    status: Type.Enum([...CONNECTION_STATUSES], {
      description:
        'not_connected: nothing registered or received; needs_reauth: every key that could write it is revoked or expired; uninstalled: the operator closed the shop.',
    }),
    shop_domain: Type.Optional(
      Type.String({
        description: 'The store entry only: domain of the shop. Absent on others, and where none is registered.',
      }),
    ),
    currency: optional(Currency, 'The store entry only: currency of the shop. Absent on others.'),
    ad_accounts: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Ad channels only: distinct currencies. Absent on others.' }),
    ),
    connected_at: optional(Timestamp, 'Since when there is anything of it, UTC. Absent: not known.'),
    last_synced_at: optional(Timestamp, 'When something of it was accepted last, UTC. Absent: never.'),
  },
  { ...closed, title: 'Connection' },
);
export type Connection = Static<typeof Connection>;

/** Response of `GET /v1/connections`. */
export const ConnectionsResponse = Type.Object(
  {
    connections: Type.Array(Connection, { description: 'The store first, then the pixel, then ad channels by name.' }),
  },
  closed,
);
export type ConnectionsResponse = Static<typeof ConnectionsResponse>;
