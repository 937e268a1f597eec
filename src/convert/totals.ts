import { formatMoney, ONE, total } from './amounts.js';
import { hold, type HoldError } from './holds.js';
import type { Sale } from './sale.js';

/** Price × quantity, in 10^-12. */
export function gross({ price, quantity }: { price: bigint; quantity: bigint }): bigint {
  return price * quantity;
}

/** What the parts of a sale give, in 10^-12. */
export function computedTotal(sale: Omit<Sale, 'total'>): bigint {
  const goods = total(sale.lines.map((line) => gross(line) - line.discount * ONE));
  const added = sale.shipping + sale.tips + sale.duties + sale.rounding + (sale.taxesIncluded ? 0n : sale.tax);
  return goods + (added - sale.discounts) * ONE;
}

/** How far the total is above what the parts give, in 10^-12. */
export function residualOf(sale: Sale): bigint {
  return sale.total * ONE - computedTotal(sale);
}

/** A total that its parts do not give, with both sums for the person who looks for the difference. */
export function residualHold(sale: Sale): HoldError {
  const parts = computedTotal(sale) / ONE;
  const [computed, supplied] = [formatMoney(parts), formatMoney(sale.total)];
  const difference = formatMoney(sale.total - parts);
  const message = `The parts of the order give ${computed} and its total is ${supplied}: ${difference} is not explained.`;
  return hold('sum_residual', 'total', message, { computed, supplied });
}
