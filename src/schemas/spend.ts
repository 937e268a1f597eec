import Type, { type Static } from 'typebox';
import type { ErrorDetail } from '../errors.js';
import { ErrorItem } from './errors.js';
import { closed, Currency, Day, described, Id, Money, NullableText, Text, TEXT_PATTERN } from './primitives.js';
import { validator } from './validator.js';

export const SPEND_ROWS_PER_BATCH = 500;
export const SPEND_BODY_BYTES = 4 * 1024 * 1024;

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** One row of `POST /v1/costs/spend` (specification: "Ad spend row"). */
export const SpendRow = Type.Object(
  {
    channel: Type.String({
      maxLength: 255,
      pattern: TEXT_PATTERN,
      description: 'A label; stored as `custom:<slug>`.',
      examples: ['Radio'],
    }),
    event_date: Day,
    currency: Currency,
    spend: described<string>(
      Money,
      'Money. "0" without ids clears the whole day of the channel and currency; with ids that key alone.',
    ),
    impressions: Type.Optional(Count),
    clicks: Type.Optional(Count),
    conversions: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 })),
    conversion_value: Type.Optional(Money),
    campaign_id: Type.Optional(Id),
    campaign_name: Type.Optional(Text),
    adset_id: Type.Optional(Id),
    adset_name: Type.Optional(Text),
    ad_id: Type.Optional(Id),
    ad_name: Type.Optional(Text),
  },
  closed,
);
export type SpendRow = Static<typeof SpendRow>;

/** Body of `POST /v1/costs/spend`; its rows are checked one by one so that each gets its own result. */
export const SpendBatch = Type.Object(
  {
    rows: Type.Array(Type.Unknown(), {
      minItems: 1,
      maxItems: SPEND_ROWS_PER_BATCH,
      'x-size-code': 'batch_size',
    }),
  },
  closed,
);

export const spendBatchValidator = validator(SpendBatch, 'The body');
export const spendRowValidator = validator(SpendRow, 'The row');

/** One result of a batch. `errors` stands on rejected rows only. */
export interface SpendResult {
  channel: string | null;
  event_date: string | null;
  currency: string | null;
  outcome: 'accepted' | 'rejected';
  errors?: ErrorDetail[];
}

export const SpendResultSchema = Type.Object(
  {
    channel: described<string | null>(NullableText, 'As stored, `custom:<slug>`; null when no slug could be made.'),
    event_date: NullableText,
    currency: NullableText,
    outcome: Type.Enum(['accepted', 'rejected']),
    errors: Type.Optional(Type.Array(ErrorItem)),
  },
  closed,
);

/** Response of `POST /v1/costs/spend`; the results stand in the order of the request. */
export interface SpendBatchResult {
  accepted: number;
  rejected: number;
  results: SpendResult[];
}

export const SpendBatchResultSchema = Type.Object(
  { accepted: Type.Integer(), rejected: Type.Integer(), results: Type.Array(SpendResultSchema) },
  closed,
);
