import type { OpenDay } from '../../domain/metrics/order-fact.js';
import { PRODUCT_AMOUNTS } from '../../domain/metrics/sums.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';
import { ONE_THREAD } from '../sql.js';
import { dayList } from './open-days.js';

interface StoreOptions {
  /**
   * Taken before anything is read here, also before the question for returns: a rebuild under an earlier stamp had read no return that this
   * question does not find.
   */
  computedAt: number;
  /** Rows of orders of these days that were just read. */
  open: readonly OpenDay[];
  /** Cores that it takes at most; absent: all of them. */
  threads?: number | undefined;
}

/**
 * Stores in `daily_products` what these days sold of each SKU, a row a day; of a day that sold nothing an empty one. Nothing is joined:
 * of a day of 18 orders this takes 14 ms of CPU, with a part for returns 20.
 */
export async function storeDayProducts(
  warehouse: Warehouse,
  days: readonly { shopId: string; day: string }[],
  { computedAt, open, threads }: StoreOptions,
): Promise<void> {
  if (days.length === 0) return;
  const list = dayList(days);
  const sold = new Set(open.filter(isSale).map(({ shop_id, day }) => `${shop_id} ${day}`));
  // Those that may have lost their last order.
  const doubted = days.filter(({ shopId, day }) => !sold.has(`${shopId} ${day}`));
  const parts = [
    soldOn(list),
    ...((await hasReturns(warehouse, list)) ? [returnedOn(list)] : []),
    ...(doubted.length === 0 ? [] : [nothingOn(dayList(doubted))]),
  ];
  const columns = PRODUCT_COLUMNS.map((name) => `\`products.${name}\``);
  await warehouse.run({
    name: 'products of days',
    sql: `INSERT INTO daily_products (shop_id, day, computed_at, ${columns.join(', ')})
      SELECT p.shop_id, p.day, toUInt64(${computedAt}), ${PRODUCT_COLUMNS.map((_, i) => `p.list.${i + 1}`).join(', ')}
      FROM (
        SELECT e.shop_id AS shop_id, e.day AS day,
          -- As one list: with a list a column this takes twice the time.
          groupArrayIf((${PRODUCT_COLUMNS.map((name) => `e.${name}`).join(', ')}), e.is_entry) AS list
        FROM (${parts.join(' UNION ALL ')}) AS e
        GROUP BY e.shop_id, e.day
      ) AS p${threads === undefined ? '' : ` SETTINGS max_threads = ${threads}`}`,
  });
}

/** Of Nested `products`, in the order of the parts below. */
export const PRODUCT_COLUMNS = ['sku', 'cost_day', 'unit_cost', 'title', ...PRODUCT_AMOUNTS];

const isSale = ({ day, placed_day, orders, lines }: OpenDay): boolean =>
  day === placed_day && orders === 1 && lines.skus.length > 0;

/** Of a day of 40,000 orders `notEmpty`, which the engine compares with zero, takes 6 ms of CPU, and this 4. */
const HAS_RETURNS = defineQuery('whether days have returned lines', texts('day'));

const hasReturns = async (warehouse: Warehouse, days: string): Promise<boolean> =>
  (
    await warehouse.ask(
      HAS_RETURNS(
        `SELECT toString(d.day) AS day FROM order_days AS d
         WHERE (d.shop_id, d.day) IN (${days}) AND length(d.refund_lines.restock) > 0 LIMIT 1 ${ONE_THREAD}`,
      ),
    )
  ).length > 0;

/**
 * Prices are in `orders`, which has one row an order, on its placed day; all else in `order_days`. The age of a title is one number:
 * 675,000 lines are grouped in 255 ms of CPU with it, and in 550 ms with a tuple of time and version. Discounts come off the
 * sum: off each line they cost 3 of 53 ms of 100,000 lines.
 */
const soldOn = (days: string): string => `
  SELECT o.shop_id AS shop_id, o.placed_day AS day, true AS is_entry,
    line_sku AS sku, o.placed_day AS cost_day, line_cost AS unit_cost,
    argMaxIf(line_title, o.version, line_title != '') AS title,
    count() AS lines_sold, sum(line_quantity) AS units_sold,
    toDecimal128(0, 6) AS units_returned, toDecimal128(0, 6) AS units_restocked,
    sum(toDecimal256(line_quantity, 6) * line_price) - sum(line_discount) AS revenue,
    toDecimal256(0, 12) AS refunds, sum(line_discount) AS discounts
  FROM orders AS o FINAL
  ARRAY JOIN o.line_items.sku AS line_sku, o.line_items.unit_cost AS line_cost, o.line_items.title AS line_title,
    o.line_items.quantity AS line_quantity, o.line_items.unit_price AS line_price, o.line_items.line_discount AS line_discount
  WHERE (o.shop_id, o.placed_day) IN (${days}) AND o.status = 'paid' AND NOT o.is_test
  GROUP BY o.shop_id, o.placed_day, line_sku, line_cost`;

/**
 * Of a line that comes back, the discount of the line comes off its price: what was sold for 17 instead of 20 brings back 17, and half of
 * it 8.50; a share without an end is cut at the twelfth decimal.
 */
const returnedOn = (days: string): string => `
  SELECT d.shop_id AS shop_id, d.day AS day, true AS is_entry,
    line_sku AS sku, d.placed_day AS cost_day, line_cost AS unit_cost, '' AS title,
    toUInt64(0) AS lines_sold, toDecimal128(0, 6) AS units_sold,
    sum(line_quantity) AS units_returned, sumIf(line_quantity, line_restock) AS units_restocked, toDecimal256(0, 12) AS revenue,
    sum(
      toDecimal256(line_quantity, 6) * toDecimal256(line_price, 6)
        - if(line_sold = 0, toDecimal256(0, 12), toDecimal256(line_quantity, 6) * toDecimal256(line_discount, 6) / if(line_sold = 0, 1, line_sold))
    ) AS refunds,
    toDecimal128(0, 6) AS discounts
  FROM order_days AS d FINAL
  ARRAY JOIN d.refund_lines.sku AS line_sku, d.refund_lines.unit_cost AS line_cost, d.refund_lines.quantity AS line_quantity,
    d.refund_lines.restock AS line_restock, d.refund_lines.unit_price AS line_price, d.refund_lines.sold AS line_sold,
    d.refund_lines.line_discount AS line_discount
  WHERE (d.shop_id, d.day) IN (${days})
  GROUP BY d.shop_id, d.day, line_sku, d.placed_day, line_cost`;

const nothingOn = (days: string): string => `
  SELECT n.1 AS shop_id, toDate(n.2) AS day, false AS is_entry,
    '' AS sku, toDate(n.2) AS cost_day, CAST(NULL, 'Nullable(Decimal(38, 6))') AS unit_cost, '' AS title,
    toUInt64(0) AS lines_sold, toDecimal128(0, 6) AS units_sold, toDecimal128(0, 6) AS units_returned,
    toDecimal128(0, 6) AS units_restocked, toDecimal256(0, 12) AS revenue, toDecimal256(0, 12) AS refunds, toDecimal128(0, 6) AS discounts
  FROM (SELECT arrayJoin([${days}]) AS n)`;
