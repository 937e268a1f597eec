import Type, { type Static } from 'typebox';
import { EXPENSE_CATEGORIES, EXPENSE_FREQUENCIES } from '../domain/expenses.js';
import { closed, Currency, Day, described, Id, Money, NullableDay, Text } from './primitives.js';
import { validator } from './validator.js';

export const EXPENSE_BODY_BYTES = 64 * 1024;

const Amount = described<string>(
  Money,
  'Plain non-negative decimal string; the percentage where `frequency` is `percent_of_revenue`.',
  '49.00',
);
const EndedOn = described<string | null>(
  NullableDay,
  'Last day, inclusive, not before `started_on`; null: it goes on.',
);

const fields = {
  name: described<string>({ ...Text, minLength: 1 }, 'What it is, in words.', 'Rent'),
  category: Type.Enum([...EXPENSE_CATEGORIES]),
  amount: Amount,
  currency: Currency,
  frequency: Type.Enum([...EXPENSE_FREQUENCIES]),
  started_on: Day,
};
const options = {
  ended_on: Type.Optional(EndedOn),
  counts_as_ad_spend: Type.Optional(
    Type.Boolean({ description: 'True: it counts in ad_spend, mer and blended_roas. Default false.' }),
  ),
};

/** Body of `POST /v1/costs/expenses`. */
export const ExpenseInput = Type.Object({ external_id: Id, ...fields, ...options }, closed);
export type ExpenseInput = Static<typeof ExpenseInput>;

/** Body of `PATCH /v1/costs/expenses/{external_id}`; an `external_id` must equal that of the path. */
export const ExpenseUpdate = Type.Object({ external_id: Type.Optional(Id), ...fields, ...options }, closed);
export type ExpenseUpdate = Static<typeof ExpenseUpdate>;

/** Response of `POST` (201 created, 200 replaced) and `PATCH`. */
export const Expense = Type.Object(
  { external_id: Id, ...fields, ended_on: EndedOn, counts_as_ad_spend: Type.Boolean() },
  closed,
);
export type Expense = Static<typeof Expense>;

/** Response of `GET /v1/costs/expenses`, ordered by `external_id`. */
export const ExpenseList = Type.Object({ expenses: Type.Array(Expense) }, closed);
export type ExpenseList = Static<typeof ExpenseList>;

export const expenseValidator = validator(ExpenseInput, 'The body');
export const expenseUpdateValidator = validator(ExpenseUpdate, 'The body');
