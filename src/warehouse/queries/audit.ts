import { Type } from 'typebox';
import type {
  AuditedCost,
  AuditedFigures,
  AuditedKey,
  AuditedOrder,
  AuditedOrderCost,
  AuditedOrderDay,
  AuditedProducts,
  AuditedSpend,
  AuditedSums,
} from '../../domain/audit/audited-rows.js';
import { FACT_SUMS, ORDER_AMOUNTS } from '../../domain/metrics/sums.js';
import type { Warehouse } from '../client.js';
import { AMOUNTS } from '../columns/orders.js';
import { schemasOf } from '../columns/read-columns.js';
import { ONE_THREAD } from '../sql.js';
import { auditedOrderCosts } from './order-costs.js';
import type { RollupDay } from './rollups.js';
import { defineQuery, nullable, textOf, texts, type QueryParams } from '../query.js';

export type AuditedDay = RollupDay;

/** One of several parts of the orders of a day, by a hash of their ids: a day may have more than memory should hold. */
export interface Slice {
  index: number;
  count: number;
}

/** Unit costs, rows of spend, and entries of products that are read of a day; a caller that finds more has not read them all. */
export const MAX_ROWS = 200_000;

/**
 * Rows of a day as they were written, all versions of them. Nothing is summed up, joined or replaced here but the rows of
 * `order_facts`: that the auditor does by itself. It never takes more than one core.
 */
export interface AuditReader {
  /** Rows of the day in `order_days` or `orders`, whichever are more, older versions included. */
  countOrders(of: AuditedDay): Promise<number>;
  /** Orders that were placed on the day, or have a row of it in `order_days`. */
  orders(of: AuditedDay, slice: Slice): Promise<AuditedOrder[]>;
  orderDays(of: AuditedDay, slice: Slice): Promise<AuditedOrderDay[]>;
  /** Of orders that were placed on the day. */
  keys(of: AuditedDay, slice: Slice): Promise<AuditedKey[]>;
  /** What is known apart of orders that were placed on the day. */
  orderCosts(of: AuditedDay, slice: Slice): Promise<AuditedOrderCost[]>;
  /** Of the SKUs of the day. */
  costs(of: AuditedDay): Promise<AuditedCost[]>;
  spend(of: AuditedDay): Promise<{ rows: AuditedSpend[]; clears: AuditedSpend[] }>;
  rollups(of: AuditedDay): Promise<{ figures: AuditedFigures[]; products: AuditedProducts[]; facts: AuditedSums }>;
  /** The first shop after this one; null after the last. */
  nextShop(after: string): Promise<string | null>;
  /** The shop's first day with orders or figures after this one; null after the last. */
  nextDay(shopId: string, after: string): Promise<string | null>;
}

const OF_DAY = 'WHERE shop_id = {shop:String} AND day = {day:Date}';
const PLACED = 'WHERE shop_id = {shop:String} AND placed_day = {day:Date}';
const FIRST_ROWS = `LIMIT ${MAX_ROWS + 1}`;
const IN_SLICE = 'AND cityHash64(order_id) % {count:UInt32} = {index:UInt32}';

const ORDER_COLUMNS = `order_id, toString(version) AS version, is_deleted, placed_day, status, is_test, taxes_included,
  payment_gateway, ${AMOUNTS.map(([name]) => name).join(', ')},
  arrayZip(line_items.line_id, line_items.quantity, line_items.unit_price, line_items.sku, line_items.line_discount,
    line_items.unit_cost) AS lines,
  CAST(arrayZip(refunds.refund_id, refunds.refunded_day, refunds.total, refunds.tax_refund, refunds.gateway_fee_refund),
    'Array(Tuple(refund_id String, refunded_day Date, total Decimal(38, 6), tax_refund Nullable(Decimal(38, 6)),
      gateway_fee_refund Decimal(38, 6)))') AS refunds,
  arrayZip(refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock) AS refund_lines`;

const ORDERS = `SELECT ${ORDER_COLUMNS} FROM orders ${PLACED} ${IN_SLICE}
  UNION ALL
  SELECT ${ORDER_COLUMNS} FROM orders
  WHERE shop_id = {shop:String} AND placed_day != {day:Date} AND (placed_day, order_id) IN
    (SELECT d.placed_day, d.order_id FROM order_days AS d
     WHERE d.shop_id = {shop:String} AND d.day = {day:Date} AND d.placed_day != d.day) ${IN_SLICE} ${ONE_THREAD}`;

const ORDER_DAYS = `SELECT order_id, toString(version) AS version, is_deleted, orders,
    map(${ORDER_AMOUNTS.map(({ name }) => `'${name}', ${name}`).join(', ')}) AS amounts,
    has_gateway_fee, has_tax, has_fulfillment_cost, payment_gateway,
    arrayZip(lines.sku, lines.quantity, lines.unit_cost, lines.restock) AS lines,
    arrayZip(refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
      refund_lines.unit_price, refund_lines.unit_cost, refund_lines.sold, refund_lines.line_discount) AS refund_lines
  FROM order_days ${OF_DAY} ${IN_SLICE} ${ONE_THREAD}`;

const KEYS = `SELECT order_id, day, toString(version) AS version, is_deleted FROM order_keys
  WHERE shop_id = {shop:String} AND order_id IN (SELECT order_id FROM orders ${PLACED} ${IN_SLICE}) ${ONE_THREAD}`;

const COSTS = `SELECT sku, effective_from, is_epoch_day, unit_cost, toString(version) AS version,
    is_deleted
  FROM product_costs
  WHERE shop_id = {shop:String} AND sku IN
    (SELECT arrayJoin(arrayConcat(lines.sku, refund_lines.sku)) FROM order_days ${OF_DAY}) ${FIRST_ROWS} ${ONE_THREAD}`;

const ON_EVENT_DATE = 'WHERE shop_id = {shop:String} AND event_date = {day:Date}';
const SPEND = `SELECT channel, currency, (campaign_id, adset_id, ad_id) AS object, spend, toString(version) AS version,
    0 AS is_deleted
  FROM ad_spend ${ON_EVENT_DATE} ${FIRST_ROWS} ${ONE_THREAD}`;
const CLEARS = `SELECT channel, currency, ('', '', '') AS object, '0' AS spend, toString(version) AS version, 0 AS is_deleted
  FROM ad_spend_clears ${ON_EVENT_DATE} ${FIRST_ROWS} ${ONE_THREAD}`;

const ESTIMABLE = `arrayZip(estimable.payment_gateway, arrayMap(n -> toString(n), estimable.orders),
  arrayMap(a -> toString(a), estimable.revenue)) AS estimable`;

const FIGURES = `SELECT part, toString(computed_at) AS version, 0 AS is_deleted, sums, placed_sums, ${ESTIMABLE},
    arrayZip(spend.channel, spend.currency, spend.amount) AS spend
  FROM daily_orders ${OF_DAY} ${ONE_THREAD}`;

const PRODUCTS = `SELECT toString(computed_at) AS version, 0 AS is_deleted,
    arraySlice(arrayMap((sku, day, cost, lines, sold, returned, restocked, revenue, refunds, discounts) ->
      (sku, day, cost, toString(lines), sold, returned, restocked, revenue, refunds, discounts),
      products.sku, products.cost_day, products.unit_cost, products.lines_sold, products.units_sold, products.units_returned,
      products.units_restocked, products.revenue, products.refunds, products.discounts), 1, ${MAX_ROWS + 1}) AS products
  FROM daily_products ${OF_DAY} ORDER BY computed_at DESC LIMIT 1 ${ONE_THREAD}`;

/** What the figures of the day are summed up from. */
const FACTS = `SELECT map(${FACT_SUMS.map((name) => `'${name}', toDecimal256(sum(f.${name}), 12)`).join(', ')}) AS sums
  FROM order_facts AS f FINAL WHERE f.shop_id = {shop:String} AND f.day = {day:Date} ${ONE_THREAD}`;

const TEXT = Type.String();
const VERSIONED = { version: TEXT, is_deleted: Type.Number() };
const ESTIMABLE_COLUMN = Type.Array(Type.Tuple([TEXT, TEXT, TEXT]));
const SUMS = Type.Record(TEXT, TEXT);
const ROW_COUNT = defineQuery('count of audited orders', texts('count'));
const STORED_ORDERS = defineQuery('audited orders', {
  ...VERSIONED,
  ...texts('order_id', 'placed_day', 'payment_gateway'),
  status: textOf<AuditedOrder['status']>(),
  is_test: Type.Boolean(),
  taxes_included: Type.Boolean(),
  ...schemasOf(AMOUNTS),
  lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, TEXT, TEXT, nullable(TEXT)])),
  refunds: Type.Array(
    Type.Object({
      ...texts('refund_id', 'refunded_day', 'total'),
      tax_refund: nullable(TEXT),
      gateway_fee_refund: TEXT,
    }),
  ),
  refund_lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, Type.Boolean()])),
});
const STORED_ORDER_DAYS = defineQuery('audited days of orders', {
  ...VERSIONED,
  order_id: TEXT,
  orders: Type.Number(),
  amounts: SUMS,
  has_gateway_fee: Type.Boolean(),
  has_tax: Type.Boolean(),
  has_fulfillment_cost: Type.Boolean(),
  payment_gateway: TEXT,
  lines: Type.Array(Type.Tuple([TEXT, TEXT, nullable(TEXT), Type.Boolean()])),
  refund_lines: Type.Array(Type.Tuple([TEXT, TEXT, TEXT, Type.Boolean(), TEXT, TEXT, nullable(TEXT), TEXT, TEXT])),
});
const STORED_KEYS = defineQuery('audited keys of orders', { ...VERSIONED, order_id: TEXT, day: TEXT });
const STORED_COSTS = defineQuery('audited unit costs', {
  ...VERSIONED,
  ...texts('sku', 'effective_from'),
  is_epoch_day: Type.Number(),
  unit_cost: TEXT,
});
const STORED_SPEND = defineQuery('audited spend', {
  ...VERSIONED,
  ...texts('channel', 'currency'),
  object: Type.Tuple([TEXT, TEXT, TEXT]),
  spend: TEXT,
});
const STORED_FIGURES = defineQuery('audited figures', {
  ...VERSIONED,
  part: textOf<'orders' | 'spend'>(),
  sums: SUMS,
  placed_sums: SUMS,
  estimable: ESTIMABLE_COLUMN,
  spend: Type.Array(Type.Tuple([TEXT, TEXT, TEXT])),
});
const STORED_PRODUCTS = defineQuery('audited products', {
  ...VERSIONED,
  products: Type.Unsafe<AuditedProducts['products']>(Type.Array(Type.Array(nullable(TEXT)))),
});
const STORED_FACTS = defineQuery('audited rows of orders', { sums: SUMS });
const NEXT = { next: TEXT };
const NEXT_SHOPS = defineQuery('next shop to audit', NEXT);
const NEXT_DAYS = defineQuery('next day to audit', NEXT);

/** A write may have ended after any of them. */
const TABLES = [
  ['orders', 'placed_day'],
  ['order_days', 'day'],
  ['daily_orders', 'day'],
] as const;
type DayTable = (typeof TABLES)[number];

/** In the order of the key: as quick in a shop of ten years. */
const NEXT_DAY = ([table, day]: DayTable): string =>
  `SELECT t.${day} AS next FROM ${table} AS t
   WHERE t.shop_id = {shop:String} AND t.${day} > {day:Date} ORDER BY t.shop_id, t.${day} LIMIT 1`;
const NEXT_SHOP = ([table]: DayTable): string =>
  `SELECT t.shop_id AS next FROM ${table} AS t WHERE t.shop_id > {shop:String} ORDER BY t.shop_id LIMIT 1`;

export function createAuditReader(warehouse: Warehouse): AuditReader {
  const paramsOf = ({ shopId, day }: AuditedDay, slice?: Slice): QueryParams => ({ shop: shopId, day, ...slice });
  const first = async (
    query: typeof NEXT_SHOPS,
    sql: (table: DayTable) => string,
    params: QueryParams,
  ): Promise<string | null> => {
    const found = await Promise.all(TABLES.map((table) => warehouse.ask(query(sql(table), params))));
    return found.flatMap((rows) => rows.map(({ next }) => next)).sort()[0] ?? null;
  };
  return {
    async countOrders(of) {
      const counts = await Promise.all([
        warehouse.ask(ROW_COUNT(`SELECT count() AS count FROM order_days ${OF_DAY}`, paramsOf(of))),
        warehouse.ask(ROW_COUNT(`SELECT count() AS count FROM orders ${PLACED}`, paramsOf(of))),
      ]);
      return Math.max(...counts.map(([row]) => Number(row?.count ?? 0)));
    },
    orders: (of, slice) => warehouse.ask(STORED_ORDERS(ORDERS, paramsOf(of, slice))),
    orderDays: (of, slice) => warehouse.ask(STORED_ORDER_DAYS(ORDER_DAYS, paramsOf(of, slice))),
    keys: (of, slice) => warehouse.ask(STORED_KEYS(KEYS, paramsOf(of, slice))),
    costs: (of) => warehouse.ask(STORED_COSTS(COSTS, paramsOf(of))),
    orderCosts: (of, slice) =>
      warehouse.ask(auditedOrderCosts(`SELECT order_id FROM orders ${PLACED} ${IN_SLICE}`, paramsOf(of, slice))),
    async spend(of) {
      const [rows, clears] = await Promise.all([
        warehouse.ask(STORED_SPEND(SPEND, paramsOf(of))),
        warehouse.ask(STORED_SPEND(CLEARS, paramsOf(of))),
      ]);
      return { rows, clears };
    },
    async rollups(of) {
      const [figures, products, facts] = await Promise.all([
        warehouse.ask(STORED_FIGURES(FIGURES, paramsOf(of))),
        warehouse.ask(STORED_PRODUCTS(PRODUCTS, paramsOf(of))),
        warehouse.ask(STORED_FACTS(FACTS, paramsOf(of))),
      ]);
      return { figures, products, facts: facts[0]?.sums ?? {} };
    },
    nextShop: (after) => first(NEXT_SHOPS, NEXT_SHOP, { shop: after }),
    nextDay: (shopId, after) => first(NEXT_DAYS, NEXT_DAY, { shop: shopId, day: after }),
  };
}
