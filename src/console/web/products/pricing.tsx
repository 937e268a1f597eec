import { useRef, useState } from 'preact/hooks';
import type { View } from '../app/view.js';
import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import type { Product } from '../../../schemas/products.js';
import { Amount } from '../shared/amount.js';
import { change, shopApi } from '../shared/api.js';
import { Trouble, useAction } from '../shared/frame.js';
import { formatCount } from '../shared/money.js';
import { PricingRow, type Draft } from './pricing-row.js';

interface Props {
  products: readonly Product[];
  count: number;
  view: View;
  onSaved: (receipt: string) => void;
}

type Drafts = Readonly<Record<string, Draft>>;
const EMPTY: Draft = { cost: '', from: '' };

/** Products that were sold without a cost: what is entered is tried first, and changes nothing until it is saved. */
export function Pricing({ products, count, view, onSaved }: Props) {
  const [drafts, setDrafts] = useState<Drafts>({});
  const [tried, setTried] = useState<ProductCostBatchResult | null>(null);
  const [saved, setSaved] = useState('');
  /** Requests so far: of one that another follows, the answer may come after the other's. */
  const requests = useRef(0);
  const { busy, failure, run } = useAction();
  const { currency, shop } = view;

  const send = async (entered: Drafts, isTrial: boolean): Promise<void> => {
    const request = ++requests.current;
    const costs = Object.entries(entered)
      .filter(([, { cost }]) => cost !== '')
      .map(([sku, { cost, from }]) => ({ sku, unit_cost: cost, effective_from: from === '' ? null : from }));
    if (costs.length === 0) {
      setTried(null);
      return;
    }
    const path = shopApi(shop, `/v1/products/costs${isTrial ? '?validate_only=1' : ''}`);
    const answer = await change<ProductCostBatchResult>(path, { costs }, 'PUT');
    if (isTrial && request !== requests.current) return;
    if (isTrial || answer.receipt === undefined) {
      setTried(answer);
      return;
    }
    setDrafts({});
    setTried(null);
    setSaved(`${formatCount(answer.accepted)} ${answer.accepted === 1 ? 'cost' : 'costs'} saved. The figures follow.`);
    onSaved(answer.receipt);
  };
  const enter = (sku: string, draft: Draft): void => setDrafts({ ...drafts, [sku]: draft });
  const settle = (sku: string, draft: Draft): void => {
    const entered = { ...drafts, [sku]: draft };
    setDrafts(entered);
    setSaved('');
    void run(() => send(entered, true));
  };
  const entered = Object.values(drafts).filter(({ cost }) => cost !== '').length;
  const effect = tried?.preview?.net_profit_change;
  return (
    <section class="panel flush" aria-labelledby="pricing">
      <div class="panel-head">
        <h2 id="pricing">
          {formatCount(count)} {count === 1 ? 'product' : 'products'} to price
        </h2>
        <button
          type="button"
          class="primary"
          disabled={busy || tried === null || tried.rejected > 0}
          onClick={() => void run(() => send(drafts, false))}
        >
          {entered === 0 ? 'Save' : `Save ${entered} ${entered === 1 ? 'cost' : 'costs'}`}
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
                Holds from
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
                onSettle={settle}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p class="panel-foot" role="status">
        Those first that most revenue waits for.{' '}
        {effect !== undefined && tried?.preview !== undefined && (
          <strong>
            {tried.accepted} entered: net profit changes by{' '}
            <span data-preview="all">
              <Amount value={effect} currency={currency} signed />
            </span>{' '}
            on {formatCount(tried.preview.days)} {tried.preview.days === 1 ? 'day' : 'days'}, all days counted.
          </strong>
        )}
        {saved}
      </p>
      {failure !== null && <Trouble failure={failure} />}
    </section>
  );
}
