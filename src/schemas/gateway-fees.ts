import Type, { type Static } from 'typebox';
import { closed, described, Money, TEXT_PATTERN } from './primitives.js';
import { validator } from './validator.js';

export const GATEWAY_FEES_BODY_BYTES = 256 * 1024;
const MAX_RULES = 500;

export const GatewayFeeRule = Type.Object(
  {
    payment_gateway: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: TEXT_PATTERN,
      description: 'As orders name it; case makes no difference.',
      examples: ['stripe'],
    }),
    percent: described<string>(
      Money,
      'Share of the order total in percent: a plain non-negative decimal string.',
      '1.4',
    ),
    fixed: described<string>(Money, 'Fee for each order in the shop currency.', '0.25'),
  },
  closed,
);
export type GatewayFeeRule = Static<typeof GatewayFeeRule>;

/** Body of `PUT /v1/costs/gateway-fees`, which replaces the whole list, and response of `PUT` and `GET`. */
export const GatewayFeeRules = Type.Object({ rules: Type.Array(GatewayFeeRule, { maxItems: MAX_RULES }) }, closed);
export type GatewayFeeRules = Static<typeof GatewayFeeRules>;

export const gatewayFeeRulesValidator = validator(GatewayFeeRules, 'The body');
