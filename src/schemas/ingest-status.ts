import Type, { type Static } from 'typebox';
import { ORDER_WARNING_CODES } from '../domain/orders/warning-codes.js';
import { ERROR_CODES } from '../error-catalogue.js';
import { Coverage } from './metrics.js';
import { closed, field, NullableTimestamp } from './primitives.js';

/** Most error codes listed of a kind. */
export const TOP_CODES = 10;
/** Most days listed. */
export const MAX_FAILED_DAYS = 100;
export const MAX_WRONG_DAYS = 100;
/** Most differences listed of a wrong day. */
export const MAX_DIFFERENCES_KEPT = 10;

const count = (description: string) => Type.Integer({ minimum: 0, description });
export const OutcomeCounts = Type.Object(
  {
    accepted: count('Items that were accepted.'),
    rejected: count('Items that were rejected; of events, dropped.'),
    superseded: count('Items older than what was stored.'),
  },
  { ...closed, title: 'OutcomeCounts', description: 'What became of items.' },
);
export type OutcomeCounts = Static<typeof OutcomeCounts>;

const TopErrorCode = Type.Object(
  {
    code: Type.Enum(ERROR_CODES as [string, ...string[]], { description: 'Code of the error catalogue.' }),
    count: count('How often it was given.'),
    sample_message: Type.String({ description: 'The sentence of the code, without anything that was sent.' }),
  },
  closed,
);

const TopWarningCode = Type.Object(
  {
    code: Type.Enum(ORDER_WARNING_CODES, { description: 'Code of the warning.' }),
    count: count('How often it was given.'),
    sample_message: Type.String({ description: 'The sentence of the code, without anything that was sent.' }),
  },
  closed,
);

/** What arrived of one kind. */
export const KindStatus = Type.Object(
  {
    last_received_at: field(
      NullableTimestamp,
      'Most recent push of which something was accepted, UTC; null when there was none.',
    ),
    windows: Type.Object(
      {
        '24h': field(OutcomeCounts, 'Outcomes of the last 24h.'),
        '7d': field(OutcomeCounts, 'Outcomes of the last 7d.'),
        '30d': field(OutcomeCounts, 'Outcomes of the last 30d.'),
      },
      { ...closed, description: 'Outcomes over rolling windows, each from the full hour in which it begins.' },
    ),
    top_error_codes: Type.Array(TopErrorCode, {
      maxItems: TOP_CODES,
      description: 'Codes of rejected items over 30 days, most frequent first.',
    }),
    top_warning_codes: Type.Optional(
      Type.Array(TopWarningCode, {
        maxItems: TOP_CODES,
        description:
          'Codes of the warnings of accepted orders over 30 days, most frequent first. Absent: there were none.',
      }),
    ),
  },
  { ...closed, title: 'KindStatus', description: 'What arrived of one kind of data.' },
);
export type KindStatus = Static<typeof KindStatus>;

const WrongDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Local day whose stored figures were wrong.' }),
    found_at: Type.String({ format: 'date-time', description: 'When it was found, UTC.' }),
    differences: Type.Array(
      Type.Object(
        {
          figure: Type.String({ description: 'Table and amount.' }),
          stored: Type.String({ description: 'What was stored.' }),
          computed: Type.String({ description: 'What the newest rows come to.' }),
        },
        closed,
      ),
      { maxItems: MAX_DIFFERENCES_KEPT, description: 'The first of them.' },
    ),
  },
  closed,
);
/** A day whose stored figures are not what its rows come to. */
export type WrongDay = Static<typeof WrongDay>;

const Audit = Type.Object(
  {
    complete_at: field(
      NullableTimestamp,
      'Hour in which every day of the shop had been audited once more, UTC; null before the first time.',
    ),
    wrong_days: Type.Array(WrongDay, {
      maxItems: MAX_WRONG_DAYS,
      description: 'They have been computed again; a day leaves the list when it is audited next and found right.',
    }),
  },
  {
    ...closed,
    description:
      'The auditor recomputes every day from the stored rows, by other code than that which wrote the figures. Absent before it has been through.',
  },
);
/** What the auditor says of a shop. */
export type Audit = Static<typeof Audit>;

const FailedDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Local day whose figures are behind.' }),
    reason: Type.String({ description: 'Name of the refusal of the warehouse, for the operator.' }),
    since: Type.String({ format: 'date-time', description: 'Time of the first failure, UTC.' }),
    tries: Type.Integer({ minimum: 1, description: 'Tries so far.' }),
  },
  closed,
);
/** A day whose rollup fails by itself: it is tried again, and its figures are behind until then. */
export type FailedDay = Static<typeof FailedDay>;

/** Response of `GET /v1/ingest/status`. It holds no clock: an unchanged state gives the same text. */
export const IngestStatusResponse = Type.Object(
  {
    kinds: Type.Object(
      {
        orders: field(KindStatus, 'What arrived of orders.'),
        spend: field(KindStatus, 'What arrived of spend.'),
        product_costs: field(KindStatus, 'What arrived of product costs.'),
        expenses: field(KindStatus, 'What arrived of expenses.'),
        events: field(KindStatus, 'What arrived of events.'),
      },
      { ...closed, description: 'What arrived, by kind of data.' },
    ),
    coverage: field(Coverage, 'Of the counted orders of the last 30 local days.'),
    orders_unknown: count(
      'Orders whose costs (`PUT /v1/costs/orders`) wait for them: no order has the id, nor, alone, the name. `GET /v1/costs/orders?unknown=1` lists them.',
    ),
    failed_days: Type.Optional(
      Type.Array(FailedDay, {
        maxItems: MAX_FAILED_DAYS,
        description: 'Days whose figures could not be computed and are tried again. Absent when there are none.',
      }),
    ),
    audit: Type.Optional(Audit),
    closed_bi_users: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'BI users of the shop that were closed because a query of theirs could not be stopped; the operator opens them. Absent when there are none.',
      }),
    ),
  },
  { ...closed, title: 'IngestStatus' },
);
export type IngestStatus = Static<typeof IngestStatusResponse>;
