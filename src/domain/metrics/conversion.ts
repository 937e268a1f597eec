import { compare } from '../compare.js';
import { accrual, accrualOfEach, type AccruingExpense, type Expense, type SalesVolume } from '../costs/expenses.js';
import type { RateTable } from '../costs/rates.js';
import { EXPENSE_SPEND, type ChannelSpend } from '../costs/spend-channel.js';
import { fraction, isZero, plus, times, whole, ZERO, type Fraction } from '../money.js';
import type { DayRange } from './range.js';

/** An expense that may be in another currency. */
export type CurrencyExpense = AccruingExpense & Pick<Expense, 'currency' | 'countsAsAdSpend'>;

/** A part of a range on whose days the same rates hold. */
export type ConvertedPart = SalesVolume & { spend: readonly ChannelSpend[] };

/** Ad spend of a channel in another currency, as far as it has a rate. */
export interface ConvertedSpend {
  channel: string;
  currency: string;
  /** In that currency. */
  amount: Fraction;
  /** What it counts, in that of the shop. */
  adSpend: Fraction;
}

/** What an amount of another currency counts on a day: the exact product, which is rounded with the figure alone. Null: it has no rate. */
export function worthOf(rates: RateTable, currency: string, day: number): Fraction | null {
  const found = rates.find(currency, day);
  return found === null ? null : fraction(found.rate);
}

/** A percentage of revenue is money of the shop's currency, whatever that of the expense: it is never converted. */
export const isConvertible = ({ frequency }: AccruingExpense): boolean => frequency !== 'percent_of_revenue';

/** Expenses of one currency, all of which {@link isConvertible}. */
interface CurrencyAccrual {
  currency: string;
  /** What they come to on days that have a rate: in the currency of the shop, and in their own. */
  converted: (days: DayRange, sales: readonly SalesVolume[]) => Fraction;
  own: (days: DayRange, sales: readonly SalesVolume[]) => Fraction;
  /** What they come to on days that have none, in their own. */
  left: (days: DayRange, sales: readonly SalesVolume[]) => Fraction;
}

export function convertedAccruals(
  expenses: readonly CurrencyExpense[],
  range: DayRange,
  rates: RateTable,
): CurrencyAccrual[] {
  const codes = [...new Set(expenses.map(({ currency }) => currency))];
  return codes.map((currency) => {
    const those = expenses.filter((expense) => expense.currency === currency);
    const hasRate = (day: number): boolean => rates.find(currency, day) !== null;
    return {
      currency,
      converted: accrual(those, range, (day) => worthOf(rates, currency, day) ?? ZERO),
      own: accrual(those, range, (day) => (hasRate(day) ? ONE : ZERO)),
      left: accrual(those, range, (day) => (hasRate(day) ? ZERO : ONE)),
    };
  });
}

const ONE = whole(1);
/** Most entries of a list by channel and currency. */
export const MAX_ENTRIES = 1_000;

/** The spend that counts although it is in another currency, by currency and channel; `advertising` are expenses that are spend. */
export function convertedSpend(
  { currency, range, rates }: { currency: string; range: DayRange; rates: RateTable },
  advertising: readonly CurrencyAccrual[],
  parts: readonly ConvertedPart[],
): ConvertedSpend[] {
  const found = new Map<string, ConvertedSpend>();
  const add = (channel: string, code: string, amount: Fraction, adSpend: Fraction): void => {
    if (isZero(amount)) return;
    const key = `${code} ${channel}`;
    const known = found.get(key) ?? { channel, currency: code, amount: ZERO, adSpend: ZERO };
    found.set(key, { ...known, amount: plus(known.amount, amount), adSpend: plus(known.adSpend, adSpend) });
  };
  for (const { day, spend } of parts) {
    for (const entry of spend) {
      const worth = entry.currency === currency ? null : worthOf(rates, entry.currency, day);
      if (worth !== null) add(entry.channel, entry.currency, entry.amount, times(entry.amount, worth));
    }
  }
  for (const { currency: code, own, converted } of advertising) {
    add(EXPENSE_SPEND, code, own(range, parts), converted(range, parts));
  }
  return [...found.values()]
    .sort((a, b) => compare(a.currency, b.currency) || compare(a.channel, b.channel))
    .slice(0, MAX_ENTRIES);
}

/** What single expenses count over a range, of which every day has its own sales; those that are left out count nothing. */
export function countedOfEach(
  range: DayRange,
  sales: readonly SalesVolume[],
  { currency, rates }: { currency: string; rates: RateTable },
): (expense: CurrencyExpense) => Fraction {
  const ofCurrency = new Map([[currency, accrualOfEach(range, sales)]]);
  return (expense) => {
    if (expense.currency !== currency && !isConvertible(expense)) return ZERO;
    const known =
      ofCurrency.get(expense.currency) ??
      accrualOfEach(range, sales, (day) => worthOf(rates, expense.currency, day) ?? ZERO);
    ofCurrency.set(expense.currency, known);
    return known(expense);
  };
}
