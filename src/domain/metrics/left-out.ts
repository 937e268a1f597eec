import { accrual, type AccruingExpense, type Expense, type SalesVolume } from '../costs/expenses.js';
import { EXPENSE_SPEND, type ChannelSpend } from '../costs/spend-channel.js';
import { compare } from '../compare.js';
import { isZero, plus, ZERO, type Fraction } from '../money.js';
import type { DayRange } from './range.js';

/** What figures leave out because it is in another currency. */
export interface LeftOut {
  /** Names the currencies and channels. */
  note: string;
  /** Ad spend by channel and currency, at most {@link MAX_ENTRIES}. */
  spend: { channel: string; currency: string; amount: Fraction }[];
}

type ForeignExpense = AccruingExpense & Pick<Expense, 'currency' | 'countsAsAdSpend'>;

/** Names of a note; of more, how many. */
const MAX_NAMES = 20;
const MAX_ENTRIES = 1_000;

/**
 * Null when nothing was left out. `expenses` are those of the range in other currencies; of them a note names the operating
 * ones where the answer shows operating expenses.
 */
export function leftOut(
  { currency, range, expenses }: { currency: string; range: DayRange; expenses: readonly ForeignExpense[] },
  parts: readonly (SalesVolume & { spend: readonly ChannelSpend[] })[],
  options: { expenses: boolean },
): LeftOut | null {
  const advertising = expenses.filter((expense) => expense.countsAsAdSpend);
  const named = options.expenses ? expenses : advertising;
  const spend = new Map<string, Map<string, Fraction>>();
  const add = (code: string, channel: string, amount: Fraction): void => {
    const ofCurrency = spend.get(code) ?? new Map<string, Fraction>();
    spend.set(code, ofCurrency.set(channel, plus(ofCurrency.get(channel) ?? ZERO, amount)));
  };
  for (const entry of parts.flatMap((part) => part.spend)) {
    if (entry.currency !== currency && !isZero(entry.amount)) add(entry.currency, entry.channel, entry.amount);
  }
  for (const code of new Set(advertising.map((expense) => expense.currency))) {
    // A percentage of revenue is money of the shop's currency, whatever that of the expense.
    const own = advertising.filter((one) => one.currency === code && one.frequency !== 'percent_of_revenue');
    const amount = accrual(own, range)(range, parts);
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

function listed(names: readonly string[], separator: string): string {
  const left = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(separator);
  return left > 0 ? `${first} and ${left} more` : first;
}
