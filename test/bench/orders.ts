import { literal } from '../../src/warehouse/sql.js';
import type { Warehouse } from '../../src/warehouse/client.js';

/** Orders that lie in the warehouse as if they had been pushed: spread evenly over days, one to four lines each. */
export interface StoredHistory {
  shopId: string;
  orders: number;
  /** `YYYY-MM-DD`. */
  firstDay: string;
  days: number;
  articles: number;
  /** How many customers they are of; absent: orders have no customer. */
  customers?: number;
}

const FIRST_ID = 5_000_000_000_000;
const ID_STEP = 32_768;
const DAY_MS = 86_400_000;
/** Few enough that one insert ends well within the client's time for a request. */
export const ORDERS_PER_INSERT = 250_000;

/** Writes them into `orders` and `order_days`; nothing is computed from them. */
export async function writeStoredOrders(warehouse: Warehouse, history: StoredHistory): Promise<void> {
  for (let from = 0; from < history.orders; from += ORDERS_PER_INSERT) {
    const numbers = `numbers(${from}, ${Math.min(ORDERS_PER_INSERT, history.orders - from)})`;
    await writeOrderVersions(warehouse, history, { source: numbers, version: 1 });
  }
}

/** A later version of the order of this number, as its shop pushes it: on the day that it had, of one line. */
export function storedOrder(
  { orders, firstDay, days, articles }: StoredHistory,
  number: number,
  updatedAt: string,
): object {
  const day = Date.parse(firstDay) + Math.floor((number * days) / orders) * DAY_MS;
  const total = String(10 + (number % 190));
  return {
    order_id: String(FIRST_ID + number * ID_STEP),
    placed_at: new Date(day + DAY_MS / 2).toISOString(),
    updated_at: updatedAt,
    currency: 'GBP',
    status: 'paid',
    line_items: [{ line_id: '0', quantity: '1', unit_price: total, sku: `SKU-${number % articles}` }],
    total,
  };
}

/**
 * One version of each order whose `number` the source names. With `refundedAfter`, an expression in days, the first line is
 * refunded and goes back on sale that much later. Each has an arrival stamp of its own, by which a rebuild tells them apart.
 */
export async function writeOrderVersions(
  warehouse: Warehouse,
  { shopId, orders, firstDay, days, articles, customers }: StoredHistory,
  { source, version, refundedAfter }: { source: string; version: number; refundedAfter?: string },
): Promise<void> {
  const day = `toDate('${firstDay}') + intDiv(number * ${days}, ${orders})`;
  const from = `(
    SELECT number, bitShiftLeft(toUInt128(${version}), 64) + bitShiftRight(cityHash64(${literal(shopId)}, number), 11) AS version,
      ${day} AS day, 1 + number % 4 AS size, toString(${FIRST_ID} + number * ${ID_STEP}) AS id,
      arrayMap(i -> concat('SKU-', toString(cityHash64(number, i) % ${articles})), range(size)) AS skus,
      toDecimal128(10 + number % 190, 6) AS total, day + ${refundedAfter ?? '0'} AS back_day,
      toDecimal128(9 * arraySum(i -> 1 + i % 2, range(size)), 6) AS gross,
      greatest(gross - total, 0) AS discounts, greatest(total - gross, 0) AS shipping
    FROM ${source}
  )`;
  const each = (value: string): string => `arrayMap(i -> ${value}, range(size))`;
  const none = each("CAST(NULL, 'Nullable(Decimal(38, 6))')");
  const customer = customers === undefined ? "''" : `toString(${FIRST_ID} + cityHash64(number) % ${customers})`;
  const isBack = refundedAfter !== undefined;
  const back = (values: string): string => (isBack ? `[${values}]` : '[]');
  await warehouse.command(`
    INSERT INTO orders (shop_id, order_id, version, is_deleted, placed_at, placed_day, updated_at, currency, status, customer_id, discounts,
      shipping, total, payment_gateway, gateway, gateway_fee, line_items.line_id, line_items.quantity, line_items.unit_price, line_items.sku,
      line_items.line_discount, line_items.unit_cost, line_items.product_id, line_items.title,
      refunds.refund_id, refunds.refunded_at, refunds.refunded_day, refunds.total, refunds.tax_refund, refunds.shipping_refund,
      refunds.gateway_fee_refund, refunds.gift_card_refund, refunds.store_credit,
      refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock)
    SELECT ${literal(shopId)}, id, version, 0, toDateTime64(day, 6, 'UTC') + number % 86000, day,
      toDateTime64(day, 6, 'UTC'), 'GBP', 'paid', ${customer}, discounts, shipping, total, 'paypal', 'paypal', if(number % 5 = 0, NULL, toDecimal128('0.35', 6)),
      ${each('toString(i)')}, ${each('1 + i % 2')}, ${each('9')}, skus, ${each('0')}, ${none}, ${each("''")},
      arrayMap(sku -> concat('Article ', sku), skus),
      ${back("'r'")}, ${back("toDateTime64(back_day, 6, 'UTC')")}, ${back('back_day')}, ${back('5')}, ${back('0')}, ${back('0')},
      ${back('0')}, ${back('0')}, ${back('false')},
      ${back("'r'")}, ${back("'0'")}, ${back('1')}, ${back('true')}
    FROM ${from}`);
  // What is left out is zero, as of an order that says nothing of it.
  const columns = `shop_id, day, order_id, version, is_deleted, placed_day, orders, revenue, refunds, gateway_fees, gross_sales,
    discounts, shipping, has_gateway_fee, has_tax, payment_gateway, lines.sku, lines.quantity, lines.unit_cost, lines.restock,
    refund_list.refund_id, refund_list.refunded_at, refund_list.total, refund_list.tax_refund, refund_list.shipping_refund,
    refund_list.gateway_fee_refund, refund_list.gift_card_refund, refund_list.store_credit,
    refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
    refund_lines.unit_price, refund_lines.unit_cost, refund_lines.sold, refund_lines.line_discount`;
  await warehouse.command(`
    INSERT INTO order_days (${columns})
    SELECT ${literal(shopId)}, day, id, version, 0, day, 1, total, 0, if(number % 5 = 0, 0, 0.35), gross, discounts,
      shipping, number % 5 != 0, 0, 'paypal', skus, ${each('1 + i % 2')}, ${none}, ${each('false')}, ${Array(17).fill('[]').join(', ')}
    FROM ${from}`);
  if (!isBack) return;
  await warehouse.command(`
    INSERT INTO order_days (${columns})
    SELECT ${literal(shopId)}, back_day, id, version, 0, day, 0, 0, 5, 0, 0, 0, 0, false, false, 'paypal',
      [skus[1]], [1], [NULL], [true], ['r'], [toDateTime64(back_day, 6, 'UTC')], [5], [0], [0], [0], [0], [false],
      ['r'], ['0'], [1], [true], [skus[1]], [9], [NULL], [1], [0]
    FROM ${from}`);
}

/** Two versions of the unit cost of every article, the second from 2016 on. */
export async function writeCatalog(
  warehouse: Warehouse,
  { shopId, articles }: Pick<StoredHistory, 'shopId' | 'articles'>,
): Promise<void> {
  await warehouse.command(`
    INSERT INTO product_costs (shop_id, sku, effective_from, unit_cost, currency, version, is_deleted)
    SELECT ${literal(shopId)}, concat('SKU-', toString(number % ${articles})),
      toDate('1970-01-01') + 16800 * intDiv(number, ${articles}), toDecimal128(2 + number % 17, 6), 'GBP', 1, 0
    FROM numbers(${2 * articles})`);
}
