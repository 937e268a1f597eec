import { randomUUID } from 'node:crypto';
import { checkExpenseRules, type Expense, type ExpenseFields } from '../domain/expenses.js';
import type { IngestHeader } from '../domain/ingest.js';
import { parseDay } from '../domain/time.js';
import { requestError, RequestError, type ErrorDetail } from '../errors.js';
import type { ExpenseRegistry } from '../registry/expenses.js';
import type { SourceRegistry } from '../registry/sources.js';
import {
  expenseUpdateValidator,
  expenseValidator,
  type ExpenseInput,
  type ExpenseUpdate,
} from '../schemas/expenses.js';
import { storeUnavailable } from '../warehouse/client.js';
import { ingestHeader } from './batch.js';

export interface ExpenseIntakeDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  writeLog: (headers: readonly IngestHeader[]) => Promise<void>;
  now: () => number;
}

/**
 * Takes pushes of expenses, which are stored before they are answered. Both throw all faults of the body at once,
 * `source_not_registered` and `store_unavailable`; every push is logged, the refused ones too.
 */
export interface TakeExpense {
  /** Creates or replaces by `external_id`. */
  upsert(shopId: string, body: unknown): Promise<{ expense: Expense; created: boolean }>;
  /** Replaces all fields of one that exists; throws `not_found` and `external_id_mismatch` besides. */
  update(shopId: string, externalId: string, body: unknown): Promise<Expense>;
}

export function createExpenseIntake({ sources, expenses, writeLog, now }: ExpenseIntakeDeps): TakeExpense {
  const log = (shopId: string, errors: ErrorDetail[]): Promise<void> => {
    const item = errors.length === 0 ? { item: true, errors } : { errors };
    return writeLog([ingestHeader({ shopId, kind: 'expenses', batchId: randomUUID(), nowMs: now() }, [item])]);
  };

  const refuse = async (shopId: string, [first, ...rest]: [ErrorDetail, ...ErrorDetail[]]): Promise<never> => {
    // The client hears of its faults even while nothing can be written.
    await log(shopId, [first, ...rest]).catch(() => undefined);
    throw new RequestError([first, ...rest]);
  };

  const accept = (shopId: string): Promise<void> =>
    log(shopId, []).catch((error: unknown) => {
      throw storeUnavailable(error);
    });

  return {
    async upsert(shopId, body) {
      await sources.require(shopId);
      const [first, ...rest] = [...expenseValidator.check(body), ...checkExpenseRules(body)];
      if (first !== undefined) return refuse(shopId, [first, ...rest]);
      const input = body as ExpenseInput;
      const result = await expenses.upsert(shopId, input.external_id, toFields(input));
      await accept(shopId);
      return result;
    },
    async update(shopId, externalId, body) {
      await sources.require(shopId);
      const [first, ...rest] = [
        ...expenseUpdateValidator.check(body),
        ...checkExpenseRules(body),
        ...checkExternalId(body, externalId),
      ];
      if (first !== undefined) return refuse(shopId, [first, ...rest]);
      const expense = await expenses.replace(shopId, externalId, toFields(body as ExpenseUpdate));
      if (expense === null) return refuse(shopId, [...unknownExpense(externalId).errors]);
      await accept(shopId);
      return expense;
    },
  };
}

export function unknownExpense(externalId: string): RequestError {
  return requestError('not_found', `There is no expense with the external_id ${externalId}.`);
}

function checkExternalId(body: unknown, externalId: string): ErrorDetail[] {
  const { external_id } = (body ?? {}) as Record<string, unknown>;
  if (typeof external_id !== 'string' || external_id === externalId) return [];
  const message = `external_id must be absent or that of the path, ${externalId}.`;
  return [{ code: 'external_id_mismatch', message, field: 'external_id' }];
}

function toFields(input: ExpenseInput | ExpenseUpdate): ExpenseFields {
  const { name, category, amount, currency, frequency, started_on, ended_on = null } = input;
  return {
    name,
    category,
    amount,
    currency,
    frequency,
    startedOn: parseDay(started_on) ?? 0,
    endedOn: ended_on === null ? null : parseDay(ended_on),
    countsAsAdSpend: input.counts_as_ad_spend ?? false,
  };
}
