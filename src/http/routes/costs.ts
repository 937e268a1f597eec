import type { Router } from 'express';
import type { Expense as StoredExpense } from '../../domain/costs/expenses.js';
import { canonicalDecimal } from '../../domain/money.js';
import { unknownExpense } from '../../ingest/expenses.js';
import {
  EXPENSE_BODY_BYTES,
  expenseValidator,
  shownExpense,
  type Expense,
  type ExpenseList,
  type TakenExpense,
} from '../../schemas/expenses.js';
import {
  GATEWAY_FEES_BODY_BYTES,
  gatewayFeeRulesValidator,
  type GatewayFeeRule,
  type GatewayFeeRules,
  type TakenGatewayFeeRules,
} from '../../schemas/gateway-fees.js';
import { SPEND_BODY_BYTES, SPEND_ROWS_PER_BATCH, spendBatchValidator, spendRowValidator } from '../../schemas/spend.js';
import { authOf, senderOf } from '../middleware/authenticate.js';
import { batchForm } from '../../ingest/read-items.js';
import { readJson } from '../middleware/read-json.js';
import type { RouteDeps } from '../route-deps.js';
import { refuseQuery } from '../middleware/query.js';
import { answerPush } from './answer-push.js';
import { requireValid } from '../../schemas/require-valid.js';

const SPEND_FORM = batchForm('rows', {
  most: SPEND_ROWS_PER_BATCH,
  bytes: SPEND_BODY_BYTES,
  envelope: spendBatchValidator,
  item: spendRowValidator,
});

/** `/v1/costs/…`: ad spend, expenses and fee rules (contract: "Ad spend", "Expenses", "Beyond the specification"). */
export function costRoutes(router: Router, deps: RouteDeps): void {
  const write = deps.write('costs:write');
  router.post('/v1/costs/spend', ...write, async (req, res) => {
    refuseQuery(req);
    await answerPush(req, res, SPEND_FORM, deps, (...push) => {
      deps.requireCapacity();
      return deps.takeSpend(...push);
    });
  });

  router.get('/v1/costs/gateway-fees', ...write, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const rules: GatewayFeeRules = { rules: await deps.costSettings.rules(shopId) };
    res.json(rules);
  });

  router.put('/v1/costs/gateway-fees', ...write, async (req, res) => {
    refuseQuery(req);
    const { rules } = requireValid(
      gatewayFeeRulesValidator,
      await readJson(req, GATEWAY_FEES_BODY_BYTES, gatewayFeeRulesValidator),
    );
    const receipt = await deps.takeGatewayFees(senderOf(res), rules);
    const answer: TakenGatewayFeeRules = { rules: rules.map(toRule), receipt };
    res.json(answer);
  });

  router.get('/v1/costs/expenses', ...write, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    await deps.sources.require(shopId);
    const expenses = await deps.expenses.listManaged(shopId);
    const list: ExpenseList = { expenses: expenses.map(toExpense) };
    res.json(list);
  });

  router.post('/v1/costs/expenses', ...write, async (req, res) => {
    refuseQuery(req);
    const body = await readJson(req, EXPENSE_BODY_BYTES, expenseValidator);
    const { expense, created, receipt } = await deps.takeExpense.upsert(senderOf(res), body);
    const answer: TakenExpense = { ...toExpense(expense), receipt };
    res.status(created ? 201 : 200).json(answer);
  });

  router.patch('/v1/costs/expenses/:external_id', ...write, async (req, res) => {
    refuseQuery(req);
    const body = await readJson(req, EXPENSE_BODY_BYTES, expenseValidator);
    const { expense, receipt } = await deps.takeExpense.update(senderOf(res), String(req.params.external_id), body);
    const answer: TakenExpense = { ...toExpense(expense), receipt };
    res.json(answer);
  });

  router.delete('/v1/costs/expenses/:external_id', ...write, async (req, res) => {
    refuseQuery(req);
    const { shopId } = authOf(res);
    const externalId = String(req.params.external_id);
    await deps.sources.require(shopId);
    if (!(await deps.expenses.remove(shopId, externalId))) throw unknownExpense(externalId);
    res.status(204).end();
  });
}

function toRule({ payment_gateway, percent, fixed }: GatewayFeeRule): GatewayFeeRule {
  return { payment_gateway, percent: canonicalDecimal(percent), fixed: canonicalDecimal(fixed) };
}

const toExpense = (expense: StoredExpense): Expense => ({
  external_id: expense.externalId ?? '',
  ...shownExpense(expense),
});
