import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { countedIn, ordersOf, type OrderFilter } from './order-filter.js';
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
  ...texts(
    'found',
    'orders',
    'costed',
    'charged',
    'revenue',
    'refunds',
    'cogs',
    'gateway_fees',
    'tax',
    'tax_refunds',
    'fulfillment_costs',
  ),
  /** Parallel arrays: gateways, orders, revenue. */
  estimable: Type.Tuple([Type.Array(TEXT), Type.Array(TEXT), Type.Array(TEXT)]),
});
export function totalsQuery(filter: OrderFilter): Query<RowOf<typeof TOTALS>> {
  const counted = countedIn(filter);
  const { sql, params } = ordersOf(
    filter,
    `toString(count()) AS found, toString(countIf(${counted})) AS orders,
      toString(countIf(${counted} AND o.lines_without_cost = 0)) AS costed, toString(countIf(${counted} AND o.has_gateway_fee)) AS charged,
      sumIf(o.revenue, ${counted}) AS revenue,
      sumIf(o.refunds, ${counted}) AS refunds, sumIf(o.cogs, ${counted}) AS cogs,
      sumIf(o.gateway_fees, ${counted}) AS gateway_fees,
      sumIf(o.tax, ${counted}) AS tax, sumIf(o.tax_refunded, ${counted}) AS tax_refunds,
      ifNull(sumIf(o.fulfillment_cost, ${counted}), toDecimal128(0, 6)) AS fulfillment_costs,
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
      const [sums] = await warehouse.ask(totalsQuery(filter));
      return toTotals(sums);
    },
  };
}

function toTotals(sums: RowOf<typeof TOTALS> | undefined) {
  const [gateways, orders, revenues] = sums?.estimable ?? [[], [], []];
  return {
    /** All that were found, those that don't count too. */
    found: Number(sums?.found ?? 0),
    orders: Number(sums?.orders ?? 0),
    /** Those whose every line has a cost, and those with an actual fee. */
    costed: Number(sums?.costed ?? 0),
    charged: Number(sums?.charged ?? 0),
    revenue: sums?.revenue ?? '0',
    refunds: sums?.refunds ?? '0',
    cogs: sums?.cogs ?? '0',
    /** Actual fees minus refunded ones. */
    gatewayFees: sums?.gateway_fees ?? '0',
    tax: sums?.tax ?? '0',
    taxRefunds: sums?.tax_refunds ?? '0',
    fulfillmentCosts: sums?.fulfillment_costs ?? '0',
    /** Orders without an actual fee by gateway, as fee rules compare it. */
    estimable: gateways.map((gateway, i) => ({ gateway, orders: Number(orders[i]), revenue: revenues[i] ?? '0' })),
  };
}
