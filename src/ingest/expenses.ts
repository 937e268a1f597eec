import { checkExpenseRules, type Expense } from '../domain/costs/expenses.js';
import { fieldsOf } from '../domain/fields.js';
import type { IngestHeader, Sender } from '../domain/ingest.js';
import { echo, requestError, RequestError, supplied, type ErrorDetail } from '../errors.js';
import { tooManyExpenses, type ExpenseRegistry } from '../repositories/expenses.js';
import type { SourceRegistry } from '../repositories/sources.js';
import {
  expenseUpdateValidator,
  expenseValidator,
  readExpense,
  type ExpenseInput,
  type ExpenseUpdate,
} from '../schemas/expenses.js';
import { ingestHeader, logChange, newBatchId } from './batch.js';
import type { OpenRejections } from './rejections.js';

export interface ExpenseIntakeDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  writeLog: (headers: readonly IngestHeader[]) => Promise<void>;
  openRejections: OpenRejections;
  now: () => number;
}

/**
 * Takes pushes of expenses, which are stored before they are answered. Both throw all faults of the body at once,
 * `source_not_registered` and `store_unavailable`; every push is logged, the refused ones too.
 */
export interface TakeExpense {
  /** Creates or replaces by `external_id`. */
  upsert(sender: Sender, body: unknown): Promise<{ expense: Expense; created: boolean; receipt: string }>;
  /** Replaces all fields of one that exists; throws `not_found` and `external_id_mismatch` besides. */
  update(sender: Sender, externalId: string, body: unknown): Promise<{ expense: Expense; receipt: string }>;
}

export function createExpenseIntake(deps: ExpenseIntakeDeps): TakeExpense {
  const { sources, expenses, writeLog, openRejections, now } = deps;

  const refuse = async (
    { sender, externalId, body }: RefusedPush,
    faults: [ErrorDetail, ...ErrorDetail[]],
  ): Promise<never> => {
    const batchId = newBatchId(now());
    const rejections = openRejections(sender, 'expenses');
    rejections.add(0, supplied(externalId), body, faults);
    // Faults are reported even while nothing can be written.
    const header = ingestHeader({ sender, kind: 'expenses', batchId, nowMs: now() }, [{ errors: faults }]);
    const logged = writeLog([header]).catch(() => undefined);
    await Promise.all([logged, rejections.keep(batchId)]);
    throw new RequestError(faults);
  };

  const accept = (sender: Sender, stamp: number): Promise<string> =>
    logChange({ sender, kind: 'expenses', stamp }, deps);

  return {
    async upsert(sender, body) {
      const { shopId } = sender;
      await sources.require(shopId);
      const [first, ...rest] = [...expenseValidator.check(body), ...checkExpenseRules(body)];
      const { external_id: externalId } = fieldsOf(body);
      if (first !== undefined) return refuse({ sender, externalId, body }, [first, ...rest]);
      const input = body as ExpenseInput;
      const taken = await expenses.upsert(shopId, input.external_id, readExpense(input));
      if (taken === null) return refuse({ sender, externalId, body }, [...tooManyExpenses().errors]);
      const { stamp, ...result } = taken;
      return { ...result, receipt: await accept(sender, stamp) };
    },
    async update(sender, externalId, body) {
      const { shopId } = sender;
      await sources.require(shopId);
      const [first, ...rest] = [
        ...expenseUpdateValidator.check(body),
        ...checkExpenseRules(body),
        ...checkExternalId(body, externalId),
      ];
      if (first !== undefined) return refuse({ sender, externalId, body }, [first, ...rest]);
      const replaced = await expenses.replace(shopId, externalId, readExpense(body as ExpenseUpdate));
      if (replaced === null) return refuse({ sender, externalId, body }, [...unknownExpense(externalId).errors]);
      const { expense, stamp } = replaced;
      return { expense, receipt: await accept(sender, stamp) };
    },
  };
}

interface RefusedPush {
  sender: Sender;
  externalId: unknown;
  body: unknown;
}

export function unknownExpense(externalId: string): RequestError {
  return requestError('not_found', `There is no expense with the external_id ${echo(externalId)}.`);
}

function checkExternalId(body: unknown, externalId: string): ErrorDetail[] {
  const { external_id } = fieldsOf(body);
  if (typeof external_id !== 'string' || external_id === externalId) return [];
  const message = `external_id must be absent or that of the path, ${echo(externalId)}.`;
  return [{ code: 'external_id_mismatch', message, field: 'external_id' }];
}
