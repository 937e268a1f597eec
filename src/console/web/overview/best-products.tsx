import { linkTo, pathOf } from '../app/address.js';
import type { View } from '../app/view.js';
import type { Product, ProductsResponse } from '../../../schemas/products.js';
import { Amount } from '../shared/amount.js';
import { Answer } from '../shared/frame.js';
import { formatPercent, formatQuantity, micros } from '../shared/money.js';
import type { Loaded } from '../shared/use-read.js';

/** The products with the highest gross profit. */
export function BestProducts({ view, best }: { view: View; best: Loaded<ProductsResponse> }) {
  const { shop, address, currency } = view;
  const products = pathOf(shop, 'products');
  return (
    <section class="panel flush" aria-labelledby="best">
      <div class="panel-head">
        <h2 id="best">Products that earned most</h2>
        <a href={linkTo(address, products, { sort: 'gross_profit' })}>All products</a>
      </div>
      <div class="few">
        <Answer of={best} what="products" rows={8}>
          {(page) =>
            page.products.length === 0 ? (
              <p class="soft">Nothing was sold on these days.</p>
            ) : (
              <ul class="list">
                {page.products.map((product) => (
                  <li key={product.sku}>
                    <span>
                      <a class="door" href={linkTo(address, products, { q: product.sku })}>
                        {product.title ?? product.sku ?? 'Lines without a SKU'}
                      </a>
                      <span class="sub">{aboutOf(product)}</span>
                    </span>
                    <span>
                      {micros(product.units_without_cost) !== 0n && <span class="soft">at most </span>}
                      <Amount value={product.gross_profit} currency={currency} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </div>
    </section>
  );
}

function aboutOf({ sku, title, units_sold, gross_margin }: Product): string {
  const margin = gross_margin === null ? 'margin not known' : `${formatPercent(gross_margin)} margin`;
  const number = title === undefined || sku === null ? [] : [sku];
  return [...number, `${formatQuantity(units_sold)} sold`, margin].join(' · ');
}
