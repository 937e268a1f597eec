import Type, { type Static } from 'typebox';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import {
  BatchReceipt,
  closed,
  Currency,
  Day,
  field,
  Next,
  NullableRate,
  NullableText,
  Rate,
  Timestamp,
} from './primitives.js';
import { validator } from './validator.js';

const RATES_PER_BATCH = 1_000;
const RATES_BODY_BYTES = 1024 * 1024;

/** One item of `PUT /v1/rates`. */
export const RateInput = Type.Object(
  {
    currency: field(Currency, 'The other currency; never that of the shop.'),
    day: field(Day, 'Day of the rate, in the time zone of the shop.'),
    rate: field(
      NullableRate,
      'What one unit of `currency` is worth in the currency of the shop on that day; null takes it back.',
    ),
  },
  { ...closed, title: 'RateInput' },
);
export type RateInput = Static<typeof RateInput>;

/** Body of `PUT /v1/rates`. */
export const RateBatch = batchOf('rates', RateInput, {
  most: RATES_PER_BATCH,
  maxBytes: RATES_BODY_BYTES,
  others: {},
  names: ['rates', 'item'],
});
export const { item: rateValidator } = RateBatch;

const RateResult = Type.Object(
  {
    currency: NullableText,
    day: NullableText,
    outcome: Type.Enum(['accepted', 'rejected'], { description: 'What became of the item.' }),
    errors: Type.Optional(ItemErrors),
  },
  { ...closed, title: 'RateResult' },
);

/** Response of `PUT /v1/rates`; the results are in the order of the request. */
export const RateBatchResult = batchResultOf(['Items', 'an item'], RateResult, { receipt: BatchReceipt });
export type RateBatchResult = Static<typeof RateBatchResult>;

export const RATES_PAGE = { default: 250, max: 1_000 };

/** One rate as it is stored. */
export const StoredRate = Type.Object(
  {
    currency: field(Currency, 'The other currency.'),
    day: field(Day, 'Day of the rate.'),
    rate: field(Rate, 'What one unit of it is worth in the currency of the shop.'),
    received_at: field(Timestamp, 'When the push that wrote this rate arrived.'),
  },
  { ...closed, title: 'StoredRate' },
);
export type StoredRate = Static<typeof StoredRate>;

/** Response of `GET /v1/rates`. */
export const RatePage = Type.Object(
  {
    rates: Type.Array(StoredRate, { description: 'Ordered by `currency` and `day`.' }),
    next: Next,
  },
  closed,
);
export type RatePage = Static<typeof RatePage>;

/** The last rate of a page. */
export const ratePlaceValidator = validator(Type.Object({ currency: Currency, day: Day }, closed));
export type RatePlace = Pick<StoredRate, 'currency' | 'day'>;
