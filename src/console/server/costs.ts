import type { Request } from 'express';
import { checkExpenseRules, type Expense, type ExpenseFields } from '../../domain/costs/expenses.js';
import { formatDay, LAST_END_DAY, parseDay } from '../../domain/time.js';
import { requestError, requireNoFaults, type RequestError } from '../../errors.js';
import { readJson } from '../../body/read-json.js';
import { requireValid } from '../../schemas/require-valid.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import { tooManyExpenses, type ExpenseRegistry } from '../../repositories/expenses.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import { appExpenseValidator, expenseEndValidator, type AppExpense } from '../../schemas/app.js';
import { EXPENSE_BODY_BYTES, readExpense, shownExpense } from '../../schemas/expenses.js';
import { GATEWAY_FEES_BODY_BYTES, gatewayFeeRulesValidator } from '../../schemas/gateway-fees.js';
import type { AppRoutes } from './app-routes.js';
import { previewExpense } from './expense-preview.js';
import type { ShopFiguresDeps } from './shop-figures.js';
import { shopOf } from './shops.js';

export interface CostRouteDeps extends ShopFiguresDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
}

const PATH = '/app/api/shops/:shop';

/** Fee rules and expenses of a shop. What has an external id is changed by the API or a file, and can be deleted here. */
export function costRoutes(routes: AppRoutes, deps: CostRouteDeps): void {
  const { sources, expenses, costSettings } = deps;
  routes.get(`${PATH}/gateway-fees`, async (req, res) => {
    res.json({ rules: await costSettings.rules(shopOf(req)) });
  });

  routes.post(`${PATH}/gateway-fees`, async (req, res) => {
    const { rules } = requireValid(
      gatewayFeeRulesValidator,
      await readJson(req, GATEWAY_FEES_BODY_BYTES, gatewayFeeRulesValidator),
    );
    const shopId = shopOf(req);
    await sources.require(shopId);
    const of = { what: 'changed the fee rules', shop: shopId };
    await routes.change(res, of, () => costSettings.replaceRules(shopId, rules));
    res.json({ rules: await costSettings.rules(shopId) });
  });

  routes.get(`${PATH}/expenses`, async (req, res) => {
    res.json({ expenses: (await expenses.listAll(shopOf(req))).map(toExpense) });
  });

  routes.post(`${PATH}/expenses`, async (req, res) => {
    const fields = fieldsOf(await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    await sources.require(shopId);
    const key = formKeyOf(req);
    const what = `made the expense ${sums(fields)}`;
    const create = async () => {
      const made = await expenses.createInApp(shopId, fields, key);
      if (made === null) throw tooManyExpenses();
      return made;
    };
    const { expense } = await routes.change(res, { what, shop: shopId }, create, ({ isNew }) => (isNew ? what : null));
    res.status(201).json(toExpense(expense));
  });

  /** The expense that a path names. */
  const named = async (shopId: string, expenseId: string): Promise<Expense> =>
    required((await expenses.listAll(shopId)).find((one) => one.expenseId === expenseId) ?? null);
  /** Throws unless it was made in the app. */
  const own = async (shopId: string, expenseId: string): Promise<Expense> => {
    const expense = await named(shopId, expenseId);
    if (expense.externalId === null) return expense;
    throw requestError('invalid_value', 'This expense has an external_id: change it by the API, or by a file.');
  };

  // Nothing is stored.
  routes.post(`${PATH}/expenses/preview`, async (req, res) => {
    res.json(await previewExpense(deps, shopOf(req), fieldsOf(await readJson(req, EXPENSE_BODY_BYTES))));
  });

  routes.post(`${PATH}/expenses/:expense/preview`, async (req, res) => {
    const fields = fieldsOf(await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    const { expenseId } = await own(shopId, String(req.params.expense));
    res.json(await previewExpense(deps, shopId, fields, expenseId));
  });

  routes.patch(`${PATH}/expenses/:expense`, async (req, res) => {
    const fields = fieldsOf(await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    const before = await own(shopId, String(req.params.expense));
    const of = { what: `changed the expense ${sums(before)} to ${sums(fields)}`, shop: shopId };
    const edit = async () => required(await expenses.edit(shopId, before.expenseId, fields));
    res.json(toExpense(await routes.change(res, of, edit)));
  });

  routes.post(`${PATH}/expenses/:expense/end`, async (req, res) => {
    const { ended_on } = requireValid(expenseEndValidator, await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    const { expenseId, startedOn, name } = await own(shopId, String(req.params.expense));
    requireNoFaults(checkExpenseRules({ started_on: formatDay(startedOn), ended_on }));
    const lastDay = ended_on === null ? null : parseDay(ended_on, LAST_END_DAY);
    const what = `let the expense “${name}” ${ended_on === null ? 'go on' : `end on ${ended_on}`}`;
    const end = async () => required(await expenses.end(shopId, expenseId, lastDay));
    res.json(toExpense(await routes.change(res, { what, shop: shopId }, end)));
  });

  routes.delete(`${PATH}/expenses/:expense`, async (req, res) => {
    const shopId = shopOf(req);
    const expense = await named(shopId, String(req.params.expense));
    await routes.change(res, { what: `removed the expense ${sums(expense)}`, shop: shopId }, async () => {
      if (!(await expenses.removeById(shopId, expense.expenseId))) throw noExpense();
    });
    res.status(204).end();
  });
}

function noExpense(): RequestError {
  return requestError('not_found', 'This shop has no such expense.');
}

function required(expense: Expense | null): Expense {
  if (expense === null) throw noExpense();
  return expense;
}

function fieldsOf(body: unknown): ReturnType<typeof readExpense> {
  const input = requireValid(appExpenseValidator, body);
  requireNoFaults(checkExpenseRules(input));
  return readExpense(input);
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
