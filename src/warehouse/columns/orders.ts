import { trimBlanks } from '../../domain/blanks.js';
import { countryCode } from '../../domain/countries.js';
import { gatewayKey } from '../../domain/costs/gateway-keys.js';
import { ORDER_AMOUNTS, type DaySum } from '../../domain/metrics/sums.js';
import { toMicros } from '../../domain/micros.js';
import {
  OCCASION,
  orderDays,
  orderTimes,
  type DatedRefund,
  type LineInput,
  type Occasion,
  type OrderDay,
  type OrderInput,
  type OrderTimes,
  type ReturnedLine,
} from '../../domain/orders/orders.js';
import { distinctFacts } from '../../domain/orders/order-facts.js';
import { orderWarnings } from '../../domain/orders/order-warnings.js';
import type { OrderWarning } from '../../domain/orders/warning-codes.js';
import type { LocalDay } from '../../domain/time.js';
import { columns, headOf, list, nested, type Column } from './columns.js';
import { StampedRowWriter, stampRows } from './stamped-rows.js';

/** A checked order on its way into `orders`. */
interface OrderState {
  shopId: string;
  order: OrderInput;
  times: OrderTimes;
  warnings: readonly OrderWarning[];
}

/** What it contributes on one day, on its way into `order_days`. */
interface DayState extends Omit<OrderState, 'warnings'> {
  day: OrderDay;
}

const NONE: readonly string[] = [];

const REFUND_AMOUNTS = [
  ['total', 'Decimal(38, 6)', ({ refund }) => refund.total],
  ['tax_refund', 'Nullable(Decimal(38, 6))', ({ refund }) => refund.tax_refund],
  ['shipping_refund', 'Decimal(38, 6)', ({ refund }) => refund.shipping_refund ?? '0'],
  ['gateway_fee_refund', 'Decimal(38, 6)', ({ refund }) => refund.gateway_fee_refund ?? '0'],
  ['gift_card_refund', 'Decimal(38, 6)', ({ refund }) => refund.gift_card_refund ?? '0'],
  ['store_credit', 'Bool', ({ refund }) => refund.store_credit ?? false],
] as const satisfies readonly Column<DatedRefund>[];

/** What is read back of an order is read by the names and types of these lists (stored-order.ts). */
export const RETURNED_LINE = [
  ['refund_id', 'String', ({ refundId }) => refundId],
  ['line_id', 'String', ({ line }) => line.line_id],
  ['quantity', 'Decimal(38, 6)', ({ line }) => line.quantity],
  ['restock', 'Bool', ({ line }) => line.restock ?? false],
] as const satisfies readonly Column<ReturnedLine>[];

export const REFUND = [
  ['refund_id', 'String', ({ refund }) => refund.refund_id],
  ['refunded_at', "DateTime64(6, 'UTC')", ({ at }) => at],
  ['refunded_day', 'Date', ({ day }) => day],
  ...REFUND_AMOUNTS,
] as const satisfies readonly Column<DatedRefund>[];

export const LINE = [
  ['line_id', 'String', (line) => line.line_id],
  ['quantity', 'Decimal(38, 6)', (line) => line.quantity],
  ['unit_price', 'Decimal(38, 6)', (line) => line.unit_price],
  ['sku', 'String?', (line) => trimBlanks(line.sku ?? '')],
  ['line_discount', 'Decimal(38, 6)', (line) => line.line_discount ?? '0'],
  ['unit_cost', 'Nullable(Decimal(38, 6))', (line) => line.unit_cost],
  ['product_id', 'String?', (line) => line.product_id],
  ['title', 'String?', (line) => line.title],
] as const satisfies readonly Column<LineInput>[];

export const STATE = [
  ['order_id', 'String', ({ order }) => order.order_id],
  ['version', 'UInt128', ({ times }) => times.version],
  ['is_deleted', 'UInt8', ({ order }) => Number(order.deleted ?? false)],
  ['order_name', 'String?', ({ order }) => order.order_name],
  ['placed_at', "DateTime64(6, 'UTC')", ({ times }) => times.placedAt],
  ['placed_day', 'Date', ({ times }) => times.placedDay],
  ['updated_at', "DateTime64(6, 'UTC')", ({ times }) => times.updatedAt],
  ['currency', 'LowCardinality(String)', ({ order }) => order.currency],
  ['status', 'LowCardinality(String)', ({ order }) => order.status],
  ['is_test', 'Bool', ({ order }) => order.is_test ?? false],
  ['customer_id', 'String?', ({ order }) => order.customer?.id],
  ['discounts', 'Decimal(38, 6)', ({ order }) => order.discounts ?? '0'],
  ['shipping', 'Decimal(38, 6)', ({ order }) => order.shipping ?? '0'],
  ['tax', 'Nullable(Decimal(38, 6))', ({ order }) => order.tax],
  ['taxes_included', 'Bool', ({ order }) => order.taxes_included ?? false],
  ['tips', 'Decimal(38, 6)', ({ order }) => order.tips ?? '0'],
  ['duties', 'Decimal(38, 6)', ({ order }) => order.duties ?? '0'],
  ['rounding_adjustment', 'Decimal(38, 6)', ({ order }) => order.rounding_adjustment ?? '0'],
  ['total', 'Decimal(38, 6)', ({ order }) => order.total],
  ['payment_gateway', 'String?', ({ order }) => order.payment_gateway],
  ['gateway', 'String', ({ order }) => gatewayKey(order.payment_gateway ?? '')],
  ['gateway_fee', 'Nullable(Decimal(38, 6))', ({ order }) => order.gateway_fee],
  ['fulfillment_cost', 'Nullable(Decimal(38, 6))', ({ order }) => order.fulfillment_cost],
  ['subscription_id', 'String?', ({ order }) => order.subscription_id],
  ['checkout_token', 'String?', ({ order }) => order.checkout_token],
  ['country', 'LowCardinality(String)?', ({ order }) => countryCode(order.country ?? '')],
  ['sales_channel', 'LowCardinality(String)?', ({ order }) => trimBlanks(order.sales_channel ?? '')],
] as const satisfies readonly Column<OrderState>[];

/** The amounts of an order as a whole. */
export const AMOUNTS = STATE.filter(
  (column) => column[1] === 'Decimal(38, 6)' || column[1] === 'Nullable(Decimal(38, 6))',
);

const ORDERS = columns<OrderState>([
  ['shop_id', 'String', ({ shopId }) => shopId],
  ...STATE,
  list('discount_codes', 'LowCardinality(String)', ({ order }) => distinctFacts(order.discount_codes ?? NONE)),
  list('tags', 'LowCardinality(String)', ({ order }) => distinctFacts(order.tags ?? NONE)),
  nested('warnings', ({ warnings }) => warnings, [['code', 'LowCardinality(String)', ({ code }) => code]]),
  nested('line_items', ({ order }): readonly LineInput[] => order.line_items, LINE),
  nested('refunds', ({ times }): readonly DatedRefund[] => times.refunds, REFUND),
  nested('refund_lines', ({ times }) => returnedLines(times.refunds), RETURNED_LINE),
]);

/** The column after the version, of rows that have it. */
export const OCCASION_COLUMN = 'occasion';

const ORDER_DAYS = columns<DayState>([
  ['shop_id', 'String', ({ shopId }) => shopId],
  ['day', 'Date', ({ day }) => day.day],
  ['order_id', 'String', ({ order }) => order.order_id],
  ['version', 'UInt128', ({ times }) => times.version],
  [OCCASION_COLUMN, 'UInt8', () => OCCASION.new], // `stampRows` says which
  ['is_deleted', 'UInt8', () => 0],
  ['placed_day', 'Date', ({ times }) => times.placedDay],
  ['orders', 'UInt8', ({ day }) => day.orders],
  ...ORDER_AMOUNTS.map((sum): Column<DayState> => [sum.name, 'Decimal(38, 6)', (row) => amountOn(row, sum)]),
  ['has_gateway_fee', 'Bool', ({ order, day }) => day.orders === 1 && order.gateway_fee !== undefined],
  ['has_tax', 'Bool', ({ order, day }) => day.orders === 1 && order.tax !== undefined],
  ['has_fulfillment_cost', 'Bool', ({ order, day }) => day.orders === 1 && order.fulfillment_cost !== undefined],
  ['payment_gateway', 'String', ({ order }) => gatewayKey(order.payment_gateway ?? '')],
  nested('lines', ({ day }): OrderDay['lines'] => day.lines, [
    ['sku', 'String', ({ line }) => trimBlanks(line.sku ?? '')],
    ['quantity', 'Decimal(38, 6)', ({ quantity }) => quantity],
    ['unit_cost', 'Nullable(Decimal(38, 6))', ({ line }) => line.unit_cost],
    ['restock', 'Bool', ({ restock }) => restock],
  ]),
  nested('refund_list', ({ day }): readonly DatedRefund[] => day.refunds, [
    ['refund_id', 'String', ({ refund }) => refund.refund_id],
    ['refunded_at', "DateTime64(6, 'UTC')", ({ at }) => at],
    ...REFUND_AMOUNTS,
  ]),
  nested('refund_lines', ({ day }) => returnedLines(day.refunds), [
    ...RETURNED_LINE,
    ['sku', 'String', ({ sold }) => trimBlanks(sold?.sku ?? '')],
    ['unit_price', 'Decimal(38, 6)', ({ sold }) => sold?.unit_price ?? '0'],
    ['unit_cost', 'Nullable(Decimal(38, 6))', ({ sold }) => sold?.unit_cost],
    ['sold', 'Decimal(38, 6)', ({ sold }) => sold?.quantity ?? '0'],
    ['line_discount', 'Decimal(38, 6)', ({ sold }) => sold?.line_discount ?? '0'],
  ]),
]);

export const ORDERS_HEAD = headOf(ORDERS);
export const ORDER_DAYS_HEAD = headOf(ORDER_DAYS);

function returnedLines(refunds: readonly DatedRefund[]): readonly ReturnedLine[] {
  const [first] = refunds;
  if (first === undefined) return [];
  return refunds.length === 1 ? first.returned : refunds.flatMap(({ returned }) => returned);
}

/** What the sale and the refunds of a day add to a sum. Most days have no refund, and need no arithmetic. */
function amountOn({ order, day }: DayState, { sale, refund }: DaySum): string | bigint {
  const sold = (day.orders === 1 ? sale?.(order) : undefined) ?? '0';
  if (refund === undefined || day.refunds.length === 0) return sold;
  const start = typeof sold === 'bigint' ? sold : toMicros(sold);
  return day.refunds.reduce((sum, dated) => sum + refund(dated.refund, order), start);
}

/** Rows of many orders as bytes that follow the heads. */
export interface OrderRows {
  orders: Buffer;
  orderDays: Buffer;
}

/** Room for the rows of a batch of orders with a few lines; larger ones make their own. */
const ROWS_BYTES = 192 * 1024;
const DAY_ROWS_BYTES = 96 * 1024;

/**
 * Encodes checked orders once, at the door; from here to the warehouse no one parses them again. The bytes come before the
 * stamps, which the worker puts in their places. Made to be used again, because memory outside of
 * the heap that comes and goes with every batch makes the runtime collect its garbage all the time.
 */
export interface OrderEncoder {
  /** Starts over with the orders of a shop. Rows that were given before must not be needed any more. */
  begin(shopId: string, localDay: LocalDay): void;
  /** `version`: microseconds; absent: those of its `updated_at`. `warnings`: where they are known already. */
  add(order: OrderInput, version?: number, warnings?: readonly OrderWarning[]): void;
  /** The rows of all orders, which `stampRows` completes. */
  unstamped(): OrderRows;
  /**
   * The rows of those orders that were accepted; order `i` has the arrival stamp `first + STAMPS_OF_ORDER * i`. `occasionOf` an accepted
   * order; absent: all are new.
   */
  rows(accepted: readonly boolean[], first: number, occasionOf?: (index: number) => Occasion): OrderRows;
  /** Bytes that it takes. */
  size(): number;
}

const joined = (parts: readonly Buffer[]): Buffer =>
  parts.length === 1 ? (parts[0] ?? NO_BYTES) : Buffer.concat(parts);
const NO_BYTES = Buffer.alloc(0);

export function createOrderEncoder(): OrderEncoder {
  const rows = new StampedRowWriter(ROWS_BYTES);
  const days = new StampedRowWriter(DAY_ROWS_BYTES);
  let shopId = '';
  let localDay: LocalDay = () => 0;
  const unstamped = (): OrderRows => ({ orders: rows.unstamped(), orderDays: days.unstamped() });
  return {
    begin(shop, dayOf) {
      rows.reset();
      days.reset();
      shopId = shop;
      localDay = dayOf;
    },
    add(order, version, warnings = orderWarnings(order)) {
      const times = orderTimes(order, localDay, version);
      ORDERS.write(rows, { shopId, order, times, warnings });
      rows.endItem();
      for (const day of orderDays(order, times)) ORDER_DAYS.write(days, { shopId, order, times, day });
      days.endItem();
    },
    unstamped,
    rows(accepted, first, occasionOf = () => OCCASION.new) {
      const { orders, orderDays } = unstamped();
      const isAccepted = (i: number): boolean => accepted[i] === true;
      return {
        orders: joined(stampRows(orders, isAccepted, first)),
        orderDays: joined(stampRows(orderDays, isAccepted, first, occasionOf)),
      };
    },
    size: () => rows.length + days.length,
  };
}
