import type { View } from '../app/view.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { SortHead } from '../shared/sort-head.js';
import { ProductCells } from './product-cells.js';
import { linkTo, pathOf } from '../app/address.js';

/** Products of a page below the sums of all that are found. */
export function ProductTable({ page, view }: { page: ProductsResponse; view: View }) {
  const { address, currency } = view;
  const usual = address.query.get('missing_cost') === '1' ? 'revenue_without_cost' : 'revenue';
  const head = (label: string, sort: string, extra = '') => (
    <SortHead address={address} label={label} sort={sort} usual={usual} class={extra} />
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Products, table">
      <table class="list-table">
        <thead>
          <tr>
            <th scope="col">Product</th>
            {head('Sold', 'units_sold', 'wide-only')}
            {head('Returned', 'units_refunded', 'opt')}
            {head('Revenue', 'revenue', 'wide-only')}
            {head('Refunds', 'refunds', 'opt')}
            {head('Product costs', 'cogs', 'wide-only')}
            <th scope="col" class="number opt">
              Margin
            </th>
            {head('Gross profit', 'gross_profit')}
          </tr>
        </thead>
        <tbody>
          <tr class="total">
            <th scope="row">All that are found</th>
            <ProductCells sums={page.totals} currency={currency} />
          </tr>
          {page.products.map((product) => (
            <tr key={product.sku}>
              <th scope="row">
                {product.sku === null ? (
                  'Lines without a SKU'
                ) : (
                  <a class="door" href={linkTo(address, pathOf(view.shop, 'orders'), { sku: product.sku })}>
                    {product.title ?? product.sku}
                  </a>
                )}
                {product.sku !== null && <span class="sub">{product.sku}</span>}
              </th>
              <ProductCells sums={product} currency={currency} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
