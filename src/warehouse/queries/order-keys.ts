import { formatDay, parseDay } from '../../domain/time.js';
import type { OrderSort } from '../../schemas/order-reads.js';
import type { SortDirection } from '../../schemas/primitives.js';
import type { Warehouse } from '../client.js';
import { countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { exact, EXACT_DECIMALS, profitOf } from './order-profits.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';

/** The place of an order in a list: by the figure sorted by, if any, then by its day, its instant and its id. */
export interface OrderKey {
  /** A plain decimal; empty in a list by time. */
  value: string;
  day: number;
  /** Microseconds. */
  placedAt: number;
  orderId: string;
}

export interface OrderSorting {
  sort: OrderSort;
  direction: SortDirection;
}

const KEYS = defineQuery('keys of listed orders', texts('value', 'day', 'at', 'order_id'));

const KEY = (value: string): string => `SELECT ${value} AS value, toString(o.placed_day) AS day,
    toString(toUnixTimestamp64Micro(o.placed_at)) AS at, o.order_id AS order_id`;

/** Of what comes behind an order in a list by time. */
function isLater(direction: SortDirection): string {
  const at = 'toUnixTimestamp64Micro(o.placed_at)';
  const than = COMPARES[direction];
  return `(o.placed_day ${than} {afterDay:Date} OR o.placed_day = {afterDay:Date} AND
      (${at} ${than} {afterAt:Int64} OR ${at} = {afterAt:Int64} AND o.order_id > {afterId:String}))`;
}

const COMPARES = { asc: '>', desc: '<' } as const;
const WORDS = { asc: '', desc: ' DESC' } as const;

const byTime = (direction: SortDirection): string =>
  `o.placed_day${WORDS[direction]}, o.placed_at${WORDS[direction]}, o.order_id`;

/** Of the orders of a filter, at most so many that come behind one, in the order of their list. */
export function keysQuery(
  filter: OrderFilter,
  { sort, direction }: OrderSorting,
  after: OrderKey | undefined,
  limit: number,
): Query<RowOf<typeof KEYS>> {
  const { params, from } = ordersOf(filter);
  const place = after && {
    afterDay: formatDay(after.day),
    afterAt: after.placedAt,
    afterId: after.orderId,
    ...(sort !== 'time' && { afterValue: after.value }),
  };
  const asked = { ...params, limit, ...place };
  if (sort === 'time') {
    const behind = after === undefined ? '' : `\n    AND ${isLater(direction)}`;
    return KEYS(`${KEY("''")} ${from}${behind} ORDER BY ${byTime(direction)} LIMIT {limit:UInt32}`, asked);
  }
  const value = `{afterValue:Decimal(76, ${EXACT_DECIMALS})}`;
  const behind = after && `o.value ${COMPARES[direction]} ${value} OR o.value = ${value} AND ${isLater('desc')}`;
  return KEYS(
    `${KEY('toString(o.value)')} FROM (
      SELECT o.placed_day AS placed_day, o.placed_at AS placed_at, o.order_id AS order_id,
        if(${countedIn(filter)}, ${amountsOf[sort](filter)}, ${exact('0')}) AS value ${from}
    ) AS o
    ${behind === undefined ? '' : `WHERE ${behind}`}
    ORDER BY o.value${WORDS[direction]}, ${byTime('desc')} LIMIT {limit:UInt32}`,
    asked,
  );
}

/** The figure to sort by, exact. */
const amountsOf = {
  revenue: () => exact('o.revenue'),
  refunds: () => exact('o.refunds'),
  profit: ({ rules }: OrderFilter) => profitOf(rules),
} as const;

/** Whether few orders of a day pass. */
const isOfFew = ({ sku, missingCost, warned, refunded, loss, q }: OrderFilter): boolean =>
  sku !== undefined || missingCost === true || warned === true || refunded === true || loss === true || q !== undefined;

/** At most `limit` orders behind a key. */
export type FindKeys = (
  filter: OrderFilter,
  sorting: OrderSorting,
  after: OrderKey | undefined,
  limit: number,
) => Promise<OrderKey[]>;

export function createKeyFinder(warehouse: Warehouse): FindKeys {
  const find = async (...asked: Parameters<typeof keysQuery>): Promise<OrderKey[]> =>
    (await warehouse.ask(keysQuery(...asked))).map(toKey);

  return async (filter, sorting, after, limit) => {
    if (sorting.sort !== 'time') return find(filter, sorting, after, limit);
    const found: OrderKey[] = [];
    // Days in parts that grow: a page of a busy shop reads a day or two, that of a quiet one, or of few orders, all.
    let { from, to } = filter.range;
    const isUp = sorting.direction === 'asc';
    if (after !== undefined && isUp) from = Math.max(from, after.day);
    else if (after !== undefined) to = Math.min(to, after.day);
    for (let days = isOfFew(filter) ? 8 : 1; from <= to && found.length < limit; days *= 8) {
      const range = isUp ? { from, to: Math.min(to, from + days - 1) } : { from: Math.max(from, to - days + 1), to };
      found.push(...(await find({ ...filter, range }, sorting, after, limit - found.length)));
      if (isUp) from = range.to + 1;
      else to = range.from - 1;
    }
    return found;
  };
}

function toKey({ value, day, at, order_id }: RowOf<typeof KEYS>): OrderKey {
  return { value, day: parseDay(day) ?? 0, placedAt: Number(at), orderId: order_id };
}
