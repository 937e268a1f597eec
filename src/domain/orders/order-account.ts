import { fraction, minus, plus, sum, times, ZERO, type Fraction } from '../money.js';
import { NO_AMOUNTS, type OrderAmounts } from './order-figures.js';
import type { LineInput, OrderInput, RefundInput } from './orders.js';

/** What the account of an order is made from; days are local to the shop. */
export interface AccountedOrder extends Pick<OrderInput, 'total' | 'tax' | 'fulfillment_cost' | 'line_items'> {
  day: number;
  refunds: readonly (RefundInput & { day: number })[];
}

/** A unit cost, and the first day of the version of the catalog that it comes from, unless the line says it. */
export interface UnitCost {
  amount: string;
  from: 'line' | 'catalog';
  /** Null: from the beginning. */
  since?: number | null;
}

export interface OrderAccount {
  /** By line: absent where no one knows it. */
  unitCosts: Map<string, UnitCost>;
  costOf: (line: Pick<LineInput, 'line_id' | 'quantity'>) => Fraction;
  /** What a counted order brings on each of its days, in their order. */
  days: [number, OrderAmounts][];
  /** The sum of its days. */
  total: OrderAmounts;
}

/**
 * Takes a counted order apart by the days on which it counts (contract: "Figures").
 *
 * @param fee before refunded fees
 * @param catalog unit costs by SKU on the day of the order
 */
export function accountOf(
  order: AccountedOrder,
  fee: Fraction,
  catalog: ReadonlyMap<string, Omit<UnitCost, 'from'>>,
): OrderAccount {
  const unitCosts = new Map<string, UnitCost>();
  for (const { line_id, sku = '', unit_cost } of order.line_items) {
    const listed = catalog.get(sku);
    if (unit_cost !== undefined) unitCosts.set(line_id, { amount: unit_cost, from: 'line' });
    else if (listed !== undefined) unitCosts.set(line_id, { ...listed, from: 'catalog' });
  }
  const costOf: OrderAccount['costOf'] = ({ line_id, quantity }) =>
    times(fraction(quantity), fraction(unitCosts.get(line_id)?.amount ?? '0'));

  const days = new Map<number, OrderAmounts>();
  const add = (day: number, more: Partial<OrderAmounts>): void => {
    days.set(day, addAmounts(days.get(day) ?? NO_AMOUNTS, { ...NO_AMOUNTS, ...more }));
  };
  add(order.day, {
    revenue: fraction(order.total),
    cogs: sum(order.line_items.map(costOf)),
    fees: fee,
    taxes: fraction(order.tax ?? '0'),
    fulfillment: fraction(order.fulfillment_cost ?? '0'),
  });
  for (const { day, total, gateway_fee_refund, tax_refund, line_items = [] } of order.refunds) {
    const restocked = sum(line_items.filter(({ restock }) => restock).map(costOf));
    add(day, {
      refunds: fraction(total),
      cogs: minus(ZERO, restocked),
      fees: minus(ZERO, fraction(gateway_fee_refund ?? '0')),
      taxes: minus(ZERO, fraction(tax_refund ?? '0')),
    });
  }
  return {
    unitCosts,
    costOf,
    days: [...days].sort(([a], [b]) => a - b),
    total: [...days.values()].reduce(addAmounts, NO_AMOUNTS),
  };
}

function addAmounts(a: OrderAmounts, b: OrderAmounts): OrderAmounts {
  return {
    revenue: plus(a.revenue, b.revenue),
    refunds: plus(a.refunds, b.refunds),
    cogs: plus(a.cogs, b.cogs),
    fees: plus(a.fees, b.fees),
    taxes: plus(a.taxes, b.taxes),
    fulfillment: plus(a.fulfillment, b.fulfillment),
  };
}
