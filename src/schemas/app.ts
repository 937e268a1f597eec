import Type, { type Static } from 'typebox';
import { ALERT_KINDS, type AlertKind } from '../domain/alerts.js';
import { KEY_KINDS, KEY_NAME_LENGTH, SCOPES, type Scope } from '../domain/keys.js';
import { Expense, expenseFields } from './expenses.js';
import { RangeCoverage } from './metrics.js';
import {
  closed,
  ComputedMoney,
  Currency,
  Day,
  Id,
  ID_PATTERN,
  Money,
  NullableDay,
  NullableEndDay,
  NullableId,
  NullableText,
  NullableTimestamp,
  Timestamp,
} from './primitives.js';
import { SourceInput } from './source.js';
import { validator } from './validator.js';

/** Bodies and answers of the app's own requests (`/app/api/…`); they are no part of the public API. */

/** A key to be made. Scopes that are absent mean all that the kind may hold. */
const NewKeyInput = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: KEY_NAME_LENGTH, pattern: ID_PATTERN })),
    kind: Type.Enum([...KEY_KINDS]),
    scopes: Type.Optional(Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length })),
    expires_at: Type.Optional(Timestamp),
  },
  closed,
);

/** How long the old key still works next to the new one: 0 ends it at once. */
const RotationInput = Type.Object({ overlap_hours: Type.Integer({ minimum: 0, maximum: 24 * 90 }) }, closed);

/** A shop made in the app, with what it would register about itself. */
const NewShopInput = Type.Object({ shop_id: Type.String({ minLength: 1 }), source: SourceInput }, closed);

/** An expense that is made or replaced in the app: all fields, and no external id. */
const AppExpenseInput = Type.Object(expenseFields, closed);

/** The last day of an expense, inclusive; null: it goes on. */
const ExpenseEndInput = Type.Object({ ended_on: NullableEndDay }, closed);

/** When who asks was at the shop before: the end of that visit. */
export const VisitAnswer = Type.Object({ ended_at: NullableTimestamp }, closed);
export type VisitAnswer = Static<typeof VisitAnswer>;

/** `offsets[i]` seconds ahead of UTC from `starts[i]`, in seconds since 1970, until the next start. */
const ZoneClock = Type.Unsafe<{ starts: readonly number[]; offsets: readonly number[] }>(
  Type.Object({ starts: Type.Array(Type.Number()), offsets: Type.Array(Type.Number()) }, closed),
);

/** A shop in an answer; null: not registered yet, or open. Timestamps here are RFC 3339 in UTC. */
export const Shop = Type.Object(
  {
    shop_id: Type.String(),
    /** How many it has, those that no longer work included. */
    keys: Type.Integer(),
    platform: NullableText,
    currency: NullableText,
    timezone: NullableText,
    /** The clock of its time zone, from a year ago until in a year; null also for a zone that the service does not know. */
    clock: Type.Union([ZoneClock, Type.Null()]),
    closed_at: NullableTimestamp,
    /** The kinds of its open alerts. */
    alerts: Type.Unsafe<readonly AlertKind[]>(Type.Array(Type.Enum([...ALERT_KINDS]))),
    /** An order was accepted, be it a test. */
    has_orders: Type.Boolean(),
  },
  closed,
);
export type Shop = Static<typeof Shop>;

export const ShopsAnswer = Type.Object({ shops: Type.Array(Shop) }, closed);
export type ShopsAnswer = Static<typeof ShopsAnswer>;

/** The shop that was made. */
export const SampleShopAnswer = Type.Object({ shop_id: Type.String() }, closed);
export type SampleShopAnswer = Static<typeof SampleShopAnswer>;

/** Shops that one answer holds the figures of. */
export const MAX_SHOPS = 20;

/** Days of an answer, from the first to the last, inclusive. */
const days = { from: Day, to: Day };

/** This month of a shop, in its currency and days. */
const ShopFigures = Type.Object(
  {
    shop_id: Type.String(),
    ...days,
    orders: Type.Integer(),
    revenue: ComputedMoney,
    earnings: ComputedMoney,
    /** The earnings of each day from the first on. */
    by_day: Type.Array(ComputedMoney),
    coverage: Type.Omit(RangeCoverage, ['products_without_cost'], closed),
    /** Currencies of ad spend that is in no figure. */
    left_out: Type.Array(Currency),
    /** Where the month has no orders: the last day before it that has; null: none has, or it was not asked for. */
    last_day_with_orders: NullableDay,
  },
  closed,
);
export type ShopFigures = Static<typeof ShopFigures>;

export const FiguresAnswer = Type.Object({ shops: Type.Array(ShopFigures) }, closed);
export type FiguresAnswer = Static<typeof FiguresAnswer>;

/** How the payment fees of some days are known. */
export const FeeOrders = Type.Object(
  {
    ...days,
    /** Counted orders. */
    orders: Type.Integer(),
    /** Those whose fee a rule estimates, and the sum of that. */
    estimated: Type.Integer(),
    fees: ComputedMoney,
    /** Those with neither a fee of their own nor a rule. */
    unknown: Type.Integer(),
    rules: Type.Array(Type.Object({ payment_gateway: Type.String(), orders: Type.Integer() }, closed)),
    /** Gateways of orders without a fee that have no rule, those of most orders; spelled as they are compared. */
    without_rule: Type.Array(Type.String()),
  },
  closed,
);
export type FeeOrders = Static<typeof FeeOrders>;

/** Refunds whose id begins with what was looked for, the newest first; `day` is the one of the refund. */
export const FoundRefunds = Type.Object(
  {
    currency: Currency,
    refunds: Type.Array(Type.Object({ refund_id: Id, order_id: Id, day: Day, total: Money }, closed)),
  },
  closed,
);
export type FoundRefunds = Static<typeof FoundRefunds>;

/** A key in an answer, without the key itself. */
export const Key = Type.Object(
  {
    key_id: Type.String(),
    /** What people call it; may be empty. */
    name: Type.String(),
    kind: Type.Enum([...KEY_KINDS]),
    scopes: Type.Unsafe<readonly Scope[]>(Type.Array(Type.Enum([...SCOPES]))),
    prefix: Type.String(),
    last_four: Type.String(),
    state: Type.Enum(['live', 'expired', 'revoked']),
    created_at: NullableTimestamp,
    last_used_at: NullableTimestamp,
    expires_at: NullableTimestamp,
    revoked_at: NullableTimestamp,
  },
  closed,
);
export type Key = Static<typeof Key>;

export const KeysAnswer = Type.Object({ keys: Type.Array(Key) }, closed);
export type KeysAnswer = Static<typeof KeysAnswer>;

/** The one answer that holds the key itself. */
export const FreshKey = Type.Object({ ...Key.properties, key: Type.String() }, closed);
export type FreshKey = Static<typeof FreshKey>;

/** An expense in an answer; `external_id` is null where it was made in the app. */
export const AppExpense = Type.Object(
  { ...Expense.properties, expense_id: Type.String(), external_id: NullableId },
  closed,
);
export type AppExpense = Static<typeof AppExpense>;

export const ExpensesAnswer = Type.Object({ expenses: Type.Array(AppExpense) }, closed);
export type ExpensesAnswer = Static<typeof ExpensesAnswer>;

/** What an expense would change in the earnings of this month so far. */
export const ExpensePreview = Type.Object({ ...days, currency: Currency, earnings_change: ComputedMoney }, closed);
export type ExpensePreview = Static<typeof ExpensePreview>;

/** Users of BI tools that see the shop. */
export const BiUsersAnswer = Type.Object(
  {
    users: Type.Array(
      Type.Object(
        {
          user: Type.String(),
          made_at: Timestamp,
          /** It signs in no more, until the operator opens it. */
          is_closed: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type BiUsersAnswer = Static<typeof BiUsersAnswer>;

export const newKeyValidator = validator(NewKeyInput, 'The body');
export const rotationValidator = validator(RotationInput, 'The body');
export const newShopValidator = validator(NewShopInput, 'The body');
export const appExpenseValidator = validator(AppExpenseInput, 'The body');
export const expenseEndValidator = validator(ExpenseEndInput, 'The body');
