import type { ErrorDetail } from '../../errors.js';
import { fieldsOf } from '../fields.js';
import { decimal, fraction, isZero, minus, plus, sum, times, ZERO, type Big, type Fraction } from '../money.js';
import type { DayRange } from '../metrics/range.js';
import { daysInMonth, daysInYear, LAST_END_DAY, parseDay } from '../time.js';

export const EXPENSE_CATEGORIES = ['software', 'tools', 'va', 'marketing', 'other'] as const;
export type ExpenseCategory = (typeof EXPENSE_CATEGORIES)[number];

export const EXPENSE_FREQUENCIES = [
  'monthly',
  'weekly',
  'yearly',
  'one_time',
  'per_order',
  'percent_of_revenue',
] as const;
export type ExpenseFrequency = (typeof EXPENSE_FREQUENCIES)[number];

/** The fields of a recurring cost. Days are day numbers. */
export interface ExpenseFields {
  name: string;
  category: ExpenseCategory;
  /** Decimal; a percentage where the frequency is `percent_of_revenue`. */
  amount: string;
  currency: string;
  frequency: ExpenseFrequency;
  startedOn: number;
  /** Inclusive; null: goes on. */
  endedOn: number | null;
  countsAsAdSpend: boolean;
}

/** A stored expense; `externalId` is null when it was made in the app. */
export interface Expense extends ExpenseFields {
  expenseId: string;
  externalId: string | null;
}

/** The fields that decide how an expense accrues. */
export type AccruingExpense = Pick<ExpenseFields, 'amount' | 'frequency' | 'startedOn' | 'endedOn'>;

/** Sales of a part of the range, on whose every day the same expenses hold. */
export interface SalesVolume {
  /** Any day of the part. */
  day: number;
  sums: { readonly orders: Fraction; readonly revenue: Fraction };
}

/** Amounts that hold on one day, by frequency. */
type Rates = Record<ExpenseFrequency, Big>;

/**
 * Accrues expenses over parts of a range, as exact fractions (contract: "Figures"). The result takes days of the range and
 * the sales on them, in parts that {@link volumeBounds} do not cut. `worth` is what one unit of their currency counts on a day,
 * the same on all days of a part; absent: one.
 */
export function accrual(
  expenses: readonly AccruingExpense[],
  range: DayRange,
  worth?: (day: number) => Fraction,
): (days: DayRange, sales: readonly SalesVolume[]) => Fraction {
  if (expenses.length === 0) return () => ZERO;
  const rates = ratesByDay(expenses, range);

  return (days, sales) => {
    const terms: Fraction[] = [];
    const add = (day: number, ...due: Fraction[]): void => {
      if (worth === undefined) terms.push(...due);
      else for (const term of due) if (!isZero(term)) terms.push(times(term, worth(day)));
    };
    for (let day = days.from; day <= days.to; day++) {
      const rate = rates[day - range.from];
      if (rate === undefined) continue;
      add(day, { num: rate.one_time, den: 1n }, { num: rate.weekly, den: 7n });
      add(
        day,
        { num: rate.monthly, den: BigInt(daysInMonth(day)) },
        { num: rate.yearly, den: BigInt(daysInYear(day)) },
      );
    }
    for (const { day, sums } of sales) {
      const rate = rates[day - range.from];
      if (rate === undefined) continue;
      add(day, times({ num: rate.per_order, den: 1n }, sums.orders));
      add(day, times({ num: rate.percent_of_revenue, den: 100n }, sums.revenue));
    }
    return sum(terms);
  };
}

/**
 * What single expenses come to over a range, of which every day has its own sales: as {@link accrual} says of each alone. What one unit
 * comes to is added up once, from day to day: 5,000 expenses over two years take 0.13 s this way, and 12 s one by one.
 */
export function accrualOfEach(
  range: DayRange,
  sales: readonly SalesVolume[],
  worth?: (day: number) => Fraction,
): (expense: AccruingExpense) => Fraction {
  const { from, to } = range;
  const salesOn = new Map(sales.map((one) => [one.day, one]));
  const byFrequency = new Map<ExpenseFrequency, Fraction[]>();
  /** Of one unit, before each day of the range and after its last. */
  const unitsOf = (frequency: ExpenseFrequency): Fraction[] => {
    const units = [ZERO];
    for (let day = from; day <= to; day++) {
      const [only, sold] = [{ from: day, to: day }, salesOn.get(day)];
      const unit = accrual([{ amount: '1', frequency, startedOn: day, endedOn: day }], only, worth);
      units.push(plus(units[day - from] ?? ZERO, unit(only, sold === undefined ? [] : [sold])));
    }
    byFrequency.set(frequency, units);
    return units;
  };
  return ({ amount, frequency, startedOn, endedOn }) => {
    const first = Math.max(startedOn, from);
    const last = Math.min(frequency === 'one_time' ? startedOn : (endedOn ?? to), to);
    if (last < first) return ZERO;
    const units = byFrequency.get(frequency) ?? unitsOf(frequency);
    return times(fraction(amount), minus(units[last + 1 - from] ?? ZERO, units[first - from] ?? ZERO));
  };
}

/** What holds on each day of the range: differences at the days where an expense starts and ends, summed up once. */
function ratesByDay(expenses: readonly AccruingExpense[], { from, to }: DayRange): Rates[] {
  const changes = Array.from({ length: to - from + 2 }, noRates);
  const add = (day: number, frequency: ExpenseFrequency, amount: Big): void => {
    const change = changes[day - from];
    if (change !== undefined) change[frequency] = change[frequency].plus(amount);
  };
  for (const { amount, frequency, startedOn, endedOn } of expenses) {
    const last = frequency === 'one_time' ? startedOn : (endedOn ?? to);
    const first = Math.max(startedOn, from);
    if (first > to || last < first) continue;
    add(first, frequency, decimal(amount));
    add(Math.min(last, to) + 1, frequency, decimal(amount).neg());
  }
  const held = noRates();
  return changes.slice(0, -1).map((change) => {
    for (const frequency of EXPENSE_FREQUENCIES) held[frequency] = held[frequency].plus(change[frequency]);
    return { ...held };
  });
}

function noRates(): Rates {
  const { num: none } = ZERO;
  return { monthly: none, weekly: none, yearly: none, one_time: none, per_order: none, percent_of_revenue: none };
}

/**
 * The days inside a range, ascending, on which an expense that goes by sales starts to hold or holds no more: sales are
 * summed apart on either side of them.
 */
export function volumeBounds(expenses: readonly AccruingExpense[], { from, to }: DayRange): number[] {
  const days = expenses
    .filter(({ frequency }) => frequency === 'per_order' || frequency === 'percent_of_revenue')
    .flatMap(({ startedOn, endedOn }) => (endedOn === null ? [startedOn] : [startedOn, endedOn + 1]));
  return [...new Set(days)].filter((day) => day > from && day <= to).sort((a, b) => a - b);
}

/** True when an expense may count on a day of the range. */
export function overlaps({ frequency, startedOn, endedOn }: AccruingExpense, { from, to }: DayRange): boolean {
  const last = frequency === 'one_time' ? startedOn : (endedOn ?? to);
  return startedOn <= to && last >= from;
}

/** The rule that a schema cannot express, on any JSON value: an expense does not end before it starts. */
export function checkExpenseRules(value: unknown): ErrorDetail[] {
  const { started_on, ended_on } = fieldsOf(value);
  const start = typeof started_on === 'string' ? parseDay(started_on) : null;
  const end = typeof ended_on === 'string' ? parseDay(ended_on, LAST_END_DAY) : null;
  if (start === null || end === null || end >= start) return [];
  const message = `ended_on (${String(ended_on)}) must not be before started_on (${String(started_on)}).`;
  return [{ code: 'invalid_value', message, field: 'ended_on' }];
}
