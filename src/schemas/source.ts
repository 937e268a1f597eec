import Type, { type Static } from 'typebox';
import type { ConversionSettings } from '../domain/source-conversion.js';
import { CONNECTION_STATUSES } from './connections.js';
import { MAX_OWN_HOSTS } from '../domain/own-hosts.js';
import { closed, Currency, field, Id, ID_PATTERN, Money, optional, Timestamp } from './primitives.js';
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
  format: 'idn-hostname',
  description: 'Host name of the shop, without scheme, port and path: its own pages are no referrers.',
  examples: ['shop.example.com'],
});

const Status = Type.Enum(['paid', 'pending', 'voided'], { description: 'What it means here.' });

/** How orders of the platform are converted (`POST /v1/orders?format=`). */
const Conversion = Type.Object(
  {
    count: Type.Optional(Type.Enum(['paid', 'placed'], { description: 'From when an order counts. Absent: `paid`.' })),
    refunds_on: Type.Optional(
      Type.Enum(['refund_day', 'order_day'], { description: 'On which day a refund counts. Absent: `refund_day`.' }),
    ),
    restock: Type.Optional(
      Type.Boolean({
        description: 'Whether refunded goods go back on sale where the platform does not say. Absent: false.',
      }),
    ),
    statuses: Type.Optional(
      Type.Record(Type.String({ maxLength: 255 }), Status, {
        maxProperties: 100,
        description: 'What a status of the platform means. Absent: those that are known.',
      }),
    ),
    gift_card_skus: Type.Optional(
      Type.Array(Id, {
        maxItems: 1_000,
        description: 'SKUs of gift cards, where the platform does not mark them. Absent: none.',
      }),
    ),
    sub_orders: Type.Optional(
      Type.Boolean({
        description: 'Whether sub-orders of a marketplace count in place of their parents. Absent: the parents count.',
      }),
    ),
    credit_coupons: Type.Optional(
      Type.Array(Id, {
        maxItems: 100,
        description: 'Types of coupon that are a payment, such as store credit: the total stays whole. Absent: none.',
        examples: [['smart_coupon']],
      }),
    ),
    rate: Type.Optional(
      Type.Object(
        {
          currency: field(Currency, 'The other currency.'),
          value: field(Money, 'What one unit of it is worth in the currency of the shop.'),
        },
        { ...closed, description: 'Converts orders of another currency. Absent: they are rejected.' },
      ),
    ),
  },
  closed,
);

const OwnHosts = Type.Array(
  Type.String({
    maxLength: 255,
    format: 'own-host',
    description: 'A host name, or `*.` and a host name for all its subdomains.',
    examples: ['checkout.example.net'],
  }),
  { maxItems: MAX_OWN_HOSTS },
);

const CONVERT_SPEND =
  'Whether ad spend and expenses in other currencies count in the figures, at the rates of `PUT /v1/rates`; orders never do.';

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
    conversion: Type.Optional(
      Type.Unsafe<ConversionSettings | null>({
        ...Conversion,
        type: ['object', 'null'],
        description:
          'How `POST /v1/orders?format=` converts orders; it replaces what was set before. null: by the defaults again. Absent: unchanged.',
      }),
    ),
    convert_spend: optional(
      Type.Boolean(),
      `${CONVERT_SPEND} Absent: unchanged; false until it is set. A change restates all days.`,
    ),
    own_hosts: optional(
      OwnHosts,
      'Further hosts with pages of the shop, such as that of its checkout: they are no referrers. Absent: they stay as they are; []: none.',
    ),
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
    conversion: Type.Optional(
      Type.Unsafe<ConversionSettings>({
        ...Conversion,
        description: 'How orders of the platform are converted. Absent: by the defaults.',
      }),
    ),
    convert_spend: optional(Type.Boolean(), `${CONVERT_SPEND} Absent: they are left out.`),
    own_hosts: optional(OwnHosts, 'Further hosts of the shop, in lower case and as `xn--…`. Absent: none.'),
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
