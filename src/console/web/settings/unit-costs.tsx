import { useState } from 'preact/hooks';
import type { Shop } from '../../../schemas/app.js';
import type { ProductCostPage } from '../../../schemas/product-costs.js';
import { uploadPath } from '../app/address.js';
import { shopApi } from '../shared/api.js';
import { formatDay } from '../shared/days.js';
import { Answer } from '../shared/frame.js';
import { formatExactMoney } from '../shared/money.js';
import { numbers, Table, words } from '../shared/table.js';
import { useRead } from '../shared/use-read.js';

const PAGE = 100;

/** The unit costs that are stored, by SKU and day. */
export function UnitCosts({ shop }: { shop: Shop }) {
  /** Of the pages before, so that the last one is known again. */
  const [places, setPlaces] = useState<readonly string[]>([]);
  const after = places.at(-1);
  const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  const loaded = useRead<ProductCostPage>(shopApi(shop.shop_id, `/v1/products/costs?limit=${PAGE}${query}`));
  return (
    <section class="panel flush" aria-labelledby="unit-costs">
      <div class="panel-head">
        <h2 id="unit-costs">Unit costs</h2>
        <div class="row">
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
      </div>
      <Answer of={loaded} what="unit costs" rows={8}>
        {({ costs, next }) => (
          <>
            {costs.length === 0 ? (
              <p class="empty">No unit cost is stored. Products that were sold are priced under Products.</p>
            ) : (
              <Table
                label="Unit costs"
                folds
                columns={[...words('SKU'), ...numbers('Unit cost'), ...words('Holds from')]}
              >
                {costs.map(({ sku, unit_cost, effective_from, currency }) => (
                  <tr key={`${sku} ${effective_from ?? ''}`}>
                    <th scope="row" class="wide">
                      {sku}
                    </th>
                    <td class="number">{formatExactMoney(unit_cost, currency)}</td>
                    <td>{effective_from === null ? 'the start' : formatDay(effective_from)}</td>
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
    </section>
  );
}
