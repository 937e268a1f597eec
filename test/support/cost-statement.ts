import type { OrderInput } from '../../src/domain/orders/orders.js';
import { product, units } from './cost-units.js';

const STATEMENT_PARTS = [
  'gross_sales',
  'discounts',
  'shipping',
  'tips',
  'duties',
  'rounding_adjustment',
  'tax_added',
  'tax',
  'tax_refunded',
  'fulfillment_costs',
] as const;
export type StatementPart = (typeof STATEMENT_PARTS)[number];

export function emptyStatement(): Record<StatementPart, bigint> {
  return Object.fromEntries(STATEMENT_PARTS.map((name) => [name, 0n])) as Record<StatementPart, bigint>;
}

/** The order with what is known of its costs apart in place of what it says. */
export function withKnownCosts(
  order: OrderInput,
  { orderCosts }: { orderCosts: ReadonlyMap<string, string | null> },
): OrderInput {
  const fee = orderCosts.get(`${order.order_id}|gateway_fee`);
  const cost = orderCosts.get(`${order.order_id}|fulfillment_cost`);
  return {
    ...order,
    ...(typeof fee === 'string' && { gateway_fee: fee }),
    ...(typeof cost === 'string' && { fulfillment_cost: cost }),
  };
}

export function addSale(sum: { statement: Record<StatementPart, bigint>; fulfilled: number }, order: OrderInput): void {
  const { statement } = sum;
  for (const line of order.line_items) {
    statement.gross_sales += product(line.unit_price, line.quantity);
    statement.discounts += units(line.line_discount ?? '0');
  }
  for (const name of ['discounts', 'shipping', 'tips', 'duties', 'rounding_adjustment', 'tax'] as const) {
    statement[name] += units(order[name] ?? '0');
  }
  if (order.taxes_included !== true) statement.tax_added += units(order.tax ?? '0');
  statement.fulfillment_costs += units(order.fulfillment_cost ?? '0');
  if (order.fulfillment_cost !== undefined) sum.fulfilled += 1;
}
