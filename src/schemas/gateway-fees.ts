import Type, { type Static } from 'typebox';
import { closed, field, Label, Money, Receipt } from './primitives.js';
import { checkGatewayFeeRules } from '../domain/costs/gateway-keys.js';
import { validator, withRules } from './validator.js';

export const GATEWAY_FEES_BODY_BYTES = 256 * 1024;
const MAX_RULES = 1_000;

export const GatewayFeeRule = Type.Object(
  {
    payment_gateway: field(Label, 'As orders name it; case, blanks, `_` and `-` make no difference.', {
      examples: ['stripe'],
    }),
    percent: field(Money, 'Share of the order total in percent.', { examples: ['1.4'] }),
    fixed: field(Money, 'Fee for each order in the shop currency.', { examples: ['0.25'] }),
  },
  closed,
);
export type GatewayFeeRule = Static<typeof GatewayFeeRule>;

const rules = Type.Array(GatewayFeeRule, { maxItems: MAX_RULES, description: 'All rules; a gateway stands once.' });

/** Body of `PUT /v1/costs/gateway-fees`, which replaces the whole list, and response of `GET`. */
export const GatewayFeeRules = Type.Object({ rules }, closed);
export type GatewayFeeRules = Static<typeof GatewayFeeRules>;

/** Response of `PUT /v1/costs/gateway-fees`. */
export const TakenGatewayFeeRules = Type.Object(
  { rules, receipt: field(Receipt, 'Names this change, for `after`.') },
  closed,
);
export type TakenGatewayFeeRules = Static<typeof TakenGatewayFeeRules>;

export const gatewayFeeRulesValidator = withRules(validator(GatewayFeeRules, 'The body'), checkGatewayFeeRules);
