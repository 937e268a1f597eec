import Type, { type Static } from 'typebox';
import { fieldsOf, isFields, type Fields } from '../domain/fields.js';
import { DAY_FIGURES, DIFFERENCE_KINDS, REASONS } from '../domain/reconcile.js';
import { MAX_RANGE_DAYS } from '../domain/metrics/range.js';
import { parseDay } from '../domain/time.js';
import { echo, type ErrorDetail } from '../errors.js';
import { ItemErrors } from './errors.js';
import { closed, Day, field, Id, Money, optional, Timestamp } from './primitives.js';
import { validator, withRules } from './validator.js';

export const RECONCILE_BODY_BYTES = 4 * 1024 * 1024;
export const RECONCILE_ORDERS = 10_000;
/** Fields of the largest valid body, with room for what is reported to be none. */
export const RECONCILE_KEYS = 5 * RECONCILE_ORDERS;

const DayEntry = Type.Object(
  {
    date: field(Day, 'Day in the time zone of the shop; each once.'),
    orders: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Orders of the day. Absent: not compared.',
      }),
    ),
    revenue: optional(Money, 'Revenue of the day before refunds. Absent: not compared.'),
    refunds: optional(Money, 'Refunds of the day. Absent: not compared.'),
  },
  { ...closed, title: 'DayTotals' },
);

const OrderEntry = Type.Object(
  {
    order_id: field(Id, 'Order of the store; each once.'),
    updated_at: optional(Timestamp, 'Version of the order in the store. Absent: not compared.'),
    total: optional(Money, 'Its `total` in the store. Absent: not compared.'),
    refunded: optional(
      Money,
      'The sum of its refunds in the store, `"0"` where it has none: platforms delete refunds without a new version. Absent: not compared.',
    ),
  },
  { ...closed, title: 'ListedOrder' },
);

/** Body of `POST /v1/reconcile`: either of the lists. */
export const ReconcileRequest = Type.Object(
  {
    days: Type.Optional(
      Type.Array(DayEntry, {
        minItems: 1,
        maxItems: MAX_RANGE_DAYS,
        'x-size-code': 'batch_size',
        description: 'Totals by day, 1 to 366. Absent: `orders` is there.',
      }),
    ),
    orders: Type.Optional(
      Type.Array(OrderEntry, {
        minItems: 0,
        maxItems: RECONCILE_ORDERS,
        'x-size-code': 'batch_size',
        description: 'Orders, 1 to 10,000; none only with `complete_for`. Absent: `days` is there.',
      }),
    ),
    complete_for: Type.Optional(
      Type.Object(
        { from: field(Day, 'First day, inclusive.'), to: field(Day, 'Last day, inclusive.') },
        {
          ...closed,
          description:
            'With `orders`: they are all orders of these days, so that others are told as `missing_there`. Absent: they are some orders.',
        },
      ),
    ),
  },
  closed,
);
export type ReconcileRequest = Static<typeof ReconcileRequest>;

/** What the schema can't say. */
function checkRules(body: unknown): ErrorDetail[] {
  const { days, orders, complete_for } = fieldsOf(body);
  if (!isFields(body)) return [];
  const errors: ErrorDetail[] = [];
  if ((days === undefined) === (orders === undefined)) {
    errors.push({ code: 'invalid_request', message: 'The body must hold either days or orders.' });
  }
  if (days === undefined && Array.isArray(orders) && orders.length === 0 && complete_for === undefined) {
    const message = `orders must hold 1 to ${RECONCILE_ORDERS} entries, or complete_for must say of which days the empty list is.`;
    errors.push({ code: 'batch_size', message, field: 'orders' });
  }
  if (isFields(complete_for)) errors.push(...rangeFaults(complete_for, days !== undefined));
  return [...errors, ...repeated('days', 'date', days), ...repeated('orders', 'order_id', orders)];
}

function rangeFaults({ from, to }: Fields, hasDays: boolean): ErrorDetail[] {
  const field = 'complete_for';
  if (hasDays) return [{ code: 'invalid_value', message: 'complete_for goes with orders alone; remove it.', field }];
  const [first, last] = [from, to].map((day) => (typeof day === 'string' ? parseDay(day) : null));
  if (first == null || last == null) return [];
  if (first > last) {
    return [{ code: 'invalid_range', message: 'complete_for.from must not be after complete_for.to.', field }];
  }
  const days = last - first + 1;
  if (days <= MAX_RANGE_DAYS) return [];
  const message = `complete_for holds ${days} days; at most ${MAX_RANGE_DAYS} are allowed.`;
  return [{ code: 'range_too_long', message, field }];
}

const MAX_REPEATED = 100;

function repeated(list: string, key: string, entries: unknown): ErrorDetail[] {
  if (!Array.isArray(entries)) return [];
  const seen = new Set<string>();
  const errors: ErrorDetail[] = [];
  entries.forEach((entry, i) => {
    const value = fieldsOf(entry)[key];
    if (typeof value !== 'string') return;
    if (seen.has(value) && errors.length < MAX_REPEATED) {
      const field = `${list}[${i}].${key}`;
      errors.push({ code: 'invalid_value', message: `${field} "${echo(value)}" appears twice; send it once.`, field });
    }
    seen.add(value);
  });
  return errors;
}

export const reconcileValidator = withRules(validator(ReconcileRequest, 'The body'), checkRules);

const value = (description: string) =>
  Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'], description });

const DifferenceSchema = Type.Object(
  {
    kind: Type.Enum([...DIFFERENCE_KINDS], {
      description:
        'missing_here, missing_there: an order that one side lacks; total, refunds, version, day: of an order that both have; figure: of a day.',
    }),
    order_id: Type.Optional(Type.String({ description: 'The order. Absent with `figure`.' })),
    date: Type.Optional(Type.String({ description: 'The day, with `figure` and `missing_there`. Else absent.' })),
    figure: Type.Optional(Type.Enum([...DAY_FIGURES], { description: 'Which of the day. Else absent.' })),
    here: value('The total, refunds, version, day or figure of this service; null: the order is missing.'),
    there: value('The same as sent; null: the order is missing, or its total was not sent.'),
    reason: Type.Optional(
      Type.Enum([...REASONS], {
        description: `Absent: not known.

- \`test\`, \`voided\`, \`pending\`: orders that do not count here; with \`figure\`, the difference is exactly theirs.
- \`deleted\`: it was deleted here.
- \`other_time_zone_day\`: the sides agree by days of UTC, and not by those of the shop.
- \`rejected\`: a later push of it was rejected, with \`errors\`, in the last 7 days.
- \`superseded\`: a newer version is stored here.`,
      }),
    ),
    errors: Type.Optional(field(ItemErrors, 'With `rejected`: its faults. Else absent.')),
  },
  { ...closed, title: 'Difference' },
);

/** Response of `POST /v1/reconcile`. */
export const ReconcileResponse = Type.Object(
  {
    equal: Type.Integer({ minimum: 0, description: 'Days or orders of the request without a difference.' }),
    differences: Type.Array(DifferenceSchema, {
      description: 'In the order of the request; then the orders that it lacks, by day.',
    }),
    more: Type.Optional(
      Type.Boolean({ description: 'True: more orders than the 10,000 told are missing there. Absent: all are told.' }),
    ),
  },
  closed,
);
export type ReconcileResponse = Static<typeof ReconcileResponse>;
