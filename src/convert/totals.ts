import { formatMoney, ONE, total } from './amounts.js';
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

/** Both sums, for the person who looks for the difference. */
export function residualText(sale: Sale): string {
  const computed = computedTotal(sale) / ONE;
  const difference = sale.total - computed;
  return (
    `The parts of the order give ${formatMoney(computed)} and its total is ${formatMoney(sale.total)}: ` +
    `${formatMoney(difference)} is not explained.`
  );
}
