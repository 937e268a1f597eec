import { Big } from 'big.js';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { History } from './order-arbitrary.js';
import { isCounted, referenceDay } from './order-reference.js';

const CUSTOMERS = ['c-1', 'C-1', undefined, 'c-2', 'c-1'];

/** The history with few customers, whom some orders change from version to version, and orders placed at one moment. */
export function withCustomers(history: History): History {
  const dressed = (order: OrderInput): OrderInput => {
    const [number, version] = [Number(order.order_id.slice(2)), new Date(order.updated_at ?? '').getUTCSeconds()];
    const customer = CUSTOMERS[(number % 3 === 0 ? number + version : number) % CUSTOMERS.length];
    return {
      ...order,
      ...(number % 4 > 1 && { placed_at: '2025-06-01T12:00:00Z' }),
      ...(customer !== undefined && { customer: { id: customer } }),
    };
  };
  return { ...history, pushes: history.pushes.map(dressed) };
}

/** A counted order, and whether it is the first of its customer. */
export interface PlacedOrder {
  id: string;
  day: string;
  customer: string | undefined;
  kind: 'new' | 'returning' | 'unknown';
  /** Among those of its customer, from 1; null: it has none. */
  number: number | null;
  /** Of the first order of its customer. */
  firstDay: string;
  netRevenue: Big;
  profit: Big;
  /** Whether a line has no unit cost, and whether there is no fee. */
  hasNoCost: boolean;
  hasNoFee: boolean;
}

/** The counted orders of a shop in the order in which they were placed, of one moment in that of their ids. */
export function placedOrders(orders: readonly OrderInput[], zone: string): PlacedOrder[] {
  const inTime = orders
    .filter(isCounted)
    .toSorted((a, b) => Date.parse(a.placed_at) - Date.parse(b.placed_at) || (a.order_id < b.order_id ? -1 : 1));
  const firstDays = new Map<string, string>();
  const counts = new Map<string, number>();
  return inTime.map((order) => {
    const day = referenceDay(order.placed_at, zone);
    const customer = order.customer?.id ?? undefined;
    const known = customer === undefined ? undefined : firstDays.get(customer);
    if (customer !== undefined && known === undefined) firstDays.set(customer, day);
    const number = customer === undefined ? null : (counts.get(customer) ?? 0) + 1;
    if (customer !== undefined && number !== null) counts.set(customer, number);
    const refunds = (order.refunds ?? []).reduce((sum, { total }) => sum.plus(total), Big(0));
    const netRevenue = Big(order.total).minus(refunds);
    return {
      id: order.order_id,
      day,
      customer,
      kind: customer === undefined ? 'unknown' : known === undefined ? 'new' : 'returning',
      number,
      firstDay: known ?? day,
      netRevenue,
      profit: netRevenue.minus(costsOf(order)),
      hasNoCost: order.line_items.some(({ unit_cost }) => unit_cost === undefined),
      hasNoFee: order.gateway_fee === undefined,
    };
  });
}

/** Unit costs of the lines and the actual fee, less what refunds gave back of both. */
function costsOf({ line_items, refunds = [], gateway_fee }: OrderInput): Big {
  const costOf = (id: string): string => line_items.find(({ line_id }) => line_id === id)?.unit_cost ?? '0';
  let costs = Big(gateway_fee ?? '0');
  for (const line of line_items) costs = costs.plus(Big(line.quantity).times(line.unit_cost ?? '0'));
  for (const refund of refunds) {
    costs = costs.minus(refund.gateway_fee_refund ?? '0');
    for (const { line_id, quantity, restock } of refund.line_items ?? []) {
      if (restock === true) costs = costs.minus(Big(quantity).times(costOf(line_id)));
    }
  }
  return costs;
}

/** An amount of orders as answers round it. */
export const sumOf = (orders: readonly PlacedOrder[], name: 'netRevenue' | 'profit'): string =>
  orders
    .reduce((sum, order) => sum.plus(order[name]), Big(0))
    .round(6, Big.roundHalfUp)
    .toFixed();
