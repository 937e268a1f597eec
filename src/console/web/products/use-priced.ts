import { useEffect, useState } from 'preact/hooks';
import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import { change, shopApi } from '../shared/api.js';
import { useAction } from '../shared/frame.js';

/** A unit cost that was entered. */
interface Priced {
  sku: string;
  unit_cost: string;
  effective_from: string | null;
}

/** A pause in typing after which is asked what the costs would change. */
const PAUSE_MS = 400;

/** Unit costs of a shop, which are tried while they are entered. */
export function usePriced(shop: string, costs: readonly Priced[]) {
  const entered = JSON.stringify(costs);
  const [answer, setAnswer] = useState<{ to: string; result: ProductCostBatchResult } | null>(null);
  const trial = useAction();
  const { busy, failure, run } = useAction();
  const send = (query = '') =>
    change<ProductCostBatchResult>(shopApi(shop, `/v1/products/costs${query}`), { costs }, 'PUT');
  const tryNow = () => send('?validate_only=1');
  /** Of what is entered now. */
  const tried = answer?.to === entered ? answer.result : null;
  useEffect(() => {
    if (costs.length === 0) return;
    let isLatest = true;
    const timer = setTimeout(
      () =>
        void trial.run(async () => {
          const result = await tryNow();
          if (isLatest) setAnswer({ to: entered, result });
        }),
      PAUSE_MS,
    );
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [entered]);
  return {
    tried,
    /** They are being saved. */
    busy,
    failure: failure ?? trial.failure,
    /** Nothing is entered, or some of it is refused. */
    isRefused: costs.length === 0 || (tried !== null && tried.rejected > 0),
    /** Saves all, or none where one is refused. */
    save: (onSaved: (receipt: string, count: number) => void) =>
      run(async () => {
        const found = tried ?? (await tryNow());
        const result = found.rejected > 0 ? found : await send();
        setAnswer({ to: entered, result });
        if (found.rejected === 0 && result.receipt !== undefined) onSaved(result.receipt, result.accepted);
      }),
  };
}
