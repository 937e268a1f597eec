import type { Expense as StoredExpense } from '../../domain/costs/expenses.js';
import { unknownExpense, type TakeExpense } from '../../ingest/expenses.js';
import type { ExpenseRegistry } from '../../repositories/expenses.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  EXPENSE_BODY_BYTES,
  ExpenseInput,
  ExpenseList,
  ExpenseUpdate,
  expenseValidator,
  shownExpense,
  TakenExpense,
  type Expense,
} from '../../schemas/expenses.js';
import { Id } from '../../schemas/primitives.js';
import { unchecked } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface ExpenseDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  takeExpense: TakeExpense;
}

const EXTERNAL_ID = { external_id: { description: 'Natural key of the expense.', schema: Id } };
const EXPENSE_FAULTS = ['money_must_be_string', 'invalid_money', 'invalid_value', 'source_not_registered'] as const;
const expense = {
  external_id: 'agency',
  name: 'Agency',
  category: 'marketing',
  amount: '31.00',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-03-01',
  ended_on: null,
  counts_as_ad_spend: true,
};
const hosting = {
  ...expense,
  external_id: 'hosting',
  name: 'Hosting',
  category: 'software',
  counts_as_ad_spend: false,
};
const receipt = '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15';

/** `/v1/costs/expenses` (contract: "Expenses"). */
export const expenseRoutes: readonly Route<ExpenseDeps>[] = [
  defineRoute({
    id: 'upsertExpense',
    method: 'post',
    path: '/v1/costs/expenses',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Create or replace an expense',
    description:
      'Upserts by `external_id`. Expenses accrue by day from `started_on` to `ended_on` inclusive, on days to come too; those with ' +
      '`counts_as_ad_spend` count in `ad_spend`, `mer` and `blended_roas`, the others with `include=expenses`.',
    body: unchecked(expenseValidator, ExpenseInput, EXPENSE_BODY_BYTES),
    answers: {
      200: { description: 'It was replaced.', schema: TakenExpense },
      201: { description: 'It was created.', schema: TakenExpense },
    },
    errors: EXPENSE_FAULTS,
    examples: [
      {
        name: 'create',
        summary: 'A monthly fee that counts as ad spend',
        body: expense,
        status: 201,
        response: { ...expense, receipt },
      },
      { name: 'replace', summary: 'The same again', body: expense, status: 200, response: { ...expense, receipt } },
      { name: 'another', summary: 'One that does not', body: hosting, status: 201, response: { ...hosting, receipt } },
    ],
    async run({ res, sender, body }, { takeExpense }): Promise<TakenExpense> {
      const { expense, created, receipt } = await takeExpense.upsert(sender, body);
      res.status(created ? 201 : 200);
      return { ...toExpense(expense), receipt };
    },
  }),
  defineRoute({
    id: 'listExpenses',
    method: 'get',
    path: '/v1/costs/expenses',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'List expenses',
    description: 'The expenses of this API, ordered by `external_id`. Those made in the app are not among them.',
    answers: { 200: { description: 'The expenses.', schema: ExpenseList } },
    errors: ['source_not_registered'],
    examples: [{ name: 'all', summary: 'Two', status: 200, response: { expenses: [expense, hosting] } }],
    async run({ shopId }, { sources, expenses }): Promise<ExpenseList> {
      await sources.require(shopId);
      return { expenses: (await expenses.listManaged(shopId)).map(toExpense) };
    },
  }),
  defineRoute({
    id: 'updateExpense',
    method: 'patch',
    path: '/v1/costs/expenses/{external_id}',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Update an expense',
    description: 'Replaces all fields of an expense that exists. `external_id` may be left out of the body.',
    params: EXTERNAL_ID,
    body: unchecked(expenseValidator, ExpenseUpdate, EXPENSE_BODY_BYTES),
    answers: { 200: { description: 'The expense as it stands.', schema: TakenExpense } },
    errors: [...EXPENSE_FAULTS, 'external_id_mismatch', 'not_found'],
    examples: [
      {
        name: 'end',
        summary: 'It ends with the year',
        path: { external_id: 'hosting' },
        body: { ...hosting, ended_on: '2026-12-31' },
        status: 200,
        response: { ...hosting, ended_on: '2026-12-31', receipt },
      },
    ],
    async run({ req, sender, body }, { takeExpense }): Promise<TakenExpense> {
      const { expense, receipt } = await takeExpense.update(sender, String(req.params.external_id), body);
      return { ...toExpense(expense), receipt };
    },
  }),
  defineRoute({
    id: 'deleteExpense',
    method: 'delete',
    path: '/v1/costs/expenses/{external_id}',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Delete an expense',
    description: 'Removes the expense for good, from past figures too.',
    params: EXTERNAL_ID,
    answers: { 204: { description: 'It is gone.' } },
    errors: ['not_found', 'source_not_registered'],
    examples: [{ name: 'delete', summary: 'It is gone', path: { external_id: 'hosting' }, status: 204 }],
    async run({ req, shopId }, { sources, expenses }) {
      const externalId = String(req.params.external_id);
      await sources.require(shopId);
      if (!(await expenses.remove(shopId, externalId))) throw unknownExpense(externalId);
    },
  }),
];

const toExpense = (expense: StoredExpense): Expense => ({
  external_id: expense.externalId ?? '',
  ...shownExpense(expense),
});
