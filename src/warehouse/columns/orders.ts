import { gatewayKey } from '../../domain/costs/gateway-fees.js';
import { toMicros } from '../../domain/money.js';
import {
  lineFinder,
  micros,
  orderDays,
  orderTimes,
  type FindLine,
  type OrderDay,
  type OrderInput,
  type OrderTimes,
  type RefundInput,
} from '../../domain/orders/orders.js';
import type { LocalDay } from '../../domain/time.js';
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
  /** Begins anew with the orders of a shop. Rows that were given before must not be needed any more. */
  begin(shopId: string, localDay: LocalDay): void;
  add(order: OrderInput): void;
  /** The rows of those orders that the reservation accepted; order `i` has the arrival stamp `first + i`. */
  rows(accepted: readonly boolean[], first: number): OrderRows;
  /** Bytes that it takes. */
  size(): number;
}

export function createOrderEncoder(): OrderEncoder {
  const rows = new StampedRowWriter(ROWS_BYTES);
  const days = new StampedRowWriter(DAY_ROWS_BYTES);
  let shopId = '';
  let localDay: LocalDay = () => 0;
  return {
    begin(shop, dayOf) {
      rows.reset();
      days.reset();
      shopId = shop;
      localDay = dayOf;
    },
    add(order) {
      const times = orderTimes(order, localDay);
      const findLine = lineFinder(order);
      writeOrder(rows, shopId, order, times);
      rows.endItem();
      for (const day of orderDays(order, times, findLine)) {
        writeOrderDay(days, shopId, order, times, day);
        writeRefundsOfDay(days, day.refunds, findLine);
      }
      days.endItem();
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

function writeRefundsOfDay(w: RowBinaryWriter, refunds: readonly RefundInput[], findLine: FindLine): void {
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
      sold: findLine(item.line_id),
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
