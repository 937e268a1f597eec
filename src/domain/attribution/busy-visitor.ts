/** Orders that one visitor may name in 24 hours. No customer places as many; a visitor that names more is no customer. */
export const MAX_ORDERS_PER_DAY = 20;

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;

/** How many orders a visitor named for the first time in each hour, by the hour since 1970 in which the event arrived. */
export type OrdersByHour = ReadonlyMap<number, number>;

/**
 * True if the visitor named more than {@link MAX_ORDERS_PER_DAY} orders in any 24 hours (on the clock) around this arrival, in
 * milliseconds since 1970. It is judged by arrivals, because the events' own times are the sender's choice, and looks both
 * ways: the first of many orders counts as little as the last.
 */
export function isBusy(orders: OrdersByHour, arrivedAt: number): boolean {
  const hour = hourOf(arrivedAt);
  const count = (from: number): number =>
    Array.from({ length: HOURS_PER_DAY }, (_, i) => orders.get(from + i) ?? 0).reduce((sum, n) => sum + n, 0);
  return Array.from({ length: HOURS_PER_DAY }, (_, i) => hour - i).some((from) => count(from) > MAX_ORDERS_PER_DAY);
}

export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
