import { EXPENSE_BODY_BYTES, ExpenseInput, ExpenseList, ExpenseUpdate, TakenExpense } from '../../schemas/expenses.js';
import { GATEWAY_FEES_BODY_BYTES, GatewayFeeRules, TakenGatewayFeeRules } from '../../schemas/gateway-fees.js';
import { Id } from '../../schemas/primitives.js';
import { SPEND_BODY_BYTES, SpendBatch, SpendBatchResult, SpendRow } from '../../schemas/spend.js';
import type { Operation, Parameter } from '../openapi/operation.js';
import { withItems } from '../openapi/with-items.js';

const externalId: Parameter = {
  name: 'external_id',
  in: 'path',
  description: 'Natural key of the expense.',
  schema: Id,
};
const rules = { rules: [{ payment_gateway: 'paypal', percent: '2.49', fixed: '0.35' }] };
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
const EXPENSE_FAULTS = ['money_must_be_string', 'invalid_money', 'invalid_value', 'source_not_registered'] as const;

export const costOperations: readonly Operation[] = [
  {
    id: 'pushSpend',
    method: 'post',
    path: '/v1/costs/spend',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Push ad spend',
    description:
      'Upserts 1 to 500 rows by channel, day, currency and the campaign, ad-set and ad ids that are given; the newest push of a ' +
      'key wins. `channel` is stored as `custom:<slug>`. A spend of `"0"` without ids clears the whole day of the channel and ' +
      'currency. Spend in another currency than that of the shop is kept and left out of the figures.',
    body: { schema: withItems(SpendBatch, { rows: SpendRow }), maxBytes: SPEND_BODY_BYTES },
    answers: { 200: { description: 'One result a row.', schema: SpendBatchResult } },
    errors: ['batch_size', 'source_not_registered', 'queue_unavailable'],
    itemErrors: [
      'too_many',
      'missing_field',
      'unknown_field',
      'invalid_type',
      'invalid_value',
      'money_must_be_string',
      'invalid_money',
      'invalid_channel',
    ],
    examples: [
      {
        name: 'push',
        summary: 'A day of a radio campaign',
        body: { rows: [{ channel: 'Radio', event_date: '2026-03-02', currency: 'EUR', spend: '15', clicks: 12 }] },
        status: 200,
        response: {
          accepted: 1,
          rejected: 0,
          receipt,
          results: [{ channel: 'custom:radio', event_date: '2026-03-02', currency: 'EUR', outcome: 'accepted' }],
        },
      },
    ],
  },
  {
    id: 'putGatewayFees',
    method: 'put',
    path: '/v1/costs/gateway-fees',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Replace the fee rules',
    description:
      'An order without a `gateway_fee` whose `payment_gateway` matches a rule, whatever the case, is estimated at read time: ' +
      '`percent`/100 × `total` + `fixed`. The list replaces the one before.',
    body: { schema: GatewayFeeRules, maxBytes: GATEWAY_FEES_BODY_BYTES },
    answers: { 200: { description: 'The rules as they stand.', schema: TakenGatewayFeeRules } },
    errors: ['money_must_be_string', 'invalid_money', 'source_not_registered'],
    examples: [{ name: 'replace', summary: 'One rule', body: rules, status: 200, response: { ...rules, receipt } }],
  },
  {
    id: 'getGatewayFees',
    method: 'get',
    path: '/v1/costs/gateway-fees',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Read the fee rules',
    description: 'The rules by which fees are estimated.',
    answers: { 200: { description: 'The rules.', schema: GatewayFeeRules } },
    errors: ['source_not_registered'],
    examples: [{ name: 'rules', summary: 'One rule', status: 200, response: rules }],
  },
  {
    id: 'upsertExpense',
    method: 'post',
    path: '/v1/costs/expenses',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Create or replace an expense',
    description:
      'Upserts by `external_id`. Expenses accrue by day from `started_on` to `ended_on` inclusive; those with ' +
      '`counts_as_ad_spend` count in `ad_spend`, `mer` and `blended_roas`, the others with `include=expenses`.',
    body: { schema: ExpenseInput, maxBytes: EXPENSE_BODY_BYTES },
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
  },
  {
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
  },
  {
    id: 'updateExpense',
    method: 'patch',
    path: '/v1/costs/expenses/{external_id}',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Update an expense',
    description: 'Replaces all fields of an expense that exists. `external_id` may be left out of the body.',
    parameters: [externalId],
    body: { schema: ExpenseUpdate, maxBytes: EXPENSE_BODY_BYTES },
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
  },
  {
    id: 'deleteExpense',
    method: 'delete',
    path: '/v1/costs/expenses/{external_id}',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Delete an expense',
    description: 'Removes the expense for good, from past figures too.',
    parameters: [externalId],
    answers: { 204: { description: 'It is gone.' } },
    errors: ['not_found', 'source_not_registered'],
    examples: [{ name: 'delete', summary: 'It is gone', path: { external_id: 'hosting' }, status: 204 }],
  },
];
