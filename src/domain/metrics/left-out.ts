import { compare } from '../compare.js';
import type { RateTable } from '../costs/rates.js';
import { EXPENSE_SPEND } from '../costs/spend-channel.js';
import { isZero, plus, ZERO, type Fraction } from '../money.js';
import {
  convertedAccruals,
  isConvertible,
  MAX_ENTRIES,
  worthOf,
  type ConvertedPart,
  type CurrencyExpense,
} from './conversion.js';
import type { DayRange } from './range.js';

/** What figures leave out because it is in another currency, and has no rate. */
export interface LeftOut {
  /** Names the currencies and channels. */
  note: string;
  /** Ad spend by channel and currency, at most {@link MAX_ENTRIES}. */
  spend: { channel: string; currency: string; amount: Fraction }[];
}

/** Names of a note; of more, how many. */
const MAX_NAMES = 20;

/**
 * Null when nothing was left out. `expenses` are those of the range in other currencies; of them a note names the operating
 * ones where the answer shows operating expenses.
 */
export function leftOut(
  {
    currency,
    range,
    expenses,
    rates,
  }: { currency: string; range: DayRange; expenses: readonly CurrencyExpense[]; rates: RateTable },
  parts: readonly ConvertedPart[],
  options: { expenses: boolean },
): LeftOut | null {
  const advertising = expenses.filter((expense) => expense.countsAsAdSpend);
  const named = (options.expenses ? expenses : advertising).filter((expense) => lacksRate(expense, range, rates));
  const spend = new Map<string, Map<string, Fraction>>();
  const add = (code: string, channel: string, amount: Fraction): void => {
    const ofCurrency = spend.get(code) ?? new Map<string, Fraction>();
    spend.set(code, ofCurrency.set(channel, plus(ofCurrency.get(channel) ?? ZERO, amount)));
  };
  for (const part of parts) {
    for (const entry of part.spend) {
      if (entry.currency === currency || isZero(entry.amount)) continue;
      if (worthOf(rates, entry.currency, part.day) === null) add(entry.currency, entry.channel, entry.amount);
    }
  }
  for (const { currency: code, left } of convertedAccruals(advertising.filter(isConvertible), range, rates)) {
    const amount = left(range, parts);
    if (!isZero(amount)) add(code, EXPENSE_SPEND, amount);
  }
  const names = new Map([...spend].map(([code, channels]) => [code, new Set(channels.keys())]));
  for (const expense of named) {
    names.set(expense.currency, (names.get(expense.currency) ?? new Set()).add(EXPENSE_SPEND));
  }
  if (names.size === 0) return null;
  const texts = [...names].sort().map(([code, of]) => `${code} (${listed([...of].sort(), ', ')})`);
  const entries = [...spend].flatMap(([code, channels]) =>
    [...channels].map(([channel, amount]) => ({ channel, currency: code, amount })),
  );
  entries.sort((a, b) => compare(a.currency, b.currency) || compare(a.channel, b.channel));
  return {
    note: `Not in ${currency} and therefore left out: ${listed(texts, '; ')}.`,
    spend: entries.slice(0, MAX_ENTRIES),
  };
}

/** Whether an expense of another currency may count on a day of the range that has no rate. */
function lacksRate(expense: CurrencyExpense, range: DayRange, rates: RateTable): boolean {
  if (!isConvertible(expense)) return true;
  const { currency, frequency, startedOn, endedOn } = expense;
  const last = Math.min(frequency === 'one_time' ? startedOn : (endedOn ?? range.to), range.to);
  for (let day = Math.max(startedOn, range.from); day <= last; day++) {
    if (rates.find(currency, day) === null) return true;
  }
  return false;
}

function listed(names: readonly string[], separator: string): string {
  const left = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(separator);
  return left > 0 ? `${first} and ${left} more` : first;
}
