import { hash, randomUUID } from 'node:crypto';
import type { Expense, ExpenseFields } from '../domain/costs/expenses.js';
import { requestError, type RequestError } from '../errors.js';
import type { ExpenseStore } from '../warehouse/queries/expenses.js';
import type { CostSettingsRegistry } from './cost-settings.js';

export interface ExpenseRegistryDeps {
  store: ExpenseStore;
  settings: Pick<CostSettingsRegistry, 'change'>;
}

/**
 * Recurring costs. The API manages its own expenses by external id and sees no others; the app sees all of them and uses the expense id.
 * Every change throws `store_unavailable` if a store is away. Once it resolved, the next read shows it.
 */
export interface ExpenseRegistry {
  /** The expenses that the API manages, by external id. */
  listManaged(shopId: string): Promise<Expense[]>;
  /** Creates or replaces the expense with this external id; null when the shop has {@link MAX_EXPENSES} others. */
  upsert(
    shopId: string,
    externalId: string,
    fields: ExpenseFields,
  ): Promise<{ expense: Expense; created: boolean; stamp: number } | null>;
  /** Null when there is none with this external id. */
  replace(
    shopId: string,
    externalId: string,
    fields: ExpenseFields,
  ): Promise<{ expense: Expense; stamp: number } | null>;
  /** False when there is none with this external id. */
  remove(shopId: string, externalId: string): Promise<boolean>;

  /** All expenses of the shop, those of the app last. */
  listAll(shopId: string): Promise<Expense[]>;
  /**
   * Makes an expense in the app: it has no external id, so the API never touches it. Null when the shop has
   * {@link MAX_EXPENSES}. With a key it makes one, however often it is called with it: the one that is there is given.
   */
  createInApp(
    shopId: string,
    fields: ExpenseFields,
    key?: string,
  ): Promise<{ expense: Expense; isNew: boolean } | null>;
  /** Replaces all fields; null when there is no such expense. */
  edit(shopId: string, expenseId: string, fields: ExpenseFields): Promise<Expense | null>;
  /** Sets the last day, inclusive; null: it goes on. Null when there is no such expense. */
  end(shopId: string, expenseId: string, lastDay: number | null): Promise<Expense | null>;
  /** False when there is no such expense. */
  removeById(shopId: string, expenseId: string): Promise<boolean>;
}

/** Expenses of a shop, at most: every read of figures goes through all of them. */
const MAX_EXPENSES = 5_000;

/** The error for a null of {@link ExpenseRegistry.upsert} and {@link ExpenseRegistry.createInApp}. */
export function tooManyExpenses(): RequestError {
  const message = `The shop has ${MAX_EXPENSES} expenses, the most that it may have; remove some that have ended.`;
  return requestError('too_many', message);
}

/** The id of an expense of the API. It depends on the external id alone, so that two pushes at once make one record. */
export function managedExpenseId(externalId: string): string {
  return `api_${hash('sha256', externalId).slice(0, 32)}`;
}

export function createExpenseRegistry({ store, settings }: ExpenseRegistryDeps): ExpenseRegistry {
  const write = async (shopId: string, expense: Expense, stamp: number): Promise<Expense> => {
    await store.write(shopId, expense, stamp);
    return expense;
  };

  // Changes of a shop run one at a time, so the count is exact.
  const isFull = async (shopId: string): Promise<boolean> => (await store.count(shopId)) >= MAX_EXPENSES;

  /** Changes an expense that exists. */
  const alter = (
    shopId: string,
    expenseId: string,
    change: Partial<ExpenseFields>,
  ): Promise<{ expense: Expense; stamp: number } | null> =>
    settings.change(shopId, async (stamp) => {
      const known = await store.find(shopId, expenseId);
      return known === null ? null : { expense: await write(shopId, { ...known, ...change }, stamp), stamp };
    });

  const removeById: ExpenseRegistry['removeById'] = (shopId, expenseId) =>
    settings.change(shopId, async (stamp) => {
      if ((await store.find(shopId, expenseId)) === null) return false;
      await store.remove(shopId, expenseId, stamp);
      return true;
    });

  return {
    listManaged: async (shopId) => (await store.list(shopId)).filter(({ externalId }) => externalId !== null),
    upsert: (shopId, externalId, fields) =>
      settings.change(shopId, async (stamp) => {
        const expenseId = managedExpenseId(externalId);
        const created = (await store.find(shopId, expenseId)) === null;
        if (created && (await isFull(shopId))) return null;
        return { expense: await write(shopId, { ...fields, expenseId, externalId }, stamp), created, stamp };
      }),
    replace: (shopId, externalId, fields) => alter(shopId, managedExpenseId(externalId), fields),
    remove: (shopId, externalId) => removeById(shopId, managedExpenseId(externalId)),

    listAll: (shopId) => store.list(shopId),
    createInApp: (shopId, fields, key = randomUUID()) =>
      settings.change(shopId, async (stamp) => {
        const expenseId = `app_${key}`;
        const known = await store.find(shopId, expenseId);
        if (known !== null) return { expense: known, isNew: false };
        if (await isFull(shopId)) return null;
        return { expense: await write(shopId, { ...fields, expenseId, externalId: null }, stamp), isNew: true };
      }),
    edit: async (shopId, id, fields) => (await alter(shopId, id, fields))?.expense ?? null,
    end: async (shopId, id, lastDay) => (await alter(shopId, id, { endedOn: lastDay }))?.expense ?? null,
    removeById,
  };
}
