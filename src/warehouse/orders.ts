import { gatewayKey } from '../domain/gateway-fees.js';
import { toMicros } from '../domain/money.js';
import {
  micros,
  orderDays,
  orderTimes,
  type OrderDay,
  type OrderInput,
  type OrderTimes,
  type RefundInput,
} from '../domain/orders.js';
import type { LocalDay } from '../domain/time.js';
import type { Warehouse } from './client.js';
import type { RowBinaryWriter } from './row-binary.js';
import { StampedRowWriter } from './stamped-rows.js';

/** Rows of many orders as ready-made bytes, in the column order of the two insert statements below. */
export interface OrderRows {
  orders: Buffer;
  orderDays: Buffer;
}

export const INSERT_ORDERS = `INSERT INTO orders (shop_id, order_id, version, is_deleted, order_name, placed_at, placed_day,
  updated_at, currency, status, is_test, customer_id, discounts, shipping, tax, taxes_included, tips, duties,
  rounding_adjustment, total, payment_gateway, gateway_fee, subscription_id,
  line_items.line_id, line_items.quantity, line_items.unit_price, line_items.sku, line_items.line_discount,
  line_items.unit_cost, line_items.product_id, line_items.title,
  refunds.refund_id, refunds.refunded_at, refunds.refunded_day, refunds.total, refunds.tax_refund,
  refunds.shipping_refund, refunds.gateway_fee_refund, refunds.gift_card_refund, refunds.store_credit,
  refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock) FORMAT RowBinary`;

export const INSERT_ORDER_DAYS = `INSERT INTO order_days (shop_id, day, order_id, version, is_deleted, placed_day, orders,
  revenue, refunds, gateway_fees, has_gateway_fee, has_tax, payment_gateway,
  lines.sku, lines.quantity, lines.unit_cost, lines.restock,
  refund_list.refund_id, refund_list.refunded_at, refund_list.total, refund_list.tax_refund,
  refund_list.shipping_refund, refund_list.gateway_fee_refund, refund_list.gift_card_refund, refund_list.store_credit,
  refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
  refund_lines.unit_price, refund_lines.unit_cost) FORMAT RowBinary`;

/** Room for the rows of a batch of orders with a few lines; larger ones make their own. */
const ROWS_BYTES = 192 * 1024;
const DAY_ROWS_BYTES = 96 * 1024;

/**
 * Encodes checked orders once, at the door; from here to the warehouse nobody parses them again. The bytes come before the
 * stamps, so that the parsed orders need not outlive the wait for these. Made to be used again, because memory outside of
 * the heap that comes and goes with every batch makes the runtime collect its garbage all the time.
 */
export interface OrderEncoder {
  /** Begins anew with these orders. Rows that were given before must not be needed any more. */
  encode(shopId: string, orders: readonly OrderInput[], localDay: LocalDay): void;
  /** The rows of those orders that the reservation accepted; order `i` has the arrival stamp `first + i`. */
  rows(accepted: readonly boolean[], first: number): OrderRows;
  /** Bytes that it takes. */
  size(): number;
}

export function createOrderEncoder(): OrderEncoder {
  const rows = new StampedRowWriter(ROWS_BYTES);
  const days = new StampedRowWriter(DAY_ROWS_BYTES);
  return {
    encode(shopId, orders, localDay) {
      rows.reset();
      days.reset();
      for (const order of orders) {
        const times = orderTimes(order, localDay);
        writeOrder(rows, shopId, order, times);
        rows.endItem();
        for (const day of orderDays(order, times)) writeOrderDay(days, shopId, order, times, day);
        days.endItem();
      }
    },
    rows: (accepted, first) => ({
      orders: rows.stamped(accepted, first),
      orderDays: days.stamped(accepted, first),
    }),
    size: () => rows.length + days.length,
  };
}

function writeOrder(w: StampedRowWriter, shopId: string, order: OrderInput, times: OrderTimes): void {
  const { placedAt, placedDay, updatedAt } = times;
  w.string(shopId);
  w.string(order.order_id);
  w.version(updatedAt);
  w.bool(order.deleted ?? false);
  w.string(order.order_name ?? '');
  w.dateTime64(placedAt);
  w.date(placedDay);
  w.dateTime64(updatedAt);
  w.string(order.currency);
  w.string(order.status);
  w.bool(order.is_test ?? false);
  w.string(order.customer?.id ?? '');
  w.decimal(order.discounts ?? '0');
  w.decimal(order.shipping ?? '0');
  w.nullableDecimal(order.tax);
  w.bool(order.taxes_included ?? false);
  w.decimal(order.tips ?? '0');
  w.decimal(order.duties ?? '0');
  w.decimal(order.rounding_adjustment ?? '0');
  w.decimal(order.total);
  w.string(order.payment_gateway ?? '');
  w.nullableDecimal(order.gateway_fee);
  w.string(order.subscription_id ?? '');

  const lines = order.line_items;
  for (const line of w.array(lines)) w.string(line.line_id);
  for (const line of w.array(lines)) w.decimal(line.quantity);
  for (const line of w.array(lines)) w.decimal(line.unit_price);
  for (const line of w.array(lines)) w.string(line.sku ?? '');
  for (const line of w.array(lines)) w.decimal(line.line_discount ?? '0');
  for (const line of w.array(lines)) w.nullableDecimal(line.unit_cost);
  for (const line of w.array(lines)) w.string(line.product_id ?? '');
  for (const line of w.array(lines)) w.string(line.title ?? '');

  writeRefunds(w, order.refunds ?? [], times);
}

function writeRefunds(
  w: RowBinaryWriter,
  refunds: readonly RefundInput[],
  { refundedAt, refundedDays }: OrderTimes,
): void {
  if (refunds.length === 0) {
    w.emptyArrays(13);
    return;
  }
  for (const refund of w.array(refunds)) w.string(refund.refund_id);
  for (const instant of w.array(refundedAt)) w.dateTime64(instant);
  for (const day of w.array(refundedDays)) w.date(day);
  writeRefundAmounts(w, refunds);

  const returned = refunds.flatMap(({ refund_id, line_items = [] }) => line_items.map((line) => ({ refund_id, line })));
  for (const { refund_id } of w.array(returned)) w.string(refund_id);
  for (const { line } of w.array(returned)) w.string(line.line_id);
  for (const { line } of w.array(returned)) w.decimal(line.quantity);
  for (const { line } of w.array(returned)) w.bool(line.restock ?? false);
}

/** The columns from `total` to `store_credit`, which both tables have. */
function writeRefundAmounts(w: RowBinaryWriter, refunds: readonly RefundInput[]): void {
  for (const refund of w.array(refunds)) w.decimal(refund.total);
  for (const refund of w.array(refunds)) w.decimal(refund.tax_refund ?? '0');
  for (const refund of w.array(refunds)) w.decimal(refund.shipping_refund ?? '0');
  for (const refund of w.array(refunds)) w.decimal(refund.gateway_fee_refund ?? '0');
  for (const refund of w.array(refunds)) w.decimal(refund.gift_card_refund ?? '0');
  for (const refund of w.array(refunds)) w.bool(refund.store_credit ?? false);
}

function writeOrderDay(
  w: StampedRowWriter,
  shopId: string,
  order: OrderInput,
  { placedDay, updatedAt }: OrderTimes,
  contribution: OrderDay,
): void {
  const sale = contribution.orders === 1;
  const fee = sale ? order.gateway_fee : undefined;
  w.string(shopId);
  w.date(contribution.day);
  w.string(order.order_id);
  w.version(updatedAt);
  w.uint8(0);
  w.date(placedDay);
  w.uint8(contribution.orders);
  w.decimal(contribution.revenue ?? '0');
  writeRefundSums(w, fee ?? '0', contribution.refunds);
  w.bool(fee !== undefined);
  w.bool(sale && order.tax !== undefined);
  w.string(gatewayKey(order.payment_gateway ?? ''));
  for (const { line } of w.array(contribution.lines)) w.string(line.sku ?? '');
  for (const { quantity } of w.array(contribution.lines)) w.decimal(quantity);
  for (const { line } of w.array(contribution.lines)) w.nullableDecimal(line.unit_cost);
  for (const { restock } of w.array(contribution.lines)) w.bool(restock);
  writeRefundsOfDay(w, order, contribution.refunds);
}

/** What the refunds of a day give back, and the fees that are left of the sale's. */
function writeRefundSums(w: RowBinaryWriter, fee: string, refunds: readonly RefundInput[]): void {
  if (refunds.length === 0) {
    w.decimal('0');
    w.decimal(fee);
    return;
  }
  let refunded = 0n;
  let fees = toMicros(fee);
  for (const refund of refunds) {
    refunded += toMicros(refund.total);
    fees -= toMicros(refund.gateway_fee_refund ?? '0');
  }
  w.micros(refunded);
  w.micros(fees);
}

function writeRefundsOfDay(w: RowBinaryWriter, order: OrderInput, refunds: readonly RefundInput[]): void {
  if (refunds.length === 0) {
    w.emptyArrays(15);
    return;
  }
  for (const refund of w.array(refunds)) w.string(refund.refund_id);
  for (const refund of w.array(refunds)) w.dateTime64(micros(refund.refunded_at));
  writeRefundAmounts(w, refunds);

  const lines = refunds.flatMap(({ refund_id, line_items = [] }) =>
    line_items.map((item) => ({
      refund_id,
      item,
      sold: order.line_items.find(({ line_id }) => line_id === item.line_id),
    })),
  );
  for (const { refund_id } of w.array(lines)) w.string(refund_id);
  for (const { item } of w.array(lines)) w.string(item.line_id);
  for (const { item } of w.array(lines)) w.decimal(item.quantity);
  for (const { item } of w.array(lines)) w.bool(item.restock ?? false);
  for (const { sold } of w.array(lines)) w.string(sold?.sku ?? '');
  for (const { sold } of w.array(lines)) w.decimal(sold?.unit_price ?? '0');
  for (const { sold } of w.array(lines)) w.nullableDecimal(sold?.unit_cost);
}

export type NewestVersions = (shopId: string, orderIds: readonly string[]) => Promise<Map<string, number>>;

/** Point look-up for the stale guard: microseconds of the newest `updated_at` of those orders that are stored. */
export function createNewestVersions(warehouse: Warehouse): NewestVersions {
  return async (shopId, orderIds) => {
    const rows = await warehouse.query<{ order_id: string; updated: string }>(
      `SELECT order_id, bitShiftRight(max(version), 64) AS updated FROM order_keys
       WHERE shop_id = ${literal(shopId)} AND order_id IN (${orderIds.map(literal).join(',')}) GROUP BY order_id`,
    );
    return new Map(rows.map((row) => [row.order_id, Number(row.updated)]));
  };
}

/** A shop and the ids of orders of it that have just been written. */
export interface WrittenOrders {
  shopId: string;
  orderIds: readonly string[];
}

/**
 * Outdates what older versions of the written orders left on days that their newest version is not on, and gives every day
 * that any version of them stands on: those are to be rebuilt. Run after the rows of the written versions are stored, it
 * converges whatever the interleaving of writers, crashes and repeats: each writer reads after its own write, so the last
 * one to read sees all versions.
 */
export async function settleOrderDays(warehouse: Warehouse, written: WrittenOrders): Promise<string[]> {
  const shop = literal(written.shopId);
  const rows = await warehouse.query<{ days: string[]; left: [string, string, string][] }>(
    `SELECT
       groupUniqArrayArray(all_days) AS days,
       groupArrayArray(arrayMap(d -> (order_id, d.1, winner), arrayFilter(d -> d.2 < winner AND d.3 = 0, newest))) AS left
     FROM (
       SELECT
         k.order_id AS order_id,
         groupArray((toString(k.day), k.newest_version, k.newest_deleted)) AS newest,
         groupArray(toString(k.day)) AS all_days,
         max(k.newest_version) AS winner
       FROM (
         SELECT order_id, day, max(version) AS newest_version, argMax(is_deleted, (version, is_deleted)) AS newest_deleted
         FROM order_keys
         WHERE shop_id = ${shop} AND order_id IN (${written.orderIds.map(literal).join(',')})
         GROUP BY order_id, day
       ) AS k
       GROUP BY k.order_id
     )`,
  );
  const { days = [], left = [] } = rows[0] ?? {};
  await warehouse.insert(
    'order_days',
    left.map(([order_id, day, version]) => ({
      shop_id: written.shopId,
      order_id,
      day,
      version,
      is_deleted: 1,
      placed_day: day,
    })),
  );
  return days;
}

/** A string literal. Ids travel in the statement because a query parameter is cut at 128 KB. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
