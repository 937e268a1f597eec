import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import type { Product } from '../../../schemas/products.js';
import { Amount } from '../shared/amount.js';
import { formatQuantity } from '../shared/money.js';

/** What is entered for a product. */
export interface Draft {
  cost: string;
  /** The first day; empty: from the start. */
  from: string;
}

interface Props {
  product: Product;
  currency: string;
  draft: Draft;
  tried: ProductCostBatchResult | null;
  onInput: (sku: string, draft: Draft) => void;
}

export function PricingRow({ product, currency, draft, tried, onInput }: Props) {
  const { sku } = product;
  const name = product.title ?? sku ?? '';
  const errors = tried?.results.find((result) => result.sku === sku)?.errors ?? [];
  const effect = tried?.preview?.costs.find((cost) => cost.sku === sku)?.net_profit_change;
  return (
    <tr>
      <th scope="row">
        {sku === null ? 'Lines without a SKU' : name}
        <span class="sub">{sku ?? 'send their unit cost with the order'}</span>
      </th>
      <td class="number opt">{formatQuantity(product.units_without_cost)}</td>
      <td class="number wide-only">
        <Amount value={product.revenue_without_cost} currency={currency} />
      </td>
      <td>
        {sku !== null && (
          <input
            class="cost"
            inputMode="decimal"
            autocomplete="off"
            aria-label={`Unit cost of ${name}, ${currency}`}
            aria-invalid={errors.length > 0}
            value={draft.cost}
            onInput={(event) => onInput(sku, { ...draft, cost: event.currentTarget.value.trim() })}
          />
        )}
        {errors.map(({ message }) => (
          <span key={message} class="sub wrong">
            {message}
          </span>
        ))}
      </td>
      <td class="wide-only">
        {sku !== null && (
          <input
            class="cost"
            type="date"
            aria-label={`First day of the cost of ${name}; empty: from the start`}
            value={draft.from}
            onInput={(event) => onInput(sku, { ...draft, from: event.currentTarget.value })}
          />
        )}
      </td>
      <td class="number" data-preview={sku}>
        {effect === undefined ? '–' : <Amount value={effect} currency={currency} signed />}
      </td>
    </tr>
  );
}
