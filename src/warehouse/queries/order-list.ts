import { Type } from 'typebox';
import type { PlacedSum, SumName } from '../../domain/metrics/sums.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { AMOUNTS, countedIn, isOfAll, ordersOf, type OrderFilter } from './order-filter.js';
import { orderFile } from './order-lines.js';
import { partsOf, rowsQuery, type ListPart, type OrderedList, type OrderRow } from './order-rows.js';
import { streamFile, type FileFormat } from '../file-rows.js';
import { defineQuery, texts, type Query, type RowOf } from '../query.js';
import { ONE_THREAD } from '../sql.js';

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

const DAY_TOTALS = defineQuery('totals of the orders of days', {
  sums: Type.Record(TEXT, TEXT),
  placed: Type.Record(TEXT, TEXT),
  estimable: Type.Tuple([Type.Array(TEXT), Type.Array(TEXT), Type.Array(TEXT)]),
});

/** The totals of all orders of the range, from the sums of their days: a row a day instead of one an order. */
function dayTotalsQuery({ shopId, range }: OrderFilter): Query<RowOf<typeof DAY_TOTALS>> {
  return DAY_TOTALS(
    `SELECT sumMap(d.sums) AS sums, sumMap(d.placed_sums) AS placed,
      sumMap(d.estimable.payment_gateway, d.estimable.orders, d.estimable.revenue) AS estimable
    FROM daily_orders AS d FINAL
    WHERE d.shop_id = {shop:String} AND d.day BETWEEN {from:Date} AND {to:Date} AND d.part = 'orders' ${ONE_THREAD}`,
    { shop: shopId, from: formatDay(range.from), to: formatDay(range.to) },
  );
}

/** Sales count on the placed day, so their sums are those of the orders placed on it; what refunds change is kept apart. */
function ofDays({ sums, placed, estimable }: RowOf<typeof DAY_TOTALS>): RowOf<typeof TOTALS> {
  const sum = (name: SumName): string => sums[name] ?? '0';
  const own = (name: PlacedSum): string => placed[name] ?? '0';
  return {
    found: Number(own('listed')),
    orders: Number(sum('orders')),
    costed: Number(sum('orders_costed')),
    charged: Number(sum('orders_fee_actual')),
    revenue: sum('revenue'),
    refunds: own('refunds'),
    gateway_fees: own('gateway_fees'),
    tax: sum('tax'),
    tax_refunded: own('tax_refunded'),
    cogs: own('cogs'),
    fulfillment_cost: sum('fulfillment_costs'),
    estimable,
  };
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
      const rows = isOfAll(filter)
        ? (await warehouse.ask(dayTotalsQuery(filter))).map(ofDays)
        : await warehouse.ask(totalsQuery(filter));
      const [totals] = rows.map(toTotals);
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
