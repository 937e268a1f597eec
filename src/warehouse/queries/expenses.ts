import { Type } from 'typebox';
import type { Expense, ExpenseCategory, ExpenseFrequency } from '../../domain/costs/expenses.js';
import { canonicalDecimal } from '../../domain/money.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { defineQuery, nullable, textOf, texts, type RowOf } from '../query.js';

const EXPENSES = defineQuery('expenses', {
  ...texts('expenseId', 'name', 'amount', 'currency'),
  externalId: nullable(Type.String()),
  category: textOf<ExpenseCategory>(),
  frequency: textOf<ExpenseFrequency>(),
  startedOn: Type.Number(),
  endedOn: nullable(Type.Number()),
  countsAsAdSpend: Type.Boolean(),
});
const EXPENSE_COUNT = defineQuery('count of expenses', { expenses: Type.Number() });

export interface ExpenseStore {
  find(shopId: string, expenseId: string): Promise<Expense | null>;
  /** Every expense of the shop: those of the API by external id, then those made in the app by start and id. */
  list(shopId: string): Promise<Expense[]>;
  count(shopId: string): Promise<number>;
  write(shopId: string, expense: Expense, version: number): Promise<void>;
  /** Leaves a tombstone that holds nothing of the expense. */
  remove(shopId: string, expenseId: string, version: number): Promise<void>;
}

const SELECT = `SELECT expense_id AS expenseId, external_id AS externalId, name, category, amount, currency, frequency,
  toInt32(started_on) AS startedOn, end_day AS endedOn, counts_as_ad_spend AS countsAsAdSpend
  FROM expenses FINAL WHERE shop_id = {shop:String}`;

export function createExpenseStore(warehouse: Warehouse): ExpenseStore {
  return {
    async find(shopId, expenseId) {
      const [row] = await warehouse.ask(
        EXPENSES(`${SELECT} AND expense_id = {id:String}`, { shop: shopId, id: expenseId }),
      );
      return row === undefined ? null : toExpense(row);
    },
    async list(shopId) {
      const order = 'ORDER BY external_id ASC NULLS LAST, started_on, expense_id';
      return (await warehouse.ask(EXPENSES(`${SELECT} ${order}`, { shop: shopId }))).map(toExpense);
    },
    async count(shopId) {
      const [row] = await warehouse.ask(
        EXPENSE_COUNT('SELECT toUInt32(count()) AS expenses FROM expenses FINAL WHERE shop_id = {shop:String}', {
          shop: shopId,
        }),
      );
      return row?.expenses ?? 0;
    },
    async write(shopId, expense, version) {
      await warehouse.insert('expenses', [
        {
          shop_id: shopId,
          expense_id: expense.expenseId,
          external_id: expense.externalId,
          name: expense.name,
          category: expense.category,
          amount: expense.amount,
          currency: expense.currency,
          frequency: expense.frequency,
          started_on: formatDay(expense.startedOn),
          end_day: expense.endedOn,
          counts_as_ad_spend: expense.countsAsAdSpend,
          version,
        },
      ]);
    },
    async remove(shopId, expenseId, version) {
      await warehouse.insert('expenses', [{ shop_id: shopId, expense_id: expenseId, version, is_deleted: 1 }]);
    },
  };
}

const toExpense = (row: RowOf<typeof EXPENSES>): Expense => ({ ...row, amount: canonicalDecimal(row.amount) });
