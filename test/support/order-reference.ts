import { Big } from 'big.js';
import { DateTime } from 'luxon';
import type { OrderInput } from '../../src/domain/orders/orders.js';

/** The figures of a day, in the most naive way: no code of the service, one big.js sum after the other. */
export interface ReferenceDay {
  orders: number;
  revenue: Big;
  refunds: Big;
  cogs: Big;
  gatewayFees: Big;
}

const knownDays = new Map<string, string>();

/** Local day of a timestamp. */
export function referenceDay(timestamp: string, zone: string): string {
  const known = knownDays.get(zone + timestamp);
  if (known !== undefined) return known;
  const day = DateTime.fromISO(timestamp, { zone }).toISODate();
  if (day === null) throw new Error(`no day for ${timestamp}`);
  knownDays.set(zone + timestamp, day);
  return day;
}

/** Which push of each order counts: the newest `updated_at`, and of equal ones the last in the list. */
export function newestPushes(pushes: readonly OrderInput[]): OrderInput[] {
  const newest = new Map<string, OrderInput>();
  for (const push of pushes) {
    const known = newest.get(push.order_id);
    const time = (order: OrderInput): number => DateTime.fromISO(order.updated_at ?? order.placed_at).toMillis();
    if (known === undefined || time(push) >= time(known)) newest.set(push.order_id, push);
  }
  return [...newest.values()];
}

export const isCounted = ({ status, is_test, deleted }: OrderInput): boolean =>
  status === 'paid' && is_test !== true && deleted !== true;

/** Figures by day from the newest state of each order; unit costs are those of the lines alone. */
export function referenceDays(orders: readonly OrderInput[], zone: string): Map<string, ReferenceDay> {
  const days = new Map<string, ReferenceDay>();
  const at = (timestamp: string): ReferenceDay => {
    const day = referenceDay(timestamp, zone);
    let figures = days.get(day);
    if (figures === undefined) {
      figures = { orders: 0, revenue: Big(0), refunds: Big(0), cogs: Big(0), gatewayFees: Big(0) };
      days.set(day, figures);
    }
    return figures;
  };
  for (const order of orders.filter(isCounted)) {
    const sale = at(order.placed_at);
    sale.orders += 1;
    sale.revenue = sale.revenue.plus(order.total);
    sale.gatewayFees = sale.gatewayFees.plus(order.gateway_fee ?? '0');
    for (const line of order.line_items) sale.cogs = sale.cogs.plus(Big(line.quantity).times(line.unit_cost ?? '0'));
    for (const refund of order.refunds ?? []) {
      const day = at(refund.refunded_at);
      day.refunds = day.refunds.plus(refund.total);
      day.gatewayFees = day.gatewayFees.minus(refund.gateway_fee_refund ?? '0');
      for (const returned of refund.line_items ?? []) {
        if (returned.restock !== true) continue;
        const cost = order.line_items.find((line) => line.line_id === returned.line_id)?.unit_cost ?? '0';
        day.cogs = day.cogs.minus(Big(returned.quantity).times(cost));
      }
    }
  }
  return days;
}
