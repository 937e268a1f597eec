import { EARLIEST_MICROS, MICROS_PER_DAY, parseTimestamp, type LocalDay } from '../time.js';

/** A checked order as it came over the wire (specification: "Order"); the schema layer holds its full definition. */
export interface OrderInput {
  order_id: string;
  order_name?: string;
  placed_at: string;
  updated_at?: string;
  currency: string;
  status: 'paid' | 'pending' | 'voided';
  is_test?: boolean;
  customer?: { id: string };
  line_items: LineInput[];
  discounts?: string;
  shipping?: string;
  tax?: string;
  taxes_included?: boolean;
  tips?: string;
  duties?: string;
  rounding_adjustment?: string;
  total: string;
  payment_gateway?: string;
  gateway_fee?: string;
  subscription_id?: string | null;
  refunds?: RefundInput[];
  deleted?: boolean;
}

export interface LineInput {
  line_id: string;
  quantity: string;
  unit_price: string;
  sku?: string;
  line_discount?: string;
  unit_cost?: string;
  product_id?: string;
  title?: string;
}

export interface RefundInput {
  refund_id: string;
  refunded_at: string;
  total: string;
  tax_refund?: string;
  shipping_refund?: string;
  gateway_fee_refund?: string;
  gift_card_refund?: string;
  store_credit?: boolean;
  line_items?: { line_id: string; quantity: string; restock?: boolean }[];
}

/** Microseconds of the instant that drives the stale guard: `updated_at`, else `placed_at`. */
export function orderVersion(order: Pick<OrderInput, 'placed_at' | 'updated_at'>): number {
  return micros(order.updated_at ?? order.placed_at);
}

/** Counts in the figures: `paid`, not a test, not deleted (contract: "Orders"). */
export function isCounted(order: OrderInput): boolean {
  return order.status === 'paid' && order.is_test !== true && order.deleted !== true;
}

/** What an order contributes on one local day. */
export interface OrderDay {
  /** Days since 1970-01-01, local to the shop. */
  day: number;
  /** 1 on the day of a counted order's `placed_at`, else 0. */
  orders: 0 | 1;
  /** The `total` of a counted order on its day. */
  revenue: string | null;
  /** Refunds of this day. */
  refunds: RefundInput[];
  /** Sold lines (on the placed day) and restocked lines (on the refund's day), which cost with the opposite sign. */
  lines: { line: LineInput; quantity: string; restock: boolean }[];
}

/** The instants of an order in microseconds and their local days, worked out once. */
export interface OrderTimes {
  placedAt: number;
  placedDay: number;
  /** `updated_at`, else `placed_at`: the version. */
  updatedAt: number;
  /** In the order of the refunds. */
  refundedAt: number[];
  refundedDays: number[];
}

export function orderTimes(order: OrderInput, localDay: LocalDay): OrderTimes {
  const placedAt = micros(order.placed_at);
  const refundedAt = (order.refunds ?? []).map((refund) => micros(refund.refunded_at));
  return {
    placedAt,
    placedDay: localDay(placedAt),
    updatedAt: orderVersion(order),
    refundedAt,
    refundedDays: refundedAt.map(localDay),
  };
}

/**
 * The local days on which an order counts. The placed day always has an entry, with nothing on it where the order counts
 * nowhere: it carries the version that outdates what earlier versions left on other days.
 */
export function orderDays(
  order: OrderInput,
  times: OrderTimes,
  findLine: FindLine = lineFinder(order),
): [OrderDay, ...OrderDay[]] {
  const placed = emptyDay(times.placedDay);
  if (!isCounted(order)) return [placed];
  placed.orders = 1;
  placed.revenue = order.total;
  placed.lines = order.line_items.map((line) => ({ line, quantity: line.quantity, restock: false }));

  const days: [OrderDay, ...OrderDay[]] = [placed];
  for (const [i, refund] of (order.refunds ?? []).entries()) {
    const number = times.refundedDays[i] ?? placed.day;
    let day = days.find((known) => known.day === number);
    if (day === undefined) days.push((day = emptyDay(number)));
    day.refunds.push(refund);
    for (const { line_id, quantity, restock } of refund.line_items ?? []) {
      const line = restock === true ? findLine(line_id) : undefined;
      if (line !== undefined) day.lines.push({ line, quantity, restock: true });
    }
  }
  return days;
}

/** The line of an order that has an id. */
export type FindLine = (lineId: string) => LineInput | undefined;

/** By a map, made when it is first asked: 130,000 refunded lines of 500 held the process for half a second otherwise. */
export function lineFinder({ line_items }: OrderInput): FindLine {
  let lines: Map<string, LineInput> | undefined;
  return (lineId) => (lines ??= new Map(line_items.map((line) => [line.line_id, line]))).get(lineId);
}

/** True when an instant may be a `placed_at` or `refunded_at`: 2000-01-01 to a day from now. */
export function isOrderTime(instant: number, nowMicros: number): boolean {
  return instant >= EARLIEST_MICROS && instant <= nowMicros + MICROS_PER_DAY;
}

/** Microseconds of a timestamp that the schema has already found valid. */
export function micros(timestamp: string): number {
  const instant = parseTimestamp(timestamp);
  if (instant === null) throw new RangeError(`not a timestamp: ${timestamp}`);
  return instant;
}

function emptyDay(day: number): OrderDay {
  return { day, orders: 0, revenue: null, refunds: [], lines: [] };
}
