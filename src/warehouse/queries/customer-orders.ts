import type { DayRange } from '../../domain/metrics/range.js';
import type { CustomerKind } from '../../domain/orders/customer-kinds.js';

/**
 * Which orders of `order_facts` are those of a customer, and which comes first: said here alone, for reads and for the views of `bi`. It
 * follows from what is stored now, so an older order that arrives, or one that is voided or deleted, changes it at once.
 */

/** The condition of a row `f` of a counted order with a customer, where each order has one row. */
const IS_OF_CUSTOMER_ONCE = `f.status = 'paid' AND NOT f.is_test AND f.customer_id != ''`;
/** The same in `order_facts`. */
const IS_OF_CUSTOMER = `f.is_listed AND ${IS_OF_CUSTOMER_ONCE}`;

/**
 * The place of an order among those of a customer: eight bytes that compare like its time, which is never before 1970, then its id. The
 * least text takes half the CPU of the least pair of time and id.
 */
const PLACE = 'concat(reinterpretAsFixedString(byteSwap(toUnixTimestamp64Micro(f.placed_at))), f.order_id)';

/** In a range of more days most customers of a shop have an order, as a rule: it costs more to look for them first than it saves. */
const FEW_CUSTOMERS_DAYS = 366;

/**
 * The ids of all first orders that were placed from {from:Date} to {to:Date}, and of some more, for `IN`. Of one
 * customer the first is that of the smallest `placed_at`, then of the smallest id. Days of clocks that were set back may come in another
 * order than their orders, by one day at most. Customers of one hash cost time alone: more of them are looked at.
 */
function firstOrders({ from, to }: DayRange): string {
  const ofRange = `AND cityHash64(f.customer_id) IN (
      SELECT cityHash64(f.customer_id) FROM order_facts AS f FINAL
      WHERE f.shop_id = {shop:String} AND f.day BETWEEN {from:Date} AND {to:Date} AND ${IS_OF_CUSTOMER}
    )`;
  return `(
    SELECT substring(min(${PLACE}), 9) FROM order_facts AS f FINAL
    WHERE f.shop_id = {shop:String} AND f.day <= {to:Date} + 1 AND ${IS_OF_CUSTOMER} ${to - from < FEW_CUSTOMERS_DAYS ? ofRange : ''}
    GROUP BY f.customer_id HAVING min(f.day) + 1 >= {from:Date}
  )`;
}

/** Whether a counted order `o` of `ordersOf`, placed in the range, is of a kind. */
export function isKind(kind: CustomerKind, range: DayRange): string {
  switch (kind) {
    case 'new':
      return `o.order_id IN ${firstOrders(range)}`;
    case 'returning':
      return `(o.customer_id != '' AND o.order_id NOT IN ${firstOrders(range)})`;
    case 'unknown':
      return "o.customer_id = ''";
  }
}

/** Of which kind it is. */
export const kindOfOrder = (range: DayRange): string =>
  `multiIf(${isKind('unknown', range)}, 'unknown', ${isKind('new', range)}, 'new', 'returning')`;

/** The time of an order with its day in the lowest 16 bits: the least of them costs half of the day at the least place. */
const TIME_AND_DAY = 'bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Micro(f.placed_at)), 16), toUInt16(f.day))';

/** The day of the first order of each customer whose first order was placed from {from:Date} to {until:Date}. */
export const FIRST_DAYS = `(
    SELECT f.customer_id AS customer_id, toDate(toUInt16(bitAnd(min(${TIME_AND_DAY}), 65535))) AS first_day FROM order_facts AS f FINAL
    WHERE f.shop_id = {shop:String} AND ${IS_OF_CUSTOMER}
    GROUP BY f.customer_id HAVING first_day BETWEEN {from:Date} AND {until:Date}
  )`;

/** Tables of which analysts see the orders one by one, and which of their rows count. */
const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['orders', IS_OF_CUSTOMER_ONCE],
  ['order_facts', IS_OF_CUSTOMER],
]);

/**
 * The number of a row `d` of a table of orders among the counted orders of its customer, from 1; NULL without a customer and of an order
 * that does not count. For an owner of views who sees one shop alone. A query without the number reads nothing for it, one with it reads
 * a few columns of all orders of the shop. Undefined for other tables.
 */
export function customerOrderNumber(database: string, table: string): string | undefined {
  const counted = NUMBERED.get(table);
  if (counted === undefined) return undefined;
  // A list of the orders of a customer at each of them would grow with the square of their number.
  const numbers = `SELECT f.order_id AS id, row_number() OVER (PARTITION BY f.customer_id ORDER BY f.placed_at, f.order_id) AS number
    FROM ${database}.${table} AS f FINAL WHERE ${counted}`;
  // The column must stand outside of the subquery too: else the engine leaves it out of what it reads.
  return `if(d.order_id = '', NULL, nullIf(ifNull((SELECT max(n.number) FROM (${numbers}) AS n WHERE n.id = d.order_id), 0), 0))`;
}
