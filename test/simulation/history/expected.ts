import type { SimulatedCost, SimulatedItem, SimulatedOrder, SimulatedSpend } from './items.js';

/** Figures of a day, worked out from what was pushed by nothing of the service. */
export interface ExpectedDay {
  orders: number;
  revenue: bigint;
  refunds: bigint;
  gatewayFees: bigint;
  cogs: bigint;
  uncosted: number;
  spend: bigint;
}

const NOTHING: ExpectedDay = {
  orders: 0,
  revenue: 0n,
  refunds: 0n,
  gatewayFees: 0n,
  cogs: 0n,
  uncosted: 0,
  spend: 0n,
};

/** What the orders placed on a day come to, whatever the days of their refunds: all that are not deleted, and amounts of those that count. */
export interface ExpectedPlaced {
  listed: number;
  refunds: bigint;
  gatewayFees: bigint;
  cogs: bigint;
}

/** By placed day. */
export function expectedPlaced(items: readonly SimulatedItem[]): Map<number, ExpectedPlaced> {
  const days = new Map<number, ExpectedPlaced>();
  const costs = items.filter((item): item is SimulatedCost => item.kind === 'product_costs');
  for (const order of items) {
    if (order.kind !== 'orders' || order.wire.deleted === true) continue;
    const known = days.get(order.day) ?? { listed: 0, refunds: 0n, gatewayFees: 0n, cogs: 0n };
    days.set(order.day, known);
    known.listed++;
    // Its own days add up to what it brings.
    const own = new Map<number, ExpectedDay>();
    addOrder((day) => own.get(day) ?? own.set(day, { ...NOTHING }).get(day) ?? NOTHING, order, costs);
    for (const { refunds, gatewayFees, cogs } of own.values()) {
      known.refunds += refunds;
      known.gatewayFees += gatewayFees;
      known.cogs += cogs;
    }
  }
  return days;
}

/** The days of one shop from the items that count. */
export function expectedDays(items: readonly SimulatedItem[]): Map<number, ExpectedDay> {
  const days = new Map<number, ExpectedDay>();
  const at = (day: number): ExpectedDay => {
    let figures = days.get(day);
    if (figures === undefined) days.set(day, (figures = { ...NOTHING }));
    return figures;
  };
  const costs = items.filter((item): item is SimulatedCost => item.kind === 'product_costs');
  for (const item of items) {
    if (item.kind === 'orders') addOrder(at, item, costs);
    else if (item.kind === 'spend') addSpend(at, item);
  }
  return days;
}

function addSpend(at: (day: number) => ExpectedDay, { day, amount }: SimulatedSpend): void {
  at(day).spend += amount;
}

function addOrder(at: (day: number) => ExpectedDay, order: SimulatedOrder, costs: readonly SimulatedCost[]): void {
  if (!order.counts) return;
  const sale = at(order.day);
  sale.orders++;
  sale.revenue += order.revenue;
  sale.gatewayFees += order.fee ?? 0n;
  const unitCosts = order.lines.map(({ cost, sku }) => cost ?? catalogCost(costs, sku, order.day));
  order.lines.forEach(({ quantity }, i) => (sale.cogs += quantity * (unitCosts[i] ?? 0n)));
  if (unitCosts.includes(null)) sale.uncosted++;
  for (const refund of order.refunds) {
    const day = at(refund.day);
    day.refunds += refund.total;
    day.gatewayFees -= refund.fee;
    for (const { line, quantity } of refund.restocked) day.cogs -= quantity * (unitCosts[line] ?? 0n);
  }
}

function catalogCost(costs: readonly SimulatedCost[], sku: string, day: number): bigint | null {
  const own = costs.filter((cost) => cost.sku === sku && (cost.from ?? -1) <= day);
  own.sort((a, b) => (b.from ?? -1) - (a.from ?? -1));
  return own[0]?.cost ?? null;
}
