import Type from 'typebox';
import type { AlertKind } from '../domain/alerts.js';
import { KEY_KINDS, KEY_NAME_LENGTH, SCOPES, type KeyKind, type Scope } from '../domain/keys.js';
import { expenseFields, type Expense } from './expenses.js';
import type { RangeCoverage } from './metrics.js';
import { closed, ID_PATTERN, NullableEndDay, Timestamp } from './primitives.js';
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
export interface VisitAnswer {
  ended_at: string | null;
}

/** `offsets[i]` seconds ahead of UTC from `starts[i]`, in seconds since 1970, until the next start. */
interface ZoneClock {
  starts: readonly number[];
  offsets: readonly number[];
}

/** A shop in an answer; null: not registered yet, or open. Timestamps here are RFC 3339 in UTC. */
export interface Shop {
  shop_id: string;
  /** How many it has, those that no longer work included. */
  keys: number;
  platform: string | null;
  currency: string | null;
  timezone: string | null;
  /** The clock of its time zone, from a year ago until in a year; null also for a zone that the service does not know. */
  clock: ZoneClock | null;
  closed_at: string | null;
  /** The kinds of its open alerts. */
  alerts: readonly AlertKind[];
  /** An order was accepted, be it a test. */
  has_orders: boolean;
}

/** Shops that one answer holds the figures of. */
export const MAX_SHOPS = 20;

/** This month of a shop, in its currency and days. */
export interface ShopFigures {
  shop_id: string;
  from: string;
  to: string;
  orders: number;
  revenue: string;
  earnings: string;
  /** The earnings of each day from the first on. */
  by_day: string[];
  coverage: Omit<RangeCoverage, 'products_without_cost'>;
  /** Currencies of ad spend that is in no figure. */
  left_out: string[];
  /** Where the month has no orders: the last day before it that has; null: none has, or it was not asked for. */
  last_day_with_orders: string | null;
}

/** How the payment fees of some days are known. */
export interface FeeOrders {
  from: string;
  to: string;
  /** Counted orders. */
  orders: number;
  /** Those whose fee a rule estimates, and the sum of that. */
  estimated: number;
  fees: string;
  /** Those with neither a fee of their own nor a rule. */
  unknown: number;
  rules: { payment_gateway: string; orders: number }[];
  /** Gateways of orders without a fee that have no rule, those of most orders; spelled as they are compared. */
  without_rule: string[];
}

/** Refunds whose id begins with what was looked for, the newest first. */
export interface FoundRefunds {
  currency: string;
  /** `day` is the one of the refund. */
  refunds: { refund_id: string; order_id: string; day: string; total: string }[];
}

/** A key in an answer, without the key itself. */
export interface Key {
  key_id: string;
  /** What people call it; may be empty. */
  name: string;
  kind: KeyKind;
  scopes: readonly Scope[];
  prefix: string;
  last_four: string;
  state: 'live' | 'expired' | 'revoked';
  created_at: string | null;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** The one answer that holds the key itself. */
export interface FreshKey extends Key {
  key: string;
}

/** An expense in an answer; `external_id` is null where it was made in the app. */
export interface AppExpense extends Omit<Expense, 'external_id'> {
  expense_id: string;
  external_id: string | null;
}

/** What an expense would change in the earnings of this month so far. */
export interface ExpensePreview {
  from: string;
  to: string;
  currency: string;
  earnings_change: string;
}

/** A user of BI tools that sees the shop. */
export interface AppBiUser {
  user: string;
  made_at: string;
  /** It signs in no more, until the operator opens it. */
  is_closed: boolean;
}

export const newKeyValidator = validator(NewKeyInput, 'The body');
export const rotationValidator = validator(RotationInput, 'The body');
export const newShopValidator = validator(NewShopInput, 'The body');
export const appExpenseValidator = validator(AppExpenseInput, 'The body');
export const expenseEndValidator = validator(ExpenseEndInput, 'The body');
