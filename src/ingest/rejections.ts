import type { TSchema } from 'typebox';
import type { IngestKind, Sender } from '../domain/ingest.js';
import { redactId } from '../domain/personal/redact.js';
import { MS_PER_HOUR } from '../domain/time.js';
import type { ErrorDetail } from '../errors.js';
import type { RejectionsPush } from '../queue/jobs.js';
import type { SpendRejectionBudget } from '../redis/rejection-budget.js';
import { ExpenseInput } from '../schemas/expenses.js';
import { Order } from '../schemas/orders.js';
import { ProductCostInput } from '../schemas/product-costs.js';
import { SpendRow } from '../schemas/spend.js';
import { encodeRejections, type RejectedRow } from '../warehouse/columns/rejections.js';
import type { GroupCommit } from './group-commit.js';
import { keptErrors, keptPayload, type ItemSchema } from './redacted-payload.js';

/** The rejected items of one push. */
export interface RejectedItems {
  /** Copies what may be kept of an item, so that the item itself is needed no longer. */
  add(position: number, id: string | null, item: unknown, errors: readonly ErrorDetail[]): void;
  /**
   * Puts them into the durable queue as far as the shop's budget of the hour reaches. Never rejects: the sender has their
   * faults in the answer, and what was accepted besides them must not fail for a list of what was not.
   */
  keep(batchId: string): Promise<void>;
}

export type OpenRejections = (sender: Sender, kind: IngestKind) => RejectedItems;

export interface RejectionsDeps {
  commit: GroupCommit<RejectionsPush>;
  spend: SpendRejectionBudget;
  now: () => number;
}

/** Bytes of rejected items that are kept of a shop an hour, and of one push. */
const HOUR_BYTES = 4 * 1024 * 1024;
const PUSH_BYTES = 1024 * 1024;
/** What a row takes besides its texts. */
const ROW_BYTES = 200;
/** Shops that are remembered to have spent their hour. */
const MAX_SPENT = 10_000;

/** The schema of the payload; of browser events none is kept. */
const SCHEMAS: Record<Exclude<IngestKind, 'events'>, TSchema> = {
  orders: Order,
  spend: SpendRow,
  product_costs: ProductCostInput,
  expenses: ExpenseInput,
};

export function createRejections({ commit, spend, now }: RejectionsDeps): OpenRejections {
  let spent = { hour: 0, shops: new Set<string>() };
  const hourNow = (): number => {
    const hour = Math.floor(now() / MS_PER_HOUR);
    if (hour !== spent.hour || spent.shops.size > MAX_SPENT) spent = { hour, shops: new Set() };
    return hour;
  };

  return (sender, kind) => {
    const { shopId } = sender;
    const rows: RejectedRow[] = [];
    const schema: ItemSchema | undefined = kind === 'events' ? undefined : SCHEMAS[kind];
    let bytes = 0;

    return {
      add(position, id, item, errors) {
        hourNow();
        if (bytes >= PUSH_BYTES || spent.shops.has(shopId)) return;
        const kept = keptErrors(errors);
        const payload = schema === undefined ? { text: '', isCut: false } : keptPayload(item, schema);
        const codes = [...new Set(errors.map(({ code }) => code))];
        const row = { errors: kept.text, payload: payload.text, isCut: kept.isCut || payload.isCut };
        rows.push({ position, id: redactId(id), codes, ...row });
        bytes += sizeOf(row);
      },
      async keep(batchId) {
        if (rows.length === 0) return;
        try {
          const hour = hourNow();
          const before = await spend(shopId, hour, bytes);
          if (before + bytes >= HOUR_BYTES) spent.shops.add(shopId);
          const fits = firstOf(rows, HOUR_BYTES - before);
          if (fits.length === 0) return;
          const encoded = encodeRejections({ sender, kind, batchId, receivedAt: now(), rows: fits });
          await commit.add({ header: { shop_id: shopId, batch_id: batchId } }, [encoded], fits.length);
        } catch {
          // See above.
        }
      },
    };
  };
}

const sizeOf = ({ errors, payload }: Pick<RejectedRow, 'errors' | 'payload'>): number =>
  ROW_BYTES + errors.length + payload.length;

function firstOf(rows: readonly RejectedRow[], bytes: number): readonly RejectedRow[] {
  let left = bytes;
  const end = rows.findIndex((row) => (left -= sizeOf(row)) < 0);
  return end === -1 ? rows : rows.slice(0, end);
}
