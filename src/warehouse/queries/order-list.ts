import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { AMOUNTS, countedIn, ordersOf, type OrderFilter } from './order-filter.js';
import { orderFile } from './order-lines.js';
import { partsOf, rowsQuery, type ListPart, type OrderedList, type OrderRow } from './order-rows.js';
import { streamFile, type FileFormat } from '../file-rows.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';

export type ListedOrder = OrderRow & { deleted: boolean };

/** Sums over counted orders. */
export type ListedTotals = ReturnType<typeof toTotals>;

export interface OrderList {
  /** All orders behind a key, in parts of at most as many as the limit says. */
  orders(part: ListPart): AsyncGenerator<ListedOrder[]>;
  /** All of them as `OrderSummary` has their fields. Throws `not_acceptable` where an amount has more digits than the file holds. */
  file(format: FileFormat, list: OrderedList): AsyncGenerator<Buffer>;
  totals(filter: OrderFilter): Promise<ListedTotals>;
}

const TEXT = Type.String();
const TOTALS = defineQuery('totals of listed orders', {
  /** All that were found, those that don't count too. */
  found: Type.Number(),
  orders: Type.Number(),
  /** Those whose every line has a cost, and those with an actual fee. */
  costed: Type.Number(),
  charged: Type.Number(),
  /** Of the fees the actual ones, minus refunded ones. */
  ...texts(...AMOUNTS, 'fulfillment_cost'),
  /** Parallel arrays: gateways, orders, revenue. */
  estimable: Type.Tuple([Type.Array(TEXT), Type.Array(TEXT), Type.Array(TEXT)]),
});
export function totalsQuery(filter: OrderFilter): Query<RowOf<typeof TOTALS>> {
  const counted = countedIn(filter);
  const { sql, params } = ordersOf(
    filter,
    `toUInt32(count()) AS found, toUInt32(countIf(${counted})) AS orders,
      toUInt32(countIf(${counted} AND o.lines_without_cost = 0)) AS costed, toUInt32(countIf(${counted} AND o.has_gateway_fee)) AS charged,
      ${AMOUNTS.map((name) => `sumIf(o.${name}, ${counted}) AS ${name}`).join(', ')},
      ifNull(sumIf(o.fulfillment_cost, ${counted}), toDecimal128(0, 6)) AS fulfillment_cost,
      sumMapIf([toString(o.gateway)], [toUInt64(1)], [o.revenue],
        ${counted} AND NOT o.has_gateway_fee AND o.gateway != '') AS estimable`,
  );
  return TOTALS(sql, params);
}

export function createOrderList(warehouse: Warehouse): OrderList {
  return {
    async *orders(list) {
      const deleted = list.filter.status === 'deleted';
      for await (const rows of partsOf(list, (part) => warehouse.ask(rowsQuery(part)))) {
        yield rows.map((row) => ({ ...row, deleted }));
      }
    },
    file: (format, list) => streamFile(warehouse, orderFile(format, list)),
    async totals(filter) {
      const [totals] = (await warehouse.ask(totalsQuery(filter))).map(toTotals);
      if (totals === undefined) throw new Error('sums over all orders have no row');
      return totals;
    },
  };
}

function toTotals({ estimable: [gateways, orders, revenues], ...sums }: RowOf<typeof TOTALS>) {
  return {
    ...sums,
    /** Orders without an actual fee by gateway, as fee rules compare it. */
    estimable: gateways.map((gateway, i) => ({ gateway, orders: Number(orders[i]), revenue: revenues[i] ?? '0' })),
  };
}
