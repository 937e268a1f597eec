import type { Router } from 'express';
import type { Expense as StoredExpense } from '../../domain/expenses.js';
import { checkGatewayFeeRules } from '../../domain/gateway-fees.js';
import { formatDecimal, fraction } from '../../domain/money.js';
import { formatDay } from '../../domain/time.js';
import { RequestError } from '../../errors.js';
import { unknownExpense } from '../../intake/expenses.js';
import { EXPENSE_BODY_BYTES, type Expense, type ExpenseList } from '../../schemas/expenses.js';
import { GATEWAY_FEES_BODY_BYTES, gatewayFeeRulesValidator, type GatewayFeeRules } from '../../schemas/gateway-fees.js';
import { SPEND_BODY_BYTES, spendBatchValidator } from '../../schemas/spend.js';
import { storeUnavailable } from '../../warehouse/client.js';
import { authOf } from '../authenticate.js';
import { readJson } from '../read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { queryOf, requireValid } from '../validate.js';

/** `/v1/costs/…`: ad spend, expenses and fee rules (contract: "Ad spend", "Expenses", "Beyond the specification"). */
export function costRoutes(router: Router, deps: RouteDeps): void {
  const write = deps.write('costs:write');
  const unreachable = (error: unknown): never => {
    throw storeUnavailable(error);
  };

  router.post('/v1/costs/spend', ...write, async (req, res) => {
    queryOf(req, []);
    const { rows } = requireValid(spendBatchValidator, await readJson(req, SPEND_BODY_BYTES));
    deps.requireCapacity();
    res.json(await deps.takeSpend(authOf(res).shopId, rows));
  });

  router.get('/v1/costs/gateway-fees', ...write, async (req, res) => {
    queryOf(req, []);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const rules: GatewayFeeRules = { rules: await deps.costSettings.rules(shopId).catch(unreachable) };
    res.json(rules);
  });

  router.put('/v1/costs/gateway-fees', ...write, async (req, res) => {
    queryOf(req, []);
    const { rules } = requireValid(gatewayFeeRulesValidator, await readJson(req, GATEWAY_FEES_BODY_BYTES));
    const [fault, ...faults] = checkGatewayFeeRules(rules);
    if (fault !== undefined) throw new RequestError([fault, ...faults]);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    await deps.costSettings.replaceRules(shopId, rules);
    const answer: GatewayFeeRules = { rules: rules.map(toRule) };
    res.json(answer);
  });

  router.get('/v1/costs/expenses', ...write, async (req, res) => {
    queryOf(req, []);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const expenses = await deps.expenses.listManaged(shopId).catch(unreachable);
    const list: ExpenseList = { expenses: expenses.map(toExpense) };
    res.json(list);
  });

  router.post('/v1/costs/expenses', ...write, async (req, res) => {
    queryOf(req, []);
    const body = await readJson(req, EXPENSE_BODY_BYTES);
    const { expense, created } = await deps.takeExpense.upsert(authOf(res).shopId, body);
    res.status(created ? 201 : 200).json(toExpense(expense));
  });

  router.patch('/v1/costs/expenses/:external_id', ...write, async (req, res) => {
    queryOf(req, []);
    const body = await readJson(req, EXPENSE_BODY_BYTES);
    const expense = await deps.takeExpense.update(authOf(res).shopId, String(req.params.external_id), body);
    res.json(toExpense(expense));
  });

  router.delete('/v1/costs/expenses/:external_id', ...write, async (req, res) => {
    queryOf(req, []);
    const { shopId } = authOf(res);
    const externalId = String(req.params.external_id);
    await deps.sources.require(shopId);
    if (!(await deps.expenses.remove(shopId, externalId))) throw unknownExpense(externalId);
    res.status(204).end();
  });
}

function toRule({
  payment_gateway,
  percent,
  fixed,
}: GatewayFeeRules['rules'][number]): GatewayFeeRules['rules'][number] {
  return { payment_gateway, percent: formatDecimal(fraction(percent)), fixed: formatDecimal(fraction(fixed)) };
}

function toExpense(expense: StoredExpense): Expense {
  return {
    external_id: expense.externalId ?? '',
    name: expense.name,
    category: expense.category,
    amount: formatDecimal(fraction(expense.amount)),
    currency: expense.currency,
    frequency: expense.frequency,
    started_on: formatDay(expense.startedOn),
    ended_on: expense.endedOn === null ? null : formatDay(expense.endedOn),
    counts_as_ad_spend: expense.countsAsAdSpend,
  };
}
