import type { Day } from '../shared/answers.js';

const PARTS = [
  { figure: 'refunds', words: 'refunded' },
  { figure: 'ad_spend', words: 'spent on ads' },
  { figure: 'operating_expenses', words: 'of expenses' },
] as const;

const FEWEST_DAYS = 3;
const MOST_OF_IT = 0.5;

export interface Explaining {
  day: Day;
  figure: (typeof PARTS)[number]['figure'];
  words: string;
  amount: string;
  /** Of the part in all days, 0 to 1. */
  share: number;
}

/**
 * The day whose one part explains most: it has half of all that the part took off or more, and this is more than a usual day
 * earns. The largest of these; undefined where there is none. Floats only choose, the amount stays exact.
 */
export function explainingDay(days: readonly Day[]): Explaining | undefined {
  if (days.length < FEWEST_DAYS) return undefined;
  const usual = days.reduce((sum, day) => sum + Math.abs(Number(day.statement.earnings)), 0) / days.length;
  const found = PARTS.flatMap(({ figure, words }) => {
    const amountOf = (day: Day): string =>
      figure === 'operating_expenses' ? day.statement.operating_expenses : day[figure];
    const total = days.reduce((sum, day) => sum + Number(amountOf(day)), 0);
    return days.map((day) => {
      const amount = amountOf(day);
      return { day, figure, words, amount, share: total === 0 ? 0 : Number(amount) / total };
    });
  }).filter(({ amount, share }) => share >= MOST_OF_IT && Number(amount) > usual);
  return found.sort((a, b) => Number(b.amount) - Number(a.amount))[0];
}
