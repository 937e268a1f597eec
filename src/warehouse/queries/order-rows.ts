import { Type } from 'typebox';
import type { OrderInput } from '../../domain/orders/orders.js';
import { formatDay } from '../../domain/time.js';
import type { OrderSort } from '../../schemas/order-reads.js';
import type { SortDirection } from '../../schemas/primitives.js';
import { microsOf } from '../sql.js';
import { AMOUNTS, CHANNEL, countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { hasFacts } from './order-dimensions.js';
import { exact, EXACT_DECIMALS, profitOf } from './order-profits.js';
import { defineQuery, nullable, textOf, texts, type Query, type QueryParams, type RowOf } from '../query.js';

/** The place of an order in a list: by the figure sorted by, if any, then by its day, its instant and its id. */
export interface OrderKey {
  /** A plain decimal; empty in a list by time. */
  value: string;
  day: number;
  /** Microseconds. */
  placed_at: number;
  order_id: string;
}

export interface OrderSorting {
  sort: OrderSort;
  direction: SortDirection;
}

/** As the rebuild of its day has written it, and so as the totals have it. Plain decimals; nothing is rounded. */
const ROWS = defineQuery('orders of a list', {
  ...texts('value', 'order_id'),
  /** Day number. */
  day: Type.Number(),
  placed_at: Type.Number(),
  order_name: Type.String(),
  status: textOf<OrderInput['status']>(),
  is_test: Type.Boolean(),
  /** As fee rules compare it. */
  gateway: Type.String(),
  has_gateway_fee: Type.Boolean(),
  /** `refunds` and `tax_refunded` are sums over its refunds; `gateway_fees` the actual fee, 0 where there is none, minus refunded ones. */
  ...texts(...AMOUNTS),
  fulfillment_cost: nullable(Type.String()),
  /** Every sold line has a unit cost. */
  is_costed: Type.Boolean(),
  channel: Type.String(),
  updated_at: Type.Number(),
  received_at: Type.Number(),
});
export type OrderRow = RowOf<typeof ROWS>;

const COLUMNS = [...'order_name status is_test gateway has_gateway_fee'.split(' '), ...AMOUNTS, 'fulfillment_cost']
  .map((name) => `o.${name} AS ${name}`)
  .concat(`toInt32(o.placed_day) AS day, ${microsOf('o.placed_at')} AS placed_at, o.order_id AS order_id`)
  .concat(`toBool(o.lines_without_cost = 0) AS is_costed, ${CHANNEL} AS channel`)
  .concat(`${microsOf('o.updated_at')} AS updated_at, toFloat64(o.received_at) AS received_at`)
  .join(', ');

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

/** The orders of a filter, or those of them that come behind one. */
export interface OrderedList {
  filter: OrderFilter;
  sorting: OrderSorting;
  after?: OrderKey | undefined;
}

/** A part of a list: at most `limit` orders. */
export interface ListPart extends OrderedList {
  limit: number;
}

export function rowsQuery(part: ListPart): Query<OrderRow> {
  const { sql, params } = listedOrders(part, (value) => `${value} AS value, ${COLUMNS}`);
  return ROWS(`${sql} LIMIT {limit:UInt32}`, { ...params, limit: part.limit });
}

/** `SELECT` of what `columns` says of the orders `o`, in the order of their list, and by which value they are sorted. */
export function listedOrders(
  { filter, sorting: { sort, direction }, after }: OrderedList,
  columns: (value: string) => string,
): { sql: string; params: QueryParams } {
  const amount = sort === 'time' ? undefined : `if(${countedIn(filter)}, ${amountsOf[sort](filter)}, ${exact('0')})`;
  const value = `{afterValue:Decimal(76, ${EXACT_DECIMALS})}`;
  const behind =
    after === undefined
      ? undefined
      : amount === undefined
        ? isLater(direction)
        : `(${amount} ${COMPARES[direction]} ${value} OR ${amount} = ${value} AND ${isLater('desc')})`;
  const { sql, params } = ordersOf(filter, columns(amount === undefined ? "''" : `toString(${amount})`), behind);
  const place = after && {
    afterDay: formatDay(after.day),
    afterAt: after.placed_at,
    afterId: after.order_id,
    ...(sort !== 'time' && { afterValue: after.value }),
  };
  const order = amount === undefined ? byTime(direction) : `${amount}${WORDS[direction]}, ${byTime('desc')}`;
  return { sql: `${sql}\n    ORDER BY ${order}`, params: { ...params, ...place } };
}

/** The figure to sort by, exact. */
const amountsOf = {
  revenue: () => exact('o.revenue'),
  refunds: () => exact('o.refunds'),
  profit: ({ rules }: OrderFilter) => profitOf(rules),
} as const;

/** Whether few orders of a day pass. */
const isOfFew = ({ sku, missingCost, warned, refunded, loss, customerKind, q, ...facts }: OrderFilter): boolean =>
  hasFacts(facts) ||
  sku !== undefined ||
  missingCost === true ||
  warned === true ||
  refunded === true ||
  loss === true ||
  customerKind !== undefined ||
  q !== undefined;

/** What a list reads next grows by so much at most, while few orders are found. */
const GROWTH = 8;
/** So full is a step to be, so that a day with a few orders more than others does not cut it. */
const FULLNESS = 0.9;

/**
 * The orders of a filter behind a key, in the order of their list and in parts of at most `most`. By time in steps of whole
 * days, each of about a part: a page of a busy shop reads a day.
 */
export async function* partsOf(
  { filter, sorting, after: begin, limit: most }: ListPart,
  ask: (part: ListPart) => Promise<OrderRow[]>,
): AsyncGenerator<OrderRow[]> {
  const isByTime = sorting.sort === 'time';
  const isUp = sorting.direction === 'asc';
  let { from, to } = filter.range;
  let after = begin;
  if (isByTime && after !== undefined && isUp) from = Math.max(from, after.day);
  else if (isByTime && after !== undefined) to = Math.min(to, after.day);
  let days = !isByTime ? to - from + 1 : isOfFew(filter) ? GROWTH : 1;
  while (from <= to) {
    const range = isUp ? { from, to: Math.min(to, from + days - 1) } : { from: Math.max(from, to - days + 1), to };
    const rows = await ask({ filter: { ...filter, range }, sorting, after, limit: most });
    const count = rows.length;
    yield rows;
    after = count < most ? undefined : rows.at(-1);
    if (!isByTime) {
      if (after === undefined) return;
      continue;
    }
    const reached = after?.day ?? (isUp ? range.to : range.from);
    const read = Math.abs(reached - (isUp ? from : to)) + 1;
    const step = after === undefined ? 1 : 0; // the rest of a day that was cut is still to come
    if (isUp) from = reached + step;
    else to = reached - step;
    const fitting = Math.floor((FULLNESS * most * read) / Math.max(count, 1));
    days = Math.min(Math.max(fitting, 1), days * GROWTH);
  }
}
