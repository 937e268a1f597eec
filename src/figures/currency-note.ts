import type { Static } from 'typebox';
import type { FigureMaker, SalesPart } from '../domain/metrics/figures.js';
import { formatDecimal } from '../domain/money.js';
import type { Note } from '../schemas/metrics.js';

/** What of the parts of a whole range was converted, and what was left out. */
export function noteOf(
  maker: FigureMaker,
  parts: readonly SalesPart[],
  options: { expenses: boolean },
): Static<typeof Note> {
  const left = maker.leftOut(parts, options);
  const converted = maker.converted(parts).map(({ channel, currency, amount, adSpend }) => ({
    channel,
    currency,
    amount: formatDecimal(amount),
    ad_spend: formatDecimal(adSpend),
  }));
  const spend = left?.spend.map(({ amount, ...of }) => ({ ...of, ad_spend: formatDecimal(amount) }));
  return {
    ...(converted.length > 0 && { converted }),
    ...(left && spend && { currency_note: left.note, left_out: spend }),
  };
}
