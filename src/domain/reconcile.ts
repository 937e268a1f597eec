import { canonicalDecimal, decimal, type Big } from './money.js';
import type { DayRange } from './metrics/range.js';
import { whyNotCounted } from './orders/order-figures.js';
import type { OrderInput } from './orders/orders.js';
import { formatDay, formatTimestamp, MICROS_PER_DAY, parseDay, parseTimestamp } from './time.js';
import type { ErrorDetail } from '../errors.js';

/** What a store says of one of its days, or of one of its orders. */
export interface DayTotals {
  date: string;
  orders?: number;
  revenue?: string;
  refunds?: string;
}
export interface ListedOrder {
  order_id: string;
  updated_at?: string;
  total?: string;
  /** Of all its refunds. */
  refunded?: string;
}

export const DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'total',
  'refunds',
  'version',
  'day',
  'figure',
] as const;
export const REASONS = [
  'test',
  'voided',
  'pending',
  'deleted',
  'other_time_zone_day',
  'rejected',
  'superseded',
] as const;
export type Reason = (typeof REASONS)[number];
export const DAY_FIGURES = ['orders', 'revenue', 'refunds'] as const;
type DayFigure = (typeof DAY_FIGURES)[number];

export interface Difference {
  kind: (typeof DIFFERENCE_KINDS)[number];
  order_id?: string;
  date?: string;
  figure?: DayFigure;
  /** Null: it is missing, or was not sent. */
  here: string | number | null;
  there: string | number | null;
  reason?: Reason;
  errors?: ErrorDetail[];
}

/** Orders and money of a day, or of a part of its orders; plain decimals. */
export interface DaySums {
  orders: number;
  revenue: string;
  refunds: string;
}

/** What may explain the difference of one day. */
export interface DayEvidence {
  /** The same sums by days of UTC. */
  utc: DaySums;
  /** Orders placed on the day that don't count, by why. */
  uncounted: Partial<Record<'test' | 'voided' | 'pending', { orders: number; revenue: string }>>;
}

const NOTHING: DaySums = { orders: 0, revenue: '0', refunds: '0' };

/** Where a day differs; `here` is absent where nothing happened. */
export function compareDay(there: DayTotals, here: DaySums = NOTHING): Difference[] {
  return DAY_FIGURES.flatMap((figure): Difference[] => {
    const told = there[figure];
    if (told === undefined || equals(told, here[figure])) return [];
    return [{ kind: 'figure', date: there.date, figure, here: shown(here[figure]), there: shown(told) }];
  });
}

/** Adds the reason to what it explains to the last digit: orders and revenue of a day together, its refunds alone. */
export function explainDay(
  differences: readonly Difference[],
  there: DayTotals,
  here: DaySums = NOTHING,
  { utc, uncounted }: DayEvidence,
): Difference[] {
  const sales = reasonOfSales(there, here, { utc, uncounted });
  const refunds = equals(there.refunds, utc.refunds) ? 'other_time_zone_day' : undefined;
  return differences.map((difference) => {
    const reason = difference.figure === 'refunds' ? refunds : sales;
    return reason === undefined ? difference : { ...difference, reason };
  });
}

function reasonOfSales(there: DayTotals, here: DaySums, { utc, uncounted }: DayEvidence): Reason | undefined {
  if (equals(there.orders, utc.orders) && equals(there.revenue, utc.revenue)) return 'other_time_zone_day';
  return (['test', 'voided', 'pending'] as const).find((why) => {
    const more = uncounted[why];
    if (more === undefined) return false;
    const isRevenue =
      there.revenue === undefined || decimal(there.revenue).eq(decimal(here.revenue).plus(decimal(more.revenue)));
    return isRevenue && (there.orders === undefined || there.orders === here.orders + more.orders);
  });
}

const equals = (there: string | number | undefined, other: string | number): boolean =>
  there === undefined || valueOf(there).eq(valueOf(other));
const valueOf = (value: string | number): Big => decimal(String(value));
const shown = (value: string | number): string | number =>
  typeof value === 'number' ? value : canonicalDecimal(value);

/** An order as it is stored. */
export interface KnownOrder {
  order_id: string;
  day: number;
  /** Microseconds. */
  placed_at: number;
  updated_at: number;
  received_at: number;
  total: string;
  refunded: string;
  status: OrderInput['status'];
  is_test: boolean;
  deleted: boolean;
}

/** The last rejection of an order. */
export interface LastRejection {
  /** Milliseconds. */
  at: number;
  errors: ErrorDetail[];
}

/** Where an order that the store lists differs. `range`: the days whose orders the list claims to be. */
export function compareOrder(
  there: ListedOrder,
  here: KnownOrder | undefined,
  { range, rejection }: { range: DayRange | undefined; rejection: LastRejection | undefined },
): Difference[] {
  const { order_id, total, refunded, updated_at } = there;
  const rejected = rejection && { reason: 'rejected' as const, errors: rejection.errors };
  if (here === undefined || here.deleted) {
    const reason = here === undefined ? rejected : { reason: 'deleted' as const };
    return [
      { kind: 'missing_here', order_id, here: null, there: total === undefined ? null : shown(total), ...reason },
    ];
  }

  const version = updated_at === undefined ? null : parseTimestamp(updated_at);
  const isOlder = version !== null && version < here.updated_at;
  // One that came before what is stored explains nothing of it.
  const newer = rejection !== undefined && rejection.at * 1000 > here.received_at ? rejected : undefined;
  const reason = isOlder ? { reason: 'superseded' as const } : newer;
  const found: Difference[] = [];
  if (total !== undefined && !equals(total, here.total)) {
    found.push({ kind: 'total', order_id, here: shown(here.total), there: shown(total), ...reason });
  }
  if (refunded !== undefined && !equals(refunded, here.refunded)) {
    found.push({ kind: 'refunds', order_id, here: shown(here.refunded), there: shown(refunded), ...reason });
  }
  if (version !== null && version !== here.updated_at) {
    const instants = { here: formatTimestamp(here.updated_at), there: formatTimestamp(version) };
    found.push({ kind: 'version', order_id, ...instants, ...reason });
  }
  if (range !== undefined && !holds(range, here.day)) {
    const isOfZone = holds(range, utcDayOf(here.placed_at));
    const days = range.from === range.to ? formatDay(range.from) : `${formatDay(range.from)}/${formatDay(range.to)}`;
    found.push({ kind: 'day', order_id, here: formatDay(here.day), there: days, ...(isOfZone && OTHER_ZONE) });
  }
  return found;
}

/** An order of the range that the store does not list. */
export function notListed(here: KnownOrder, range: DayRange): Difference {
  const { order_id, day, placed_at, total } = here;
  const why = whyNotCounted(here);
  const isOfZone = why === undefined && !holds(range, utcDayOf(placed_at));
  return {
    kind: 'missing_there',
    order_id,
    date: formatDay(day),
    here: shown(total),
    there: null,
    ...(why !== undefined && { reason: why }),
    ...(isOfZone && OTHER_ZONE),
  };
}

const OTHER_ZONE = { reason: 'other_time_zone_day' as const };
const utcDayOf = (micros: number): number => Math.floor(micros / MICROS_PER_DAY);
const holds = ({ from, to }: DayRange, day: number): boolean => from <= day && day <= to;

/** The range of a list; null when its bounds are none. */
export function listRange({ from, to }: { from: string; to: string }): DayRange | null {
  const [first, last] = [parseDay(from), parseDay(to)];
  return first === null || last === null || first > last ? null : { from: first, to: last };
}
