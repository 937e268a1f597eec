import { gatewayKey } from '../../domain/costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { literal } from '../sql.js';
import { gatewayKeyOf } from './gateway-keys.js';
import { FEE } from './order-costs.js';
import { COGS, linesOf, type OrderSource } from './line-costs.js';
import { withCatalog } from './unit-costs.js';

/** Decimals of an estimated fee: six of the percentage, two of its hundredth, six of the total. */
export const EXACT_DECIMALS = 14;
export const exact = (amount: string): string => `toDecimal256(${amount}, ${EXACT_DECIMALS})`;

/** A million orders are grouped in this much memory, and then on the disk. */
const SPILL_BYTES = 256 * 1024 * 1024;
export const SPILLED = `SETTINGS max_bytes_before_external_group_by = ${SPILL_BYTES}`;

/** Before refunded fees, as `feeOf` computes it. */
function feeSql(rules: readonly GatewayFeeRule[]): string {
  const key = gatewayKeyOf('o.payment_gateway');
  const estimates = rules.flatMap(({ payment_gateway, percent, fixed }) => [
    `${key} = ${literal(gatewayKey(payment_gateway))}`,
    `toDecimal256('${percent}', 6) * toDecimal256('0.01', 2) * toDecimal256(o.total, 6) + ${exact(`'${fixed}'`)}`,
  ]);
  const actual = exact(`ifNull(${FEE}, toDecimal128(0, 6))`);
  return estimates.length === 0
    ? actual
    : `multiIf(${FEE} IS NOT NULL, ${actual}, ${estimates.join(', ')}, ${exact('0')})`;
}

/**
 * The orders `o`, to which known costs are joined, with their exact profit: rows of `placed_day`, `placed_at`, `order_id`, `profit`. `counted` is the condition
 * of those that count; the others bring 0.
 */
export function orderProfits({ from, skus }: OrderSource, counted: string, rules: readonly GatewayFeeRule[]): string {
  const gain = `${exact('o.total - arraySum(o.refunds.total) + arraySum(o.refunds.gateway_fee_refund)')} - ${feeSql(rules)}`;
  return `SELECT l.placed_day AS placed_day, any(l.placed_at) AS placed_at, l.order_id AS order_id,
      if(any(l.counts), any(l.gain) - ${COGS}, ${exact('0')}) AS profit
    FROM ${linesOf(from, { placed_at: 'o.placed_at', counts: counted, gain })}
    ${withCatalog('l', 'placed_day', skus)}
    GROUP BY l.placed_day, l.order_id`;
}
