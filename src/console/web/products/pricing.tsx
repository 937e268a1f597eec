import { useState } from 'preact/hooks';
import type { View } from '../app/view.js';
import type { Product } from '../../../schemas/products.js';
import { FailureNotice } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { PricedEffect } from './priced-effect.js';
import { PricingRow, type Draft } from './pricing-row.js';
import { usePriced } from './use-priced.js';

interface Props {
  products: readonly Product[];
  count: number;
  view: View;
  onSaved: (receipt: string) => void;
}

type Drafts = Readonly<Record<string, Draft>>;
const EMPTY: Draft = { cost: '', from: '' };

const pricesOf = (drafts: Drafts) =>
  Object.entries(drafts)
    .filter(([, { cost }]) => cost !== '')
    .map(([sku, { cost, from }]) => ({ sku, unit_cost: cost, effective_from: from === '' ? null : from }));

/** Products that were sold without a cost: what is entered is tried first, and changes nothing until it is saved. */
export function Pricing({ products, count, view, onSaved }: Props) {
  const [drafts, setDrafts] = useState<Drafts>({});
  const [saved, setSaved] = useState('');
  const { currency, shop } = view;
  const entered = pricesOf(drafts);
  const { tried, busy, failure, isRefused, save } = usePriced(shop, entered);
  const enter = (sku: string, draft: Draft): void => {
    setDrafts({ ...drafts, [sku]: draft });
    setSaved('');
  };
  const keep = () =>
    save((receipt, count) => {
      setDrafts({});
      setSaved(`${formatCount(count)} ${count === 1 ? 'cost' : 'costs'} saved. The figures follow.`);
      onSaved(receipt);
    });
  return (
    <section class="panel flush" aria-labelledby="pricing">
      <div class="panel-head">
        <h2 id="pricing">
          {formatCount(count)} {count === 1 ? 'product' : 'products'} to price
        </h2>
        <button type="button" class="primary" disabled={busy || isRefused} onClick={() => void keep()}>
          {entered.length === 0 ? 'Save' : `Save ${entered.length} ${entered.length === 1 ? 'cost' : 'costs'}`}
        </button>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Products to price, table">
        <table>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col" class="number opt">
                Sold without a cost
              </th>
              <th scope="col" class="number wide-only">
                Sold for
              </th>
              <th scope="col">Unit cost</th>
              <th scope="col" class="wide-only">
                Valid from
              </th>
              <th scope="col" class="number">
                Net profit changes by
              </th>
            </tr>
          </thead>
          <tbody>
            {products.map((product) => (
              <PricingRow
                key={product.sku}
                product={product}
                currency={currency}
                draft={drafts[product.sku ?? ''] ?? EMPTY}
                tried={tried}
                onInput={enter}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p class="panel-foot" role="status">
        Those first that most revenue waits for. <PricedEffect tried={tried} currency={currency} />
        {saved}
      </p>
      {failure !== null && <FailureNotice failure={failure} />}
    </section>
  );
}
