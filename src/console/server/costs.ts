import type { RequestHandler, Router } from 'express';
import { checkExpenseRules, type Expense } from '../../domain/costs/expenses.js';
import { checkGatewayFeeRules } from '../../domain/costs/gateway-fees.js';
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
import { shopOf } from './shops.js';

export interface CostRouteDeps {
  sources: SourceRegistry;
  expenses: ExpenseRegistry;
  costSettings: CostSettingsRegistry;
  read: RequestHandler[];
  change: RequestHandler[];
}

const PATH = '/app/api/shops/:shop';

/** Fee rules and expenses of a shop. What the API manages is shown, and changed by the API alone. */
export function costRoutes(router: Router, { sources, expenses, costSettings, read, change }: CostRouteDeps): void {
  router.get(`${PATH}/gateway-fees`, ...read, async (req, res) => {
    res.json({ rules: await costSettings.rules(shopOf(req)) });
  });

  router.post(`${PATH}/gateway-fees`, ...change, async (req, res) => {
    const { rules } = requireValid(
      gatewayFeeRulesValidator,
      await readJson(req, GATEWAY_FEES_BODY_BYTES, gatewayFeeRulesValidator),
    );
    requireNoFaults(checkGatewayFeeRules(rules));
    const shopId = shopOf(req);
    await sources.require(shopId);
    await costSettings.replaceRules(shopId, rules);
    res.json({ rules: await costSettings.rules(shopId) });
  });

  router.get(`${PATH}/expenses`, ...read, async (req, res) => {
    res.json({ expenses: (await expenses.listAll(shopOf(req))).map(toExpense) });
  });

  router.post(`${PATH}/expenses`, ...change, async (req, res) => {
    const fields = fieldsOf(await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    await sources.require(shopId);
    const made = await expenses.createInApp(shopId, fields);
    if (made === null) throw tooManyExpenses();
    res.status(201).json(toExpense(made));
  });

  /** The expense that a path names; throws unless it was made in the app. */
  const own = async (shopId: string, expenseId: string): Promise<Expense> => {
    const expense = (await expenses.listAll(shopId)).find((one) => one.expenseId === expenseId);
    if (expense === undefined) throw noExpense();
    if (expense.externalId === null) return expense;
    throw requestError('invalid_value', 'This expense came through the API: change it there, by its external_id.');
  };

  router.patch(`${PATH}/expenses/:expense`, ...change, async (req, res) => {
    const fields = fieldsOf(await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    const { expenseId } = await own(shopId, String(req.params.expense));
    res.json(toExpense(required(await expenses.edit(shopId, expenseId, fields))));
  });

  router.post(`${PATH}/expenses/:expense/end`, ...change, async (req, res) => {
    const { ended_on } = requireValid(expenseEndValidator, await readJson(req, EXPENSE_BODY_BYTES));
    const shopId = shopOf(req);
    const { expenseId, startedOn } = await own(shopId, String(req.params.expense));
    requireNoFaults(checkExpenseRules({ started_on: formatDay(startedOn), ended_on }));
    const lastDay = ended_on === null ? null : parseDay(ended_on, LAST_END_DAY);
    res.json(toExpense(required(await expenses.end(shopId, expenseId, lastDay))));
  });

  router.delete(`${PATH}/expenses/:expense`, ...change, async (req, res) => {
    const shopId = shopOf(req);
    const { expenseId } = await own(shopId, String(req.params.expense));
    if (!(await expenses.removeById(shopId, expenseId))) throw noExpense();
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

const toExpense = (expense: Expense): AppExpense => ({
  expense_id: expense.expenseId,
  external_id: expense.externalId,
  ...shownExpense(expense),
});
