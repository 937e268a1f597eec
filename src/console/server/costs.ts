import type { Request } from 'express';
import { checkExpenseRules, type Expense, type ExpenseFields } from '../../domain/costs/expenses.js';
import { formatDay, LAST_END_DAY, parseDay } from '../../domain/time.js';
import { requestError, requireNoFaults, type RequestError } from '../../errors.js';
import { json } from '../../http/request-bodies.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import { tooManyExpenses, type ExpenseRegistry } from '../../repositories/expenses.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  AppExpense,
  appExpenseValidator,
  expenseEndValidator,
  ExpensePreview,
  ExpensesAnswer,
} from '../../schemas/app.js';
import { EXPENSE_BODY_BYTES, readExpense, shownExpense } from '../../schemas/expenses.js';
import { GATEWAY_FEES_BODY_BYTES, GatewayFeeRules, gatewayFeeRulesValidator } from '../../schemas/gateway-fees.js';
import { withRules } from '../../schemas/validator.js';
import { appRoute, type AppCall, type AppRoute } from './app-route.js';
import { previewExpense } from './expense-preview.js';
import type { ShopFiguresDeps } from './shop-figures.js';

export interface CostRouteDeps extends ShopFiguresDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
}

/** The expense that a path names. */
async function named({ shopId, req }: AppCall, { expenses }: CostRouteDeps): Promise<Expense> {
  return required((await expenses.listAll(shopId)).find(({ expenseId }) => expenseId === req.params.expense) ?? null);
}

/** Throws unless it was made in the app. */
async function own(call: AppCall, deps: CostRouteDeps): Promise<Expense> {
  const expense = await named(call, deps);
  if (expense.externalId === null) return expense;
  throw requestError('invalid_value', 'This expense has an external_id: change it by the API, or by a file.');
}

const EXPENSE = json(withRules(appExpenseValidator, checkExpenseRules), EXPENSE_BODY_BYTES);

/** Fee rules and expenses of a shop. What has an external id is changed by the API or a file, and can be deleted here. */
export const costRoutes: readonly AppRoute<CostRouteDeps>[] = [
  appRoute('viewer', 'GET /app/api/shops/:shop/gateway-fees', {
    answers: { 200: GatewayFeeRules },
    run: async ({ shopId }, { costSettings }) => ({ rules: await costSettings.rules(shopId) }),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/gateway-fees', {
    body: json(gatewayFeeRulesValidator, GATEWAY_FEES_BODY_BYTES),
    answers: { 200: GatewayFeeRules },
    errors: ['source_not_registered'],
    async run({ shopId, body: { rules }, change }, { sources, costSettings }) {
      await sources.require(shopId);
      await change('changed the fee rules', () => costSettings.replaceRules(shopId, rules));
      return { rules: await costSettings.rules(shopId) };
    },
  }),
  appRoute('viewer', 'GET /app/api/shops/:shop/expenses', {
    answers: { 200: ExpensesAnswer },
    run: async ({ shopId }, { expenses }) => ({ expenses: (await expenses.listAll(shopId)).map(toExpense) }),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/expenses', {
    body: EXPENSE,
    answers: { 201: AppExpense },
    errors: ['source_not_registered'],
    async run({ req, res, shopId, body, change }, { sources, expenses }) {
      const fields = readExpense(body);
      await sources.require(shopId);
      const key = formKeyOf(req);
      const what = `made the expense ${sums(fields)}`;
      const create = async () => {
        const made = await expenses.createInApp(shopId, fields, key);
        if (made === null) throw tooManyExpenses();
        return made;
      };
      const { expense } = await change(what, create, ({ isNew }) => (isNew ? what : null));
      res.status(201);
      return toExpense(expense);
    },
  }),
  // Nothing is stored.
  appRoute('manager', 'POST /app/api/shops/:shop/expenses/preview', {
    body: EXPENSE,
    answers: { 200: ExpensePreview },
    errors: ['source_not_registered'],
    run: ({ shopId, body }, deps) => previewExpense(deps, shopId, readExpense(body)),
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/expenses/:expense/preview', {
    body: EXPENSE,
    answers: { 200: ExpensePreview },
    errors: ['source_not_registered'],
    async run(call, deps) {
      const { expenseId } = await own(call, deps);
      return previewExpense(deps, call.shopId, readExpense(call.body), expenseId);
    },
  }),
  appRoute('manager', 'PATCH /app/api/shops/:shop/expenses/:expense', {
    body: EXPENSE,
    answers: { 200: AppExpense },
    async run(call, deps) {
      const fields = readExpense(call.body);
      const before = await own(call, deps);
      const edit = async () => required(await deps.expenses.edit(call.shopId, before.expenseId, fields));
      return toExpense(await call.change(`changed the expense ${sums(before)} to ${sums(fields)}`, edit));
    },
  }),
  appRoute('manager', 'POST /app/api/shops/:shop/expenses/:expense/end', {
    body: json(expenseEndValidator, EXPENSE_BODY_BYTES),
    answers: { 200: AppExpense },
    async run(call, deps) {
      const { ended_on } = call.body;
      const { expenseId, startedOn, name } = await own(call, deps);
      requireNoFaults(checkExpenseRules({ started_on: formatDay(startedOn), ended_on }));
      const lastDay = ended_on === null ? null : parseDay(ended_on, LAST_END_DAY);
      const what = `let the expense “${name}” ${ended_on === null ? 'go on' : `end on ${ended_on}`}`;
      const end = async () => required(await deps.expenses.end(call.shopId, expenseId, lastDay));
      return toExpense(await call.change(what, end));
    },
  }),
  appRoute('manager', 'DELETE /app/api/shops/:shop/expenses/:expense', {
    async run(call, deps) {
      const expense = await named(call, deps);
      await call.change(`removed the expense ${sums(expense)}`, async () => {
        if (!(await deps.expenses.removeById(call.shopId, expense.expenseId))) throw noExpense();
      });
    },
  }),
];

function noExpense(): RequestError {
  return requestError('not_found', 'This shop has no such expense.');
}

function required(expense: Expense | null): Expense {
  if (expense === null) throw noExpense();
  return expense;
}

/** Names the form that was sent, so that one that is sent again makes no second expense; undefined: a client without one. */
function formKeyOf(req: Request): string | undefined {
  const key = req.get('Idempotency-Key');
  if (key === undefined || /^[\w-]{16,64}$/.test(key)) return key;
  throw requestError('invalid_value', 'Idempotency-Key must have 16 to 64 letters, digits, dashes and underscores.');
}

const sums = ({ name, amount, currency, frequency }: ExpenseFields): string =>
  `“${name}” of ${amount} ${currency} ${frequency.replace('_', ' ')}`;

const toExpense = (expense: Expense): AppExpense => ({
  expense_id: expense.expenseId,
  external_id: expense.externalId,
  ...shownExpense(expense),
});
