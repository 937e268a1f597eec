import Type from 'typebox';
import { CONNECTION_STATUSES } from '../domain/connections.js';
import { closed, Currency, Timestamp } from './primitives.js';

/** One integration in the response of `GET /v1/connections`; fields that do not apply are absent. */
export const Connection = Type.Object(
  {
    channel: Type.String({
      description: 'Name of the integration. New ones appear over time; treat unknown values as valid.',
      examples: ['pixel'],
    }),
    status: Type.Enum([...CONNECTION_STATUSES]),
    shop_domain: Type.Optional(Type.String({ description: 'The store entry only.' })),
    currency: Type.Optional(Currency),
    ad_accounts: Type.Optional(Type.Integer({ minimum: 0, description: 'Ad channels only: distinct currencies.' })),
    connected_at: Type.Optional(Timestamp),
    last_synced_at: Type.Optional(Timestamp),
  },
  { ...closed, title: 'Connection' },
);

/** Response of `GET /v1/connections`. */
export const ConnectionsResponse = Type.Object({ connections: Type.Array(Connection) }, closed);
