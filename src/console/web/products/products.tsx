import { useState } from 'preact/hooks';
import { linkHere, linkTo, pathOf, uploadPath } from '../app/address.js';
import { FILTERS } from '../app/csv-path.js';
import type { View } from '../app/view.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { shopApi } from '../shared/api.js';
import { Chip } from '../shared/chip.js';
import { Answer } from '../shared/frame.js';
import { formatExactMoney, micros } from '../shared/money.js';
import { Pager } from '../shared/pager.js';
import { Search } from '../shared/search.js';
import { isOld, useRead } from '../shared/use-read.js';
import { useMay } from '../shared/signed-in.js';
import { Pricing } from './pricing.js';
import { ProductTable } from './product-table.js';

const PAGE = 25;

/** What earns, and what has to be priced first. */
export function Products({ view }: { view: View }) {
  const { shop, from, to, address } = view;
  /** Of the costs that were saved last: what is read then contains them. */
  const [receipt, setReceipt] = useState<string | null>(null);
  const query = new URLSearchParams({ from, to, limit: String(PAGE) });
  for (const name of [...FILTERS.products, 'cursor']) {
    const value = address.query.get(name);
    if (value !== null) query.set(name, value);
  }
  const after = receipt === null ? '' : `&after=${encodeURIComponent(receipt)}`;
  const answer = useRead<ProductsResponse>(shopApi(shop, `/v1/products?${query.toString()}${after}`));
  const unpriced = useRead<ProductsResponse>(
    shopApi(shop, `/v1/products?from=${from}&to=${to}&missing_cost=1&limit=${PAGE}${after}`),
  );
  const isManager = useMay('manager');
  const isKnown = unpriced.data !== null || unpriced.failure !== null;
  return (
    <div class="stack">
      <Answer of={unpriced} what="products without a cost">
        {({ products, count }) =>
          count > 0 && isManager && <Pricing products={products} count={count} view={view} onSaved={setReceipt} />
        }
      </Answer>
      {isKnown && (
        <section
          class={isOld(answer) ? 'panel flush stale' : 'panel flush'}
          aria-labelledby="all-products"
          aria-busy={answer.loading}
        >
          <div class="panel-head">
            <h2 id="all-products">All products</h2>
            <a class="button" href={uploadPath(shop, 'costs')}>
              Upload a CSV
            </a>
          </div>
          <div class="filters">
            <Search
              label="Find a product by the beginning of its name or SKU"
              placeholder="Name or SKU"
              value={address.query.get('q') ?? ''}
              hrefOf={(q) => linkHere(address, { q })}
            />
            <Chip address={address} name="loss" label="Sold at a loss" />
            <Chip address={address} name="missing_cost" label="Costs missing" />
          </div>
          <Answer of={answer} what="products" rows={12}>
            {(page) => (
              <>
                {page.products.length === 0 ? (
                  <p class="empty">No product of these days is found by this.</p>
                ) : (
                  <ProductTable page={page} view={view} />
                )}
                <Pager
                  address={address}
                  next={page.next}
                  size={PAGE}
                  listed={{ shown: page.products.length, count: page.count, one: 'product' }}
                />
                <p class="panel-foot">
                  Of goods alone: shipping, tips, discounts of whole orders and added tax belong to no product.{' '}
                  {micros(page.refunds_without_product) !== 0n && (
                    <>
                      Refunds that name no product,{' '}
                      <a href={linkTo(address, pathOf(shop, 'overview'), { figure: 'refunds', view: 'entries' })}>
                        {formatExactMoney(page.refunds_without_product, view.currency)}
                      </a>
                      , are in net profit and not in this list.
                    </>
                  )}
                </p>
              </>
            )}
          </Answer>
        </section>
      )}
    </div>
  );
}
