import { canonicalDecimal } from '../../domain/money.js';
import type { TakeGatewayFees } from '../../ingest/gateway-fees.js';
import type { CostSettingsRegistry } from '../../repositories/cost-settings.js';
import type { SourceRegistry } from '../../repositories/sources.js';
import {
  GATEWAY_FEES_BODY_BYTES,
  GatewayFeeRules,
  gatewayFeeRulesValidator,
  TakenGatewayFeeRules,
  type GatewayFeeRule,
} from '../../schemas/gateway-fees.js';
import { json } from '../request-bodies.js';
import { defineRoute, type Route } from '../route.js';

export interface GatewayFeeDeps {
  sources: SourceRegistry;
  costSettings: CostSettingsRegistry;
  takeGatewayFees: TakeGatewayFees;
}

const rules = { rules: [{ payment_gateway: 'paypal', percent: '2.49', fixed: '0.35' }] };
const receipt = '019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15';

/** `PUT` and `GET /v1/costs/gateway-fees` (contract: "Beyond the specification"). */
export const gatewayFeeRoutes: readonly Route<GatewayFeeDeps>[] = [
  defineRoute({
    id: 'putGatewayFees',
    method: 'put',
    path: '/v1/costs/gateway-fees',
    tag: 'Costs',
    scope: 'costs:write',
    summary: 'Replace the fee rules',
    description:
      'An order without a `gateway_fee` whose `payment_gateway` matches a rule, whatever the case, is estimated at read time: ' +
      '`percent`/100 × `total` + `fixed`. The list replaces the one before.',
    body: json(gatewayFeeRulesValidator, GATEWAY_FEES_BODY_BYTES),
    answers: { 200: { description: 'The rules as they stand.', schema: TakenGatewayFeeRules } },
    errors: ['money_must_be_string', 'invalid_money', 'source_not_registered'],
    examples: [{ name: 'replace', summary: 'One rule', body: rules, status: 200, response: { ...rules, receipt } }],
    async run({ sender, body: { rules } }, { takeGatewayFees }): Promise<TakenGatewayFeeRules> {
      const receipt = await takeGatewayFees(sender, rules);
      return { rules: rules.map(toRule), receipt };
    },
  }),
  defineRoute({
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
    async run({ shopId }, { sources, costSettings }): Promise<GatewayFeeRules> {
      await sources.require(shopId);
      return { rules: await costSettings.rules(shopId) };
    },
  }),
];

function toRule({ payment_gateway, percent, fixed }: GatewayFeeRule): GatewayFeeRule {
  return { payment_gateway, percent: canonicalDecimal(percent), fixed: canonicalDecimal(fixed) };
}
