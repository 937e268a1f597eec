import type { Order as OrderInput } from '../../schemas/orders.js';
import { parseTimestamp, type LocalDay } from '../time.js';

/** A checked order as it came over the wire. */
export type { OrderInput };
export type LineInput = OrderInput['line_items'][number];
export type RefundInput = NonNullable<OrderInput['refunds']>[number];
type RefundLineInput = NonNullable<RefundInput['line_items']>[number];

/**
 * Arrival stamps that each order of a push reserves: n for its rows, and n-1 for tombstones on days that it left. So a tombstone
 * outranks every older version and never the order itself.
 */
export const STAMPS_OF_ORDER = 2;

/** Why what an order contributes on its days is written: it is new, a version of it is known, or only its clock has changed. */
export const OCCASION = { new: 0, known: 1, clock: 2 } as const;
export type Occasion = (typeof OCCASION)[keyof typeof OCCASION];

/** The version of an order, in microseconds. */
export type VersionOf = (order: Pick<OrderInput, 'placed_at' | 'updated_at'>) => number;

/** Microseconds of the instant that drives the stale guard: `updated_at`, else `placed_at`. */
export function orderVersion(order: Pick<OrderInput, 'placed_at' | 'updated_at'>): number {
  return micros(order.updated_at ?? order.placed_at);
}

export const SECOND_MICROS = 1_000_000;

/**
 * The version of an order that was read from its platform, whose `updated_at` has whole seconds: what was read is at least as new
 * as all that happened in that second. One without `updated_at`, as in an export, says nothing of when it was read.
 */
export function readVersion(order: Pick<OrderInput, 'placed_at' | 'updated_at'>): number {
  const at = orderVersion(order);
  return order.updated_at !== undefined && at % SECOND_MICROS === 0 ? at + SECOND_MICROS - 1 : at;
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
  /** Refunds of this day. */
  refunds: DatedRefund[];
  /** Sold lines (on the placed day) and restocked lines (on the refund's day), which cost with the opposite sign. */
  lines: { line: LineInput; quantity: string; restock: boolean }[];
}

/** A refund with its instant in microseconds, its local day and the lines that it names. */
export interface DatedRefund {
  refund: RefundInput;
  at: number;
  day: number;
  returned: readonly ReturnedLine[];
}

/** A line of a refund with the line of the order that it names. */
export interface ReturnedLine {
  refundId: string;
  line: RefundLineInput;
  sold: LineInput | undefined;
}

/** The instants of an order in microseconds and their local days, worked out once. */
export interface OrderTimes {
  placedAt: number;
  placedDay: number;
  /** `updated_at`, else `placed_at`. */
  updatedAt: number;
  /** What the stale guard compares: that, or later within its second. */
  version: number;
  refunds: DatedRefund[];
}

export function orderTimes(order: OrderInput, localDay: LocalDay, version = orderVersion(order)): OrderTimes {
  const placedAt = micros(order.placed_at);
  return {
    placedAt,
    placedDay: localDay(placedAt),
    updatedAt: orderVersion(order),
    version,
    refunds: order.refunds === undefined ? [] : datedRefunds(order, order.refunds, localDay),
  };
}

function datedRefunds(order: OrderInput, refunds: readonly RefundInput[], localDay: LocalDay): DatedRefund[] {
  const findLine = lineFinder(order);
  return refunds.map((refund) => {
    const at = micros(refund.refunded_at);
    const { refund_id: refundId, line_items = [] } = refund;
    const returned = line_items.map((line) => ({ refundId, line, sold: findLine(line.line_id) }));
    return { refund, at, day: localDay(at), returned };
  });
}

/**
 * The local days on which an order counts. The placed day always has an entry, with nothing on it where the order counts
 * nowhere: it carries the version that outdates what earlier versions left on other days.
 */
export function orderDays(order: OrderInput, times: OrderTimes): [OrderDay, ...OrderDay[]] {
  const placed = emptyDay(times.placedDay);
  if (!isCounted(order)) return [placed];
  placed.orders = 1;
  placed.lines = order.line_items.map((line) => ({ line, quantity: line.quantity, restock: false }));

  const days: [OrderDay, ...OrderDay[]] = [placed];
  for (const dated of times.refunds) {
    let day = days.find((known) => known.day === dated.day);
    if (day === undefined) days.push((day = emptyDay(dated.day)));
    day.refunds.push(dated);
    for (const { line, sold } of dated.returned) {
      if (line.restock === true && sold !== undefined) {
        day.lines.push({ line: sold, quantity: line.quantity, restock: true });
      }
    }
  }
  return days;
}

/**
 * Finds the line of an order that has an id. By a map, made when it is first asked: 130,000 refunded lines of 500 held the
 * process for half a second otherwise.
 */
function lineFinder({ line_items }: OrderInput): (lineId: string) => LineInput | undefined {
  let lines: Map<string, LineInput> | undefined;
  return (lineId) => (lines ??= new Map(line_items.map((line) => [line.line_id, line]))).get(lineId);
}

/** Microseconds of a timestamp that the schema has already found valid. */
export function micros(timestamp: string): number {
  const instant = parseTimestamp(timestamp);
  if (instant === null) throw new RangeError(`not a timestamp: ${timestamp}`);
  return instant;
}

function emptyDay(day: number): OrderDay {
  return { day, orders: 0, refunds: [], lines: [] };
}
