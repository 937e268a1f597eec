import { Type } from 'typebox';
import { UNATTRIBUTED_CHANNEL } from '../../domain/attribution/attribution.js';
import type { OrderInput } from '../../domain/orders/orders.js';
import { formatDay, parseDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { stampOf } from '../sql.js';
import { costsByOrder } from './line-costs.js';
import { channelsQuery, placesOf } from './order-channels.js';
import { countedIn, knownCosts, ordersOf, skusIn, source, type OrderFilter } from './order-filter.js';
import { createKeyFinder, type FindKeys, type OrderKey } from './order-keys.js';
import { FEE, FULFILLMENT_COST } from './order-costs.js';
import { defineQuery, nullable, textOf, texts, type Query, type RowOf } from '../query.js';

/** Plain decimals; nothing is rounded. */
export interface ListedOrder extends Omit<OrderKey, 'value'> {
  orderName: string;
  status: OrderInput['status'];
  isTest: boolean;
  deleted: boolean;
  total: string;
  /** Sums over its refunds. */
  refunds: string;
  feeRefunds: string;
  gatewayFee: string | null;
  paymentGateway: string;
  tax: string | null;
  taxRefunds: string;
  fulfillmentCost: string | null;
  cogs: string;
  /** Every sold line has a unit cost. */
  isCosted: boolean;
  channel: string;
  /** Microseconds. */
  updatedAt: number;
  receivedAt: number;
}

/** Sums over counted orders. */
export interface ListedTotals {
  /** All that were found, those that don't count too. */
  found: number;
  orders: number;
  revenue: string;
  refunds: string;
  cogs: string;
  /** Actual fees minus refunded ones. */
  gatewayFees: string;
  tax: string;
  taxRefunds: string;
  fulfillmentCosts: string;
  /** Orders without an actual fee by gateway, as it was spelled. */
  estimable: { gateway: string; orders: number; revenue: string }[];
}

export interface OrderList {
  keys: FindKeys;
  orders(filter: OrderFilter, keys: readonly OrderKey[]): Promise<ListedOrder[]>;
  totals(filter: OrderFilter): Promise<ListedTotals>;
}

const TEXT = Type.String();
const TOTALS = defineQuery('totals of listed orders', {
  ...texts('found', 'orders', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'tax', 'tax_refunds', 'fulfillment_costs'),
  /** Parallel arrays: gateways, orders, revenue. */
  estimable: Type.Tuple([Type.Array(TEXT), Type.Array(TEXT), Type.Array(TEXT)]),
});
const STATES = defineQuery('states of listed orders', {
  ...texts('order_id', 'order_name', 'day', 'at'),
  status: textOf<OrderInput['status']>(),
  is_test: Type.Boolean(),
  ...texts('total', 'refunds', 'fee_refunds'),
  gateway_fee: nullable(TEXT),
  ...texts('payment_gateway', 'tax_refunds', 'updated', 'stamp'),
  tax: nullable(TEXT),
  fulfillment_cost: nullable(TEXT),
});
const COSTS = defineQuery('costs of listed orders', texts('order_id', 'cogs', 'unknown'));

/** What the refunds of an order say of their tax. */
const TAX_REFUNDS = 'arraySum(arrayMap(t -> ifNull(t, toDecimal128(0, 6)), o.refunds.tax_refund))';

export function totalsQuery(filter: OrderFilter): Query<RowOf<typeof TOTALS>> {
  const { from, params } = ordersOf(filter);
  const counted = countedIn(filter);
  return TOTALS(
    `SELECT toString(count()) AS found, toString(countIf(${counted})) AS orders, sumIf(o.revenue, ${counted}) AS revenue,
      sumIf(o.refunds, ${counted}) AS refunds, sumIf(o.cogs, ${counted}) AS cogs,
      sumIf(o.gateway_fees, ${counted}) AS gateway_fees,
      sumIf(o.tax, ${counted}) AS tax, sumIf(o.tax_refunded, ${counted}) AS tax_refunds,
      ifNull(sumIf(o.fulfillment_cost, ${counted}), toDecimal128(0, 6)) AS fulfillment_costs,
      sumMapIf([toString(o.payment_gateway)], [toUInt64(1)], [o.revenue],
        ${counted} AND NOT o.has_gateway_fee AND o.payment_gateway != '') AS estimable
    ${from}`,
    params,
  );
}

/** The states, costs and channels of the orders of a page: three point look-ups. */
function pageQueries({ shopId, status }: OrderFilter, keys: readonly OrderKey[]) {
  const places = keys.map(({ day, orderId: id }) => ({ day: formatDay(day), id }));
  const list = placesOf(places);
  const scopeOf = (table: string): string =>
    `${table}.shop_id = {shop:String} AND (${table}.placed_day, ${table}.order_id) IN (${list})`;
  const from = source(scopeOf, status === 'deleted');
  const params = { shop: shopId };
  return {
    states: STATES(
      `SELECT o.order_id AS order_id, o.order_name AS order_name, toString(o.placed_day) AS day,
      toString(toUnixTimestamp64Micro(o.placed_at)) AS at, o.status AS status, o.is_test AS is_test, o.total AS total,
      arraySum(o.refunds.total) AS refunds, arraySum(o.refunds.gateway_fee_refund) AS fee_refunds,
      ${FEE} AS gateway_fee, o.payment_gateway AS payment_gateway, o.tax AS tax, ${TAX_REFUNDS} AS tax_refunds,
      ${FULFILLMENT_COST} AS fulfillment_cost,
      toString(toUnixTimestamp64Micro(o.updated_at)) AS updated,
      ${stampOf('o.version')} AS stamp ${source(scopeOf, status === 'deleted', knownCosts(scopeOf))}`,
      params,
    ),
    costs: COSTS(costsByOrder({ from, skus: skusIn(scopeOf) }), params),
    channels: channelsQuery(shopId, places),
  };
}

export function createOrderList(warehouse: Warehouse): OrderList {
  return {
    keys: createKeyFinder(warehouse),
    async orders(filter, keys) {
      if (keys.length === 0) return [];
      const { states, costs, channels } = pageQueries(filter, keys);
      const [stateRows, costRows, channelRows] = await Promise.all([
        warehouse.ask(states),
        warehouse.ask(costs),
        warehouse.ask(channels),
      ]);
      const stateOf = new Map(stateRows.map((row) => [row.order_id, row]));
      const costOf = new Map(costRows.map((row) => [row.order_id, row]));
      const channelOf = new Map(channelRows.map((row) => [`${row.placed_day} ${row.order_id}`, row.channel]));
      return keys.flatMap(({ orderId }) => {
        const row = stateOf.get(orderId);
        if (row === undefined) return []; // it has moved or was deleted since
        const cost = costOf.get(orderId);
        return {
          ...toPlace(row),
          orderName: row.order_name,
          status: row.status,
          isTest: row.is_test,
          deleted: filter.status === 'deleted',
          total: row.total,
          refunds: row.refunds,
          feeRefunds: row.fee_refunds,
          gatewayFee: row.gateway_fee,
          paymentGateway: row.payment_gateway,
          tax: row.tax,
          taxRefunds: row.tax_refunds,
          fulfillmentCost: row.fulfillment_cost,
          cogs: cost?.cogs ?? '0',
          isCosted: Number(cost?.unknown ?? 0) === 0,
          channel: channelOf.get(`${row.day} ${orderId}`) ?? UNATTRIBUTED_CHANNEL,
          updatedAt: Number(row.updated),
          receivedAt: Number(row.stamp),
        };
      });
    },
    async totals(filter) {
      const [sums] = await warehouse.ask(totalsQuery(filter));
      const [gateways, orders, revenues] = sums?.estimable ?? [[], [], []];
      return {
        found: Number(sums?.found ?? 0),
        orders: Number(sums?.orders ?? 0),
        revenue: sums?.revenue ?? '0',
        refunds: sums?.refunds ?? '0',
        cogs: sums?.cogs ?? '0',
        gatewayFees: sums?.gateway_fees ?? '0',
        tax: sums?.tax ?? '0',
        taxRefunds: sums?.tax_refunds ?? '0',
        fulfillmentCosts: sums?.fulfillment_costs ?? '0',
        estimable: gateways.map((gateway, i) => ({
          gateway,
          orders: Number(orders[i]),
          revenue: revenues[i] ?? '0',
        })),
      };
    },
  };
}

function toPlace(row: RowOf<typeof STATES>) {
  return { day: parseDay(row.day) ?? 0, placedAt: Number(row.at), orderId: row.order_id };
}
