import Type, { type Static } from 'typebox';
import { closed, Currency, Timestamp } from './primitives.js';
import { validator } from './validator.js';

export const SOURCE_BODY_BYTES = 64 * 1024;

const Platform = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  description: 'A label of the commerce platform.',
  examples: ['woocommerce'],
});
const ShopDomain = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[^\\p{Cc}\\p{Cs}\\s/]*$',
  examples: ['shop.example.com'],
});

/** Body of `PUT /v1/source`. */
export const SourceInput = Type.Object(
  {
    platform: Platform,
    currency: Currency,
    timezone: Type.String({ format: 'timezone', description: 'IANA time zone.', examples: ['Europe/London'] }),
    shop_domain: Type.Optional(ShopDomain),
  },
  { ...closed, title: 'SourceInput' },
);
export type SourceInput = Static<typeof SourceInput>;

/** Response of `PUT` and `GET /v1/source`. */
export const Source = Type.Object(
  {
    platform: Platform,
    currency: Currency,
    timezone: Type.String(),
    shop_domain: Type.Optional(ShopDomain),
    locked: Type.Boolean({
      description: 'True after the first accepted order: currency and timezone stay as they are.',
    }),
    locked_at: Type.Optional(Timestamp),
    registered_at: Timestamp,
    status: Type.Enum(['connected', 'needs_reauth', 'uninstalled', 'not_connected']),
  },
  { ...closed, title: 'Source' },
);
export type Source = Static<typeof Source>;

export const sourceValidator = validator(SourceInput, 'The body');
