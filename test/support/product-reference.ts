import type { LineInput } from '../../src/domain/orders/orders.js';
import { costOf, wireMicros, type ReferenceState } from './cost-reference.js';
import { product, units } from './cost-units.js';
import { newestPushes, referenceDay } from './order-reference.js';

/** Sums of one SKU in the units of the reference of costs. */
export interface ReferenceProduct {
  unitsSold: bigint;
  unitsRefunded: bigint;
  unitsRestocked: bigint;
  discounts: bigint;
  revenue: bigint;
  refunds: bigint;
  cogs: bigint;
  /** Lines sold without any cost, their units, and their revenue. */
  uncostedLines: number;
  unitsWithoutCost: bigint;
  revenueWithoutCost: bigint;
}

const nothing = (): ReferenceProduct => ({
  unitsSold: 0n,
  unitsRefunded: 0n,
  unitsRestocked: 0n,
  discounts: 0n,
  revenue: 0n,
  refunds: 0n,
  cogs: 0n,
  uncostedLines: 0,
  unitsWithoutCost: 0n,
  revenueWithoutCost: 0n,
});

/** Products of an inclusive range by SKU, null for lines without one, line by line from the newest state of each order. */
export function referenceProducts(
  state: ReferenceState,
  zone: string,
  from: string,
  to: string,
): Map<string | null, ReferenceProduct> {
  const products = new Map<string | null, ReferenceProduct>();
  const of = (sku: string | undefined): ReferenceProduct => {
    const known = products.get(sku ?? null) ?? nothing();
    products.set(sku ?? null, known);
    return known;
  };
  const isAsked = (timestamp: string): boolean => {
    const day = referenceDay(timestamp, zone);
    return from <= day && day <= to;
  };
  for (const order of newestPushes(state.orders)) {
    if (order.status !== 'paid' || order.is_test === true || order.deleted === true) continue;
    const placed = referenceDay(order.placed_at, zone);
    const cost = (lineId: string): string | undefined => costOf(order, lineId, placed, state.catalog);
    for (const line of isAsked(order.placed_at) ? order.line_items : []) {
      const item = of(line.sku);
      const revenue = product(line.quantity, line.unit_price) - units(line.line_discount ?? '0');
      item.unitsSold += units(line.quantity);
      item.discounts += units(line.line_discount ?? '0');
      item.revenue += revenue;
      item.cogs += product(line.quantity, cost(line.line_id) ?? '0');
      if (cost(line.line_id) !== undefined) continue;
      item.uncostedLines += 1;
      item.unitsWithoutCost += units(line.quantity);
      item.revenueWithoutCost += revenue;
    }
    for (const refund of order.refunds ?? []) {
      for (const back of isAsked(refund.refunded_at) ? (refund.line_items ?? []) : []) {
        const line = order.line_items.find(({ line_id }) => line_id === back.line_id);
        if (line === undefined) throw new Error(`no line ${back.line_id}`);
        const item = of(line.sku);
        item.unitsRefunded += units(back.quantity);
        item.refunds += product(back.quantity, line.unit_price) - discountOf(line, back.quantity);
        if (back.restock !== true) continue;
        item.unitsRestocked += units(back.quantity);
        item.cogs -= product(back.quantity, cost(line.line_id) ?? '0');
      }
    }
  }
  return products;
}

/** Of some units of a line, cut at the twelfth decimal. */
function discountOf({ quantity, line_discount = '0' }: LineInput, part: string): bigint {
  const sold = wireMicros(quantity);
  if (sold === 0n) return 0n;
  const share = (wireMicros(part) * wireMicros(line_discount) * 1_000_000n) / sold;
  return (share * units('1')) / 10n ** 12n;
}
