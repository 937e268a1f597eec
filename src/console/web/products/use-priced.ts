import { useRef, useState } from 'preact/hooks';
import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import { change, shopApi } from '../shared/api.js';
import { useAction } from '../shared/frame.js';

/** A unit cost that was entered. */
interface Priced {
  sku: string;
  unit_cost: string;
  effective_from: string | null;
}

/** Unit costs of a shop that are tried before they are saved. */
export function usePriced(shop: string) {
  const [tried, setTried] = useState<ProductCostBatchResult | null>(null);
  /** Requests so far: of one that another follows, the answer may come after the other's. */
  const requests = useRef(0);
  const { busy, failure, run } = useAction();
  const send = (costs: readonly Priced[], query = '') =>
    change<ProductCostBatchResult>(shopApi(shop, `/v1/products/costs${query}`), { costs }, 'PUT');
  return {
    tried,
    busy,
    failure,
    /** Asks what they would change. */
    look: (costs: readonly Priced[]) =>
      run(async () => {
        const request = ++requests.current;
        const answer = costs.length === 0 ? null : await send(costs, '?validate_only=1');
        if (request === requests.current) setTried(answer);
      }),
    save: (costs: readonly Priced[], onSaved: (receipt: string, count: number) => void) =>
      run(async () => {
        requests.current++;
        const answer = await send(costs);
        setTried(answer.receipt === undefined ? answer : null);
        if (answer.receipt !== undefined) onSaved(answer.receipt, answer.accepted);
      }),
  };
}
