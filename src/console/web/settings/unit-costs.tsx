import { useState } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import type { ProductCostPage } from '../../../schemas/product-costs.js';
import type { ProductsResponse } from '../../../schemas/products.js';
import { pathOf, uploadPath } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { CsvLink } from '../shared/csv-link.js';
import { formatDay, formatMoment } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { formatCount, formatExactMoney } from '../shared/money.js';
import { Icon } from '../shared/icon.js';
import { numbers, Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';
import { Progress } from '../upload/progress.js';
import { AddCost } from './add-cost.js';

const PAGE = 100;

/** The unit costs that are stored, by SKU and day. */
export function UnitCosts({ shop }: { shop: Shop }) {
  /** Of the pages before, so that the last one is known again. */
  const [places, setPlaces] = useState<readonly string[]>([]);
  const after = places.at(-1);
  const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  const loaded = useRead<ProductCostPage>(shopApi(shop.shop_id, `/v1/products/costs?limit=${PAGE}${query}`));
  const [isAdding, setIsAdding] = useState(false);
  /** Of the cost that was added last. */
  const [receipt, setReceipt] = useState<string | null>(null);
  /** Of the last 30 days. */
  const unpriced = useRead<ProductsResponse>(shopApi(shop.shop_id, '/v1/products?missing_cost=1&limit=1'));
  const isKnown = unpriced.data !== null || unpriced.failure !== null;
  return (
    <>
      {receipt !== null && <Progress key={receipt} shop={shop.shop_id} receipt={receipt} onStep={loaded.reload} />}
      <section class="panel flush" aria-labelledby="unit-costs">
        <div class="panel-head">
          <h2 id="unit-costs">Unit costs</h2>
          <div class="row">
            <CsvLink shop={shop.shop_id} path="/v1/products/costs" label="Download as CSV" />
            <button type="button" class="primary" onClick={() => setIsAdding(true)}>
              Add a cost
            </button>
          </div>
        </div>
        <div class="filters">
          <span class="note">Upload a CSV:</span>
          <a class="button" href={uploadPath(shop.shop_id, 'costs')}>
            Unit costs
          </a>
          <a class="button" href={uploadPath(shop.shop_id, 'orders')}>
            Costs of orders
          </a>
          <a class="button" href={uploadPath(shop.shop_id, 'spend')}>
            Ad spend
          </a>
        </div>
        <Answer of={isKnown ? loaded : { ...loaded, data: null }} what="unit costs" rows={8}>
          {({ costs, next }) => (
            <>
              <Unpriced shop={shop.shop_id} count={unpriced.data?.count ?? 0} />
              {costs.length === 0 ? (
                <p class="empty">No unit cost is stored. Products that were sold are priced under Products.</p>
              ) : (
                <Table
                  label="Unit costs"
                  folds
                  columns={[...words('SKU'), ...numbers('Unit cost'), ...words('Valid from', 'Set')]}
                >
                  {costs.map(({ sku, unit_cost, effective_from, currency, received_at }) => (
                    <tr key={`${sku} ${effective_from ?? ''}`}>
                      <th scope="row" class="wide">
                        {sku}
                      </th>
                      <td class="number">{formatExactMoney(unit_cost, currency)}</td>
                      <td>{effective_from === null ? 'the start' : formatDay(effective_from)}</td>
                      <td>{formatMoment(received_at)}</td>
                    </tr>
                  ))}
                </Table>
              )}
              <div class="pager">
                <span>A new cost with a later day leaves the days before as they are.</span>
                <button type="button" disabled={places.length === 0} onClick={() => setPlaces(places.slice(0, -1))}>
                  Before
                </button>
                <button
                  type="button"
                  disabled={next === undefined}
                  onClick={() => next !== undefined && setPlaces([...places, next])}
                >
                  Next
                </button>
              </div>
            </>
          )}
        </Answer>
        {isAdding && (
          <AddCost
            shop={shop.shop_id}
            currency={shop.currency ?? 'EUR'}
            onClose={() => setIsAdding(false)}
            onSaved={(given) => {
              setIsAdding(false);
              setReceipt(given);
            }}
          />
        )}
      </section>
    </>
  );
}

function Unpriced({ shop, count }: { shop: string; count: number }) {
  if (count === 0) return null;
  return (
    <p class="notice bar">
      <Icon name="warn" />
      <span>
        <strong>
          {formatCount(count)} {count === 1 ? 'product was' : 'products were'} sold without a cost
        </strong>{' '}
        in the last 30 days. <a href={`${pathOf(shop, 'products')}?missing_cost=1`}>Price them</a>
      </span>
    </p>
  );
}
