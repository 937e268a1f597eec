import { UNATTRIBUTED_CHANNEL } from '../../domain/attribution/attribution.js';
import { gatewayKey } from '../../domain/costs/gateway-fees.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { QueryParams } from '../query.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { startsWith } from '../sql.js';
import { gatewayKeyOf } from './gateway-keys.js';
import { joinOrderCosts } from './order-costs.js';
import { exact, profitOf } from './order-profits.js';

/** Which orders of a shop. What is absent selects nothing out. */
export interface OrderFilter {
  shopId: string;
  /** Local days on which they were placed. */
  range: DayRange;
  /** `deleted` finds those that were deleted, whatever their state was; every other value, and none, the live ones. */
  status?: string | undefined;
  counted?: boolean | undefined;
  sku?: string | undefined;
  /** Of the last touch. */
  channel?: string | undefined;
  /** In any spelling. */
  gateway?: string | undefined;
  /** Counted orders that have a line without a unit cost, or all others. */
  missingCost?: boolean | undefined;
  /** Orders that carry a warning, or all others. */
  warned?: boolean | undefined;
  /** Counted orders with a refund, or all others. */
  refunded?: boolean | undefined;
  /** Counted orders with a negative profit, or all others. */
  loss?: boolean | undefined;
  /** How the id or the name begins, in any case. */
  q?: string | undefined;
  /** The fee rules, by which a profit is computed. */
  rules: readonly GatewayFeeRule[];
}

/** The condition of an order that counts, among those that are not deleted. */
export const COUNTED = `(o.status = 'paid' AND NOT o.is_test)`;

const daysOf = (table: string): string =>
  `${table}.shop_id = {shop:String} AND ${table}.placed_day BETWEEN {from:Date} AND {to:Date}`;

/** `FROM … WHERE …` of the orders `o` that pass a filter, with the columns of {@link listed}, and its parameters. */
export function ordersOf(filter: OrderFilter): { from: string; params: QueryParams } {
  const { shopId, range, status, counted, sku, channel, gateway, missingCost, warned, refunded, loss, q } = filter;
  const params: QueryParams = { shop: shopId, from: formatDay(range.from), to: formatDay(range.to) };
  const conditions: string[] = [];
  const isCounted = countedIn(filter);
  const either = (is: boolean, condition: string): number =>
    conditions.push(`${is ? '' : 'NOT '}(${isCounted} AND ${condition})`);
  if (status !== undefined && status !== 'deleted') {
    conditions.push('o.status = {status:String}');
    params.status = status;
  }
  if (counted !== undefined) conditions.push(counted ? isCounted : `NOT ${isCounted}`);
  if (sku !== undefined) {
    conditions.push('has(o.skus, {sku:String})');
    params.sku = sku;
  }
  if (channel !== undefined) {
    conditions.push(inChannel(channel));
    params.channel = channel;
  }
  if (gateway !== undefined) {
    conditions.push(`${gatewayKeyOf('o.payment_gateway')} = {gateway:String}`);
    params.gateway = gatewayKey(gateway);
  }
  if (missingCost !== undefined) either(missingCost, 'o.lines_without_cost > 0');
  if (refunded !== undefined) either(refunded, 'o.refunds > 0');
  if (loss !== undefined) either(loss, `${profitOf(filter.rules)} <= ${LEAST_LOSS}`);
  if (q !== undefined) {
    conditions.push(`(${startsWith('o.order_id')} OR ${startsWith('o.order_name')})`);
    params.q = q;
  }
  if (warned !== undefined) conditions.push(warned ? 'o.is_warned' : 'NOT o.is_warned');
  return { from: `${listed(status === 'deleted')}${conditions.map((one) => ` AND ${one}`).join('')}`, params };
}

/** The condition of those orders of a filter that count. */
export const countedIn = ({ status }: OrderFilter): string => (status === 'deleted' ? 'false' : COUNTED);

/** Of the profit of an order, which an answer rounds: what rounds to zero is no loss. */
const LEAST_LOSS = exact(`'-0.0000005'`);

/** What the rebuild has written of an order. */
const STORED = [
  'order_id',
  'order_name',
  'placed_at',
  'status',
  'is_test',
  'payment_gateway',
  'is_warned',
  'has_gateway_fee',
  'revenue',
  'refunds',
  'gateway_fees',
  'tax',
  'tax_refunded',
  'fulfillment_cost',
  'cogs',
  'lines_without_cost',
  'skus',
] as const;

/** `FROM … WHERE …` of the orders of the days; of deleted ones, which bring nothing, what they were. */
function listed(deleted: boolean): string {
  if (!deleted) {
    return `FROM (
      SELECT d.placed_day AS placed_day, ${STORED.join(', ')} FROM order_profit AS d FINAL
      ARRAY JOIN ${STORED.map((name) => `d.orders.${name} AS ${name}`).join(', ')}
      WHERE ${daysOf('d')}
    ) AS o WHERE true`;
  }
  return `FROM (
      SELECT o.placed_day AS placed_day, o.order_id AS order_id, o.order_name AS order_name, o.placed_at AS placed_at,
        o.status AS status, o.is_test AS is_test, o.payment_gateway AS payment_gateway, notEmpty(o.warnings.code) AS is_warned, o.line_items.sku AS skus, o.total AS revenue,
        toDecimal128(0, 6) AS tax, toDecimal128(0, 6) AS tax_refunded, toDecimal128(0, 6) AS fulfillment_cost, toDecimal128(0, 6) AS refunds, toDecimal128(0, 6) AS gateway_fees, true AS has_gateway_fee,
        toDecimal256(0, 12) AS cogs, toUInt64(0) AS lines_without_cost ${source(daysOf, true)}
    ) AS o WHERE true`;
}

/**
 * `FROM … WHERE …` of the newest rows in a scope of the primary key; `scopeOf` gives it for a table by its alias. A deleted
 * order keeps its content in the row that deleted it; a tombstone of a day that an order left has none, and no time. Only
 * orders that have such a row are looked at in all their versions. `join` is what is joined to them.
 */
export function source(scopeOf: (table: string) => string, deleted: boolean, join = ''): string {
  if (!deleted) return `FROM orders AS o FINAL${join} WHERE ${scopeOf('o')}`;
  return `FROM (
      SELECT * FROM orders AS v WHERE ${scopeOf('v')} AND (v.placed_day, v.order_id) IN (
        SELECT d.placed_day, d.order_id FROM orders AS d WHERE ${scopeOf('d')} AND ${isDeletion('d')}
      ) ORDER BY v.version DESC LIMIT 1 BY v.placed_day, v.order_id
    ) AS o${join} WHERE ${isDeletion('o')}`;
}

/** Joins what is known apart of the costs of the orders in a scope; see `FEE` and `FULFILLMENT_COST`. */
export const knownCosts = (scopeOf: (table: string) => string): string =>
  joinOrderCosts('o.order_id', `SELECT y.order_id FROM orders AS y WHERE ${scopeOf('y')}`);

/** SKUs of the orders in a scope, and of what they were before: what is too much does no harm, and FINAL costs more. */
export function skusIn(scopeOf: (table: string) => string): string {
  return `SELECT arrayJoin(s.line_items.sku) FROM orders AS s WHERE ${scopeOf('s')}`;
}

function isDeletion(table: string): string {
  return `${table}.is_deleted = 1 AND toUnixTimestamp64Micro(${table}.placed_at) > 0`;
}

function inChannel(channel: string): string {
  const isNone = channel === UNATTRIBUTED_CHANNEL;
  return `(o.placed_day, o.order_id) ${isNone ? 'NOT IN' : 'IN'} (
    SELECT a.placed_day, a.order_id FROM order_attribution AS a FINAL
    WHERE ${daysOf('a')} AND a.last_touch ${isNone ? '!=' : '='} {channel:String})`;
}
