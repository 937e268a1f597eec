import type { ExpenseFields } from '../../domain/costs/expenses.js';
import { figureMaker, type AppliedSettings } from '../../domain/metrics/figures.js';
import { figureValue } from '../../domain/metrics/metrics.js';
import { formatDecimal, minus, type Fraction } from '../../domain/money.js';
import { formatDay } from '../../domain/time.js';
import type { ExpensePreview } from '../../schemas/app.js';
import { monthSoFar, type ShopFiguresDeps } from './shop-figures.js';

/**
 * What an expense changes in the earnings of this month so far, or what the change of one changes. The figures are made twice,
 * by what makes those of every answer.
 */
export async function previewExpense(
  { now, sources, costSettings, metrics }: ShopFiguresDeps,
  shopId: string,
  fields: ExpenseFields,
  replacedId?: string,
): Promise<ExpensePreview> {
  const source = await sources.require(shopId);
  const { currency, timezone } = source;
  const range = monthSoFar(timezone, now());
  const [settings, parts] = await Promise.all([costSettings.over(shopId, source, range), metrics.daily(shopId, range)]);
  const { expenses } = settings;
  const earned = (those: AppliedSettings['expenses']): Fraction =>
    figureValue('earnings', figureMaker({ ...settings, expenses: those }, currency, range).figures(range, parts));
  const others = expenses.filter(({ expenseId }) => expenseId !== replacedId);
  return {
    from: formatDay(range.from),
    to: formatDay(range.to),
    currency,
    earnings_change: formatDecimal(minus(earned([...others, fields]), earned(expenses))),
  };
}
