import Type, { type Static } from 'typebox';
import { CONNECTION_STATUSES } from './connections.js';
import { closed, Currency, field, ID_PATTERN, optional, Timestamp } from './primitives.js';
import { validator } from './validator.js';

export const SOURCE_BODY_BYTES = 64 * 1024;

const Platform = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: ID_PATTERN,
  format: 'platform',
  description:
    'A label of the commerce platform, and the name of its connection: not blank, not `pixel`, not beginning with `custom:`.',
  examples: ['woocommerce'],
});
const ShopDomain = Type.String({
  minLength: 1,
  maxLength: 253,
  format: 'host',
  description: 'Host name of the shop, without scheme, port and path: its own pages are no referrers.',
  examples: ['shop.example.com'],
});

/** Body of `PUT /v1/source`. */
export const SourceInput = Type.Object(
  {
    platform: Platform,
    currency: field(Currency, 'Currency of the shop: of all orders, costs and figures.'),
    timezone: Type.String({
      maxLength: 64,
      format: 'timezone',
      description: 'Name of the IANA time zones, in any case. The days of all figures are days of this zone.',
      examples: ['Europe/London'],
    }),
    shop_domain: optional(ShopDomain, 'Domain of the shop: its own pages are no referrers. Absent: none.'),
  },
  { ...closed, title: 'SourceInput' },
);
export type SourceInput = Static<typeof SourceInput>;

/** Response of `PUT` and `GET /v1/source`. */
export const Source = Type.Object(
  {
    platform: Platform,
    currency: field(Currency, 'Currency of the shop: of all orders, costs and figures.'),
    timezone: Type.String({ description: 'Name of the IANA time zones, in its own spelling.' }),
    shop_domain: optional(ShopDomain, 'Domain of the shop. Absent: none is registered.'),
    locked: Type.Boolean({
      description: 'True after the first accepted order: currency and timezone stay as they are.',
    }),
    locked_at: optional(Timestamp, 'When the first order was accepted, UTC. Absent: none was.'),
    registered_at: field(Timestamp, 'When it was registered first, UTC.'),
    status: Type.Enum([...CONNECTION_STATUSES], {
      description: 'State of the connection of the store; see `GET /v1/connections`.',
    }),
  },
  { ...closed, title: 'Source' },
);
export type Source = Static<typeof Source>;

export const sourceValidator = validator(SourceInput, 'The body');
