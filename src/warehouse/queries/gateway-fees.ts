import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { canonicalDecimal } from '../../domain/money.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

export interface GatewayFeeStore {
  /** The rules in the order in which they were sent; none before the first. */
  find(shopId: string): Promise<GatewayFeeRule[]>;
  /** Replaces all rules of the shop. */
  write(shopId: string, rules: readonly GatewayFeeRule[], version: number): Promise<void>;
}

const RULES = defineQuery('gateway fee rules', texts('payment_gateway', 'percent', 'fixed'));

export function createGatewayFeeStore(warehouse: Warehouse): GatewayFeeStore {
  return {
    async find(shopId) {
      const rows = await warehouse.ask(
        RULES(
          `SELECT rule_gateway AS payment_gateway, toString(rule_percent) AS percent, toString(rule_fixed) AS fixed
         FROM gateway_fee_rules FINAL
         ARRAY JOIN rules.payment_gateway AS rule_gateway, rules.percent AS rule_percent, rules.fixed AS rule_fixed
         WHERE shop_id = {shop:String}`,
          { shop: shopId },
        ),
      );
      return rows.map(({ payment_gateway, percent, fixed }) => ({
        payment_gateway,
        percent: canonicalDecimal(percent),
        fixed: canonicalDecimal(fixed),
      }));
    },
    async write(shopId, rules, version) {
      await warehouse.insert('gateway_fee_rules', [
        {
          shop_id: shopId,
          'rules.payment_gateway': rules.map((rule) => rule.payment_gateway),
          'rules.gateway': rules.map((rule) => gatewayKey(rule.payment_gateway)),
          'rules.percent': rules.map((rule) => rule.percent),
          'rules.fixed': rules.map((rule) => rule.fixed),
          version,
        },
      ]);
    },
  };
}
