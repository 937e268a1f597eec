import { UNATTRIBUTED_CHANNEL } from '../../domain/attribution/attribution.js';
import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import type { DayRange } from '../../domain/metrics/range.js';
import { formatDay } from '../../domain/time.js';
import type { CustomerKind } from '../../domain/orders/customer-kinds.js';
import type { QueryParams } from '../query.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { stampOf, startsWith } from '../sql.js';
import { isKind } from './customer-orders.js';
import { joinOrderCosts } from './order-costs.js';
import { factConditions, type FactFilter } from './order-dimensions.js';
import { exact, profitOf } from './order-profits.js';

/** Which orders of a shop. What is absent selects nothing out. */
export interface OrderFilter extends FactFilter {
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
  /** Counted orders of one kind. */
  customerKind?: CustomerKind | undefined;
  /** How the id or the name begins, in any case. */
  q?: string | undefined;
  /** The fee rules, by which a profit is computed. */
  rules: readonly GatewayFeeRule[];
}

/** Whether it selects nothing out but by day, and finds all live orders of its range. */
export function isOfAll({ shopId: _shop, range: _range, rules: _rules, ...conditions }: OrderFilter): boolean {
  return Object.values(conditions).every((value) => value === undefined);
}

/** The condition of an order that counts, among those that are not deleted. */
export const COUNTED = `(o.status = 'paid' AND NOT o.is_test)`;

const daysOf = (table: string): string =>
  `${table}.shop_id = {shop:String} AND ${table}.placed_day BETWEEN {from:Date} AND {to:Date}`;

/**
 * `SELECT … FROM … WHERE …` of what `selected` says of the orders `o` that pass a filter and a condition more. With only the
 * columns that it names.
 */
export function ordersOf(filter: OrderFilter, selected: string, more?: string): { sql: string; params: QueryParams } {
  const {
    shopId,
    range,
    status,
    counted,
    sku,
    channel,
    gateway,
    missingCost,
    warned,
    refunded,
    loss,
    customerKind,
    q,
  } = filter;
  const params: QueryParams = { shop: shopId, from: formatDay(range.from), to: formatDay(range.to) };
  const facts = factConditions(filter);
  Object.assign(params, facts.params);
  const conditions = facts.conditions;
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
    conditions.push(`${CHANNEL} = {channel:String}`);
    params.channel = channel;
  }
  if (gateway !== undefined) {
    conditions.push('o.gateway = {gateway:String}');
    params.gateway = gatewayKey(gateway);
  }
  if (missingCost !== undefined) either(missingCost, 'o.lines_without_cost > 0');
  if (refunded !== undefined) either(refunded, 'o.refunds > 0');
  if (loss !== undefined) either(loss, `${profitOf(filter.rules)} <= ${LEAST_LOSS}`);
  if (customerKind !== undefined) conditions.push(isCounted, isKind(customerKind, range));
  if (q !== undefined) {
    conditions.push(`(${startsWith('o.order_id')} OR ${startsWith('o.order_name')})`);
    params.q = q;
  }
  if (warned !== undefined) conditions.push(warned ? 'o.is_warned' : 'NOT o.is_warned');
  if (more !== undefined) conditions.push(more);
  const text = [selected, ...conditions].join(' ');
  const named = COLUMNS.filter((name) => new RegExp(`\\bo\\.${name}\\b`).test(text));
  const from = status === 'deleted' ? deletedOrders() : storedOrders(named);
  const where = conditions.length === 0 ? '' : `\n    WHERE ${conditions.join(' AND ')}`;
  return { sql: `SELECT ${selected} FROM ${from} AS o${where}`, params };
}

/** The channel of the last touch; no event names an order without one. */
export const CHANNEL = `if(o.channel = '', '${UNATTRIBUTED_CHANNEL}', toString(o.channel))`;

/** The condition of those orders of a filter that count. */
export const countedIn = ({ status }: OrderFilter): string => (status === 'deleted' ? 'false' : COUNTED);

/** Of the profit of an order, which an answer rounds: what rounds to zero is no loss. */
const LEAST_LOSS = exact(`'-0.0000005'`);

/** Columns of an order by their names in `order_facts`, whose sums of a day have the plain names. */
const STORED = {
  order_id: 'order_id',
  order_name: 'order_name',
  placed_at: 'placed_at',
  updated_at: 'updated_at',
  received_at: 'received_at',
  status: 'status',
  is_test: 'is_test',
  payment_gateway: 'payment_gateway',
  gateway: 'gateway',
  is_warned: 'is_warned',
  has_gateway_fee: 'has_gateway_fee',
  revenue: 'order_revenue',
  refunds: 'order_refunds',
  gateway_fees: 'order_gateway_fees',
  tax: 'order_tax',
  tax_refunded: 'order_tax_refunded',
  fulfillment_cost: 'fulfillment_cost',
  cogs: 'order_cogs',
  lines_without_cost: 'lines_without_cost',
  skus: 'skus',
  customer_id: 'customer_id',
  channel: 'last_touch',
  campaign: 'last_campaign',
  country: 'country',
  sales_channel: 'sales_channel',
  discount_codes: 'discount_codes',
  tags: 'tags',
} as const;

/** Amounts of an order that lists show and add up. */
export const AMOUNTS = ['revenue', 'refunds', 'gateway_fees', 'tax', 'tax_refunded', 'cogs'] as const;

type StoredColumn = keyof typeof STORED;
const COLUMNS = Object.keys(STORED) as StoredColumn[];

/** Orders of the days, with some of their columns. */
function storedOrders(columns: readonly StoredColumn[]): string {
  return `(
      SELECT ${['d.day AS placed_day', ...columns.map((name) => `d.${STORED[name]} AS ${name}`)].join(', ')}
      FROM order_facts AS d FINAL
      WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date} AND d.is_listed
    )`;
}

/**
 * Deleted orders of the days, which bring nothing, as they were: by the rows that deleted them, which keep the content. A
 * tombstone of a day that an order left has none, and no time. Only orders that have such a row are looked at in all versions.
 */
function deletedOrders(): string {
  const deleted = `FROM orders AS d WHERE ${daysOf('d')} AND ${isDeletion('d')}`;
  const zero = 'toDecimal128(0, 6)';
  const credited = `SELECT a.placed_day, a.order_id, a.last_touch FROM order_attribution AS a FINAL
      WHERE ${daysOf('a')} AND (a.placed_day, a.order_id) IN (SELECT d.placed_day, d.order_id ${deleted})`;
  return `(
      SELECT v.placed_day AS placed_day, v.order_id AS order_id, v.order_name AS order_name, v.placed_at AS placed_at,
        v.updated_at AS updated_at, toUInt64(${stampOf('v.version')}) AS received_at, v.status AS status, v.is_test AS is_test,
        v.payment_gateway AS payment_gateway, v.gateway AS gateway, v.customer_id AS customer_id, v.country AS country,
        v.sales_channel AS sales_channel, c.last_touch AS channel, '' AS campaign, v.discount_codes AS discount_codes, v.tags AS tags, notEmpty(v.warnings.code) AS is_warned, v.line_items.sku AS skus,
        v.total AS revenue, ${zero} AS refunds, ${zero} AS gateway_fees, true AS has_gateway_fee, ${zero} AS tax,
        ${zero} AS tax_refunded, coalesce(x.fulfillment_cost, v.fulfillment_cost) AS fulfillment_cost,
        toDecimal256(0, 12) AS cogs, toUInt64(0) AS lines_without_cost
      FROM (
        SELECT * FROM orders AS n WHERE ${daysOf('n')} AND (n.placed_day, n.order_id) IN (SELECT d.placed_day, d.order_id ${deleted})
        ORDER BY n.version DESC LIMIT 1 BY n.placed_day, n.order_id
      ) AS v${joinOrderCosts('v.order_id', `SELECT d.order_id ${deleted}`)}
      LEFT JOIN (${credited}) AS c ON c.placed_day = v.placed_day AND c.order_id = v.order_id
      WHERE ${isDeletion('v')}
    )`;
}

function isDeletion(table: string): string {
  return `${table}.is_deleted = 1 AND toUnixTimestamp64Micro(${table}.placed_at) > 0`;
}
