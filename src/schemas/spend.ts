import Type, { type Static } from 'typebox';
import { batchOf, batchResultOf } from './batch.js';
import { ItemErrors } from './errors.js';
import { BatchReceipt, closed, Currency, Day, field, Id, Money, NullableText, optional, Text } from './primitives.js';

const SPEND_ROWS_PER_BATCH = 500;
const SPEND_BODY_BYTES = 4 * 1024 * 1024;

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const NOT_KNOWN = 'Absent: not known.';
const LEVEL = 'Part of the natural key. Absent: the row is of all together.';

/** One row of `POST /v1/costs/spend` (specification: "Ad spend row"). */
export const SpendRow = Type.Object(
  {
    channel: field(Text, 'A label; stored as `custom:<slug>`.', { examples: ['Radio'] }),
    event_date: field(Day, 'Day of the spend, in the time zone of the shop.'),
    currency: field(
      Currency,
      'Currency of the ad account; one other than that of the shop is left out of the figures, unless the source has `convert_spend`.',
    ),
    spend: field(
      Money,
      'What was spent. "0" without ids clears the whole day of the channel and currency; with ids that key alone.',
    ),
    impressions: optional(Count, `Times shown. ${NOT_KNOWN}`),
    clicks: optional(Count, `Clicks. ${NOT_KNOWN}`),
    conversions: optional(
      Type.Number({ minimum: 0, maximum: 1e15 }),
      `Conversions, as the network counts. ${NOT_KNOWN}`,
    ),
    conversion_value: optional(Money, `Value of the conversions, as the network counts. ${NOT_KNOWN}`),
    campaign_id: optional(Id, `Campaign. ${LEVEL}`),
    campaign_name: optional(Text, `Name of the campaign. ${NOT_KNOWN}`),
    adset_id: optional(Id, `Ad set. ${LEVEL}`),
    adset_name: optional(Text, `Name of the ad set. ${NOT_KNOWN}`),
    ad_id: optional(Id, `Ad. ${LEVEL}`),
    ad_name: optional(Text, `Name of the ad. ${NOT_KNOWN}`),
  },
  { ...closed, title: 'SpendRow' },
);
export type SpendRow = Static<typeof SpendRow>;

/** Body of `POST /v1/costs/spend`. */
export const SpendBatch = batchOf('rows', SpendRow, {
  most: SPEND_ROWS_PER_BATCH,
  maxBytes: SPEND_BODY_BYTES,
  others: {},
  names: ['rows', 'row'],
});
export const { item: spendRowValidator } = SpendBatch;

/** One result of a batch. */
const SpendResult = Type.Object(
  {
    channel: field(NullableText, 'As stored, `custom:<slug>`; null when no slug could be made.'),
    event_date: NullableText,
    currency: NullableText,
    outcome: Type.Enum(['accepted', 'rejected'], { description: 'What became of the row.' }),
    errors: Type.Optional(ItemErrors),
  },
  closed,
);
export type SpendResult = Static<typeof SpendResult>;

/** Response of `POST /v1/costs/spend`; the results stand in the order of the request. */
export const SpendBatchResult = batchResultOf(['Rows', 'a row'], SpendResult, { receipt: BatchReceipt });
export type SpendBatchResult = Static<typeof SpendBatchResult>;
