import Type, { type Static } from 'typebox';
import { EXPENSE_CATEGORIES, EXPENSE_FREQUENCIES, type ExpenseFields } from '../domain/costs/expenses.js';
import { canonicalDecimal } from '../domain/money.js';
import { formatDay, LAST_END_DAY, parseDay } from '../domain/time.js';
import {
  closed,
  Currency,
  Day,
  field,
  flag,
  Id,
  Label,
  Money,
  NullableEndDay,
  optional,
  Receipt,
} from './primitives.js';
import { validator } from './validator.js';

export const EXPENSE_BODY_BYTES = 64 * 1024;

const EndedOn = field(
  NullableEndDay,
  'Last day, inclusive, not before `started_on`, up to 9999-12-31; null: it goes on.',
);
const COUNTS_AS_AD_SPEND = 'True: it counts in `ad_spend`, `mer` and `blended_roas`.';

const externalId = field(Id, 'Natural key: the expense of this key is created or replaced.', { examples: ['rent'] });
const fields = {
  name: field(Label, 'What it is, in 1-255 characters.', { examples: ['Rent'] }),
  category: Type.Enum([...EXPENSE_CATEGORIES], { description: 'Kind of expense.' }),
  amount: field(Money, 'What it costs each time; the percentage where `frequency` is `percent_of_revenue`.', {
    examples: ['49.00'],
  }),
  currency: field(Currency, 'Counted in the figures where it is the currency of the shop.'),
  frequency: Type.Enum([...EXPENSE_FREQUENCIES], {
    description:
      'How it accrues: by the days of its month, week or year, once on `started_on`, by counted order, or as a share of revenue.',
  }),
  started_on: field(Day, 'First day, in the time zone of the shop.'),
};
/** What a body says of an expense besides its key. */
export const expenseFields = {
  ...fields,
  ended_on: Type.Optional({ ...EndedOn, default: null }),
  counts_as_ad_spend: flag(COUNTS_AS_AD_SPEND),
};

/** Body of `POST /v1/costs/expenses`. */
export const ExpenseInput = Type.Object(
  { external_id: externalId, ...expenseFields },
  { ...closed, title: 'ExpenseInput' },
);
export type ExpenseInput = Static<typeof ExpenseInput>;

/** Body of `PATCH /v1/costs/expenses/{external_id}`; an `external_id` must equal that of the path. */
export const ExpenseUpdate = Type.Object(
  { external_id: optional(Id, 'That of the path. Absent: the same.'), ...expenseFields },
  closed,
);
export type ExpenseUpdate = Static<typeof ExpenseUpdate>;

const stored = {
  external_id: externalId,
  ...fields,
  ended_on: EndedOn,
  counts_as_ad_spend: Type.Boolean({ description: COUNTS_AS_AD_SPEND }),
};

/** An expense as it is stored. */
export const Expense = Type.Object(stored, closed);
export type Expense = Static<typeof Expense>;

/** What a valid body says. */
export function readExpense(input: Omit<ExpenseInput, 'external_id'>): ExpenseFields {
  const { name, category, amount, currency, frequency, started_on, ended_on = null, counts_as_ad_spend } = input;
  return {
    name,
    category,
    amount,
    currency,
    frequency,
    startedOn: parseDay(started_on) ?? 0,
    endedOn: ended_on === null ? null : parseDay(ended_on, LAST_END_DAY),
    countsAsAdSpend: counts_as_ad_spend ?? false,
  };
}

/** The fields of an expense as answers show them. */
export const shownExpense = (expense: ExpenseFields): Omit<Expense, 'external_id'> => ({
  name: expense.name,
  category: expense.category,
  amount: canonicalDecimal(expense.amount),
  currency: expense.currency,
  frequency: expense.frequency,
  started_on: formatDay(expense.startedOn),
  ended_on: expense.endedOn === null ? null : formatDay(expense.endedOn),
  counts_as_ad_spend: expense.countsAsAdSpend,
});

/** Response of `POST` (201 created, 200 replaced) and `PATCH`. */
export const TakenExpense = Type.Object(
  { ...stored, receipt: field(Receipt, 'Names this change, for `after`.') },
  closed,
);
export type TakenExpense = Static<typeof TakenExpense>;

/** Response of `GET /v1/costs/expenses`, ordered by `external_id`. */
export const ExpenseList = Type.Object(
  { expenses: Type.Array(Expense, { description: 'Ordered by `external_id`.' }) },
  closed,
);
export type ExpenseList = Static<typeof ExpenseList>;

export const expenseValidator = validator(ExpenseInput, 'The body');
export const expenseUpdateValidator = validator(ExpenseUpdate, 'The body');
