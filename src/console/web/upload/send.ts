import { change, Failure, shopApi, type Fault } from '../shared/api.js';
import { addMoney } from '../shared/money.js';
import type { TakenExpense } from '../../../schemas/expenses.js';
import type { OrderCostBatchResult } from '../../../schemas/order-costs.js';
import type { ProductCostBatchResult } from '../../../schemas/product-costs.js';
import type { SpendBatchResult } from '../../../schemas/spend.js';
import type { UploadKind } from './kinds.js';
import { batchesOf, type UploadLine } from './lines.js';

type BatchResult = ProductCostBatchResult | OrderCostBatchResult | SpendBatchResult | LineResult;

/** Of a line that is a request of its own. */
interface LineResult {
  accepted: number;
  receipt?: string;
  results: readonly { errors?: readonly Fault[]; order_id?: string | null; warnings?: readonly { code: string }[] }[];
}

/** What became of the lines that were sent. */
export interface Sent {
  accepted: number;
  /** Why lines were refused, by line. */
  refused: ReadonlyMap<number, string>;
  /** What net profit would change by, of all and by SKU; null where the service doesn't say. */
  effect: string | null;
  effects: ReadonlyMap<string, string>;
  /** Days that would change; null where several requests say it each for itself. */
  days: number | null;
  /** Orders whose costs wait for them. */
  unknown: readonly string[];
  /** Of the last push. */
  receipt: string | null;
}

/** Sends all lines that can be sent, or asks what they would change. Sending them again changes nothing. */
export async function sendLines(
  kind: UploadKind,
  shop: string,
  lines: readonly UploadLine[],
  isTrial: boolean,
  onSent?: (count: number) => void,
): Promise<Sent> {
  const refused = new Map<number, string>();
  const effects = new Map<string, string>();
  const unknown = new Set<string>();
  let accepted = 0;
  let effect: string | null = null;
  let days: number | null = null;
  let receipt: string | null = null;
  let sent = 0;
  const batches = batchesOf(lines, kind);
  for (const batch of batches) {
    const answer = await sendBatch(kind, shop, batch, isTrial);
    onSent?.((sent += batch.length));
    accepted += answer.accepted;
    receipt = answer.receipt ?? receipt;
    answer.results.forEach(({ errors = [] }, i) => {
      const line = batch[i];
      if (line !== undefined && errors.length > 0) refused.set(line.line, errors.map((one) => one.message).join(' '));
    });
    for (const result of answer.results) {
      if (!('warnings' in result) || typeof result.order_id !== 'string') continue;
      if (result.warnings.some(({ code }) => code === 'order_unknown')) unknown.add(result.order_id);
    }
    if (!('preview' in answer)) continue;
    const { preview } = answer;
    effect = addMoney(effect ?? '0', preview.net_profit_change);
    days = batches.length === 1 ? preview.days : null;
    for (const { sku, net_profit_change } of preview.costs) {
      effects.set(sku, addMoney(effects.get(sku) ?? '0', net_profit_change));
    }
  }
  return { accepted, refused, effect, effects, days, unknown: [...unknown], receipt };
}

function sendBatch(
  { path, method, list }: UploadKind,
  shop: string,
  batch: readonly UploadLine[],
  isTrial: boolean,
): Promise<BatchResult> {
  const to = shopApi(shop, `${path}${isTrial ? '?validate_only=1' : ''}`);
  const items = batch.map(({ item }) => item);
  if (list !== null) return change<BatchResult>(to, { [list]: items }, method);
  return change<TakenExpense>(to, items[0], method).then(
    ({ receipt }) => ({ accepted: 1, receipt, results: [] }),
    (error: unknown) => {
      if (error instanceof Failure && error.status === 400) return { accepted: 0, results: [{ errors: error.faults }] };
      throw error;
    },
  );
}
