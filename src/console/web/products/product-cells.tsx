import type { ProductTotals } from '../../../schemas/products.js';
import { Amount } from '../shared/amount.js';
import { formatPercent, formatQuantity, micros, negated } from '../shared/money.js';

/** The figures of a product, or of several; what is not known is neither 0 nor 100 %. */
export function ProductCells({ sums, currency }: { sums: ProductTotals; currency: string }) {
  const unknown = micros(sums.units_without_cost) !== 0n;
  const nothing = unknown && micros(sums.cogs) === 0n;
  return (
    <>
      <td class="number wide-only">{formatQuantity(sums.units_sold)}</td>
      <td class="number opt">{formatQuantity(sums.units_refunded)}</td>
      <td class="number wide-only">
        <Amount value={sums.revenue} currency={currency} />
      </td>
      <td class="number opt">
        <Amount value={negated(sums.refunds)} currency={currency} />
      </td>
      <td class="number wide-only">
        {nothing ? (
          <span class="soft">not known</span>
        ) : (
          <>
            {unknown && <span class="soft">not all known </span>}
            <Amount value={negated(sums.cogs)} currency={currency} />
          </>
        )}
      </td>
      <td class="number opt">
        {sums.gross_margin === null ? (
          <span class="soft">{unknown ? 'not known' : 'no revenue'}</span>
        ) : (
          formatPercent(sums.gross_margin)
        )}
      </td>
      <td class="number">
        {unknown && <span class="soft">at most </span>}
        <Amount value={sums.gross_profit} currency={currency} />
        <span class="sub phone-only">
          of <Amount value={sums.revenue} currency={currency} />
        </span>
      </td>
    </>
  );
}
