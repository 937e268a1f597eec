import type { SummedOrder } from '../metrics/sums.js';
import type { OrderInput } from '../orders/orders.js';

/** Rows as the auditor reads them: decimals as text, days as `YYYY-MM-DD`, lists as tuples in the order of the names. */

/** One stored row of several with the same natural key; the highest version counts. */
export interface Versioned {
  version: string;
  is_deleted: number;
}

export type AuditedLine = [
  lineId: string,
  quantity: string,
  unitPrice: string,
  sku: string,
  discount: string,
  unitCost: string | null,
];
export interface AuditedRefund {
  refund_id: string;
  refunded_day: string;
  total: string;
  tax_refund: string | null;
  gateway_fee_refund: string;
}
export type AuditedRefundLine = [refundId: string, lineId: string, quantity: string, restock: boolean];

/** A row of `orders`. Of its amounts null is one that is not known. */
export interface AuditedOrder extends Versioned, Omit<SummedOrder, 'line_items'> {
  order_id: string;
  placed_day: string;
  status: OrderInput['status'];
  is_test: boolean;
  taxes_included: boolean;
  payment_gateway: string;
  tax: string | null;
  gateway_fee: string | null;
  fulfillment_cost: string | null;
  lines: AuditedLine[];
  refunds: AuditedRefund[];
  refund_lines: AuditedRefundLine[];
}

/** A row of `order_days`. */
export interface AuditedOrderDay extends Versioned {
  order_id: string;
  orders: number;
  /** By the names of `ORDER_AMOUNTS`. */
  amounts: Partial<Record<string, string>>;
  has_gateway_fee: boolean;
  has_tax: boolean;
  has_fulfillment_cost: boolean;
  payment_gateway: string;
  lines: [sku: string, quantity: string, unitCost: string | null, restock: boolean][];
  refund_lines: [
    ...AuditedRefundLine,
    sku: string,
    unitPrice: string,
    unitCost: string | null,
    sold: string,
    discount: string,
  ][];
}

/** A row of `order_costs`. */
export interface AuditedOrderCost extends Versioned {
  order_id: string;
  kind: 'fulfillment_cost' | 'gateway_fee';
  amount: string;
}

/** The order with what is known of its costs apart, which wins over what it says itself. */
export function withCosts(order: AuditedOrder, costs: ReadonlyMap<string, AuditedOrderCost>): AuditedOrder {
  const known = (kind: AuditedOrderCost['kind']): string | null =>
    costs.get(orderCostKey({ order_id: order.order_id, kind }))?.amount ?? order[kind];
  return { ...order, gateway_fee: known('gateway_fee'), fulfillment_cost: known('fulfillment_cost') };
}

export const orderCostKey = ({ order_id, kind }: Pick<AuditedOrderCost, 'order_id' | 'kind'>): string =>
  JSON.stringify([order_id, kind]);

/** A row of `order_keys`. */
export interface AuditedKey extends Versioned {
  order_id: string;
  day: string;
}

/** A row of `product_costs`. */
export interface AuditedCost extends Versioned {
  sku: string;
  effective_from: string;
  is_epoch_day: number;
  unit_cost: string;
}

/** A row of `ad_spend`, or of `ad_spend_clears` where it is empty behind the currency. */
export interface AuditedSpend extends Versioned {
  channel: string;
  currency: string;
  /** Campaign, ad set and ad. */
  object: [string, string, string];
  spend: string;
}

/** A row of `daily_orders`. */
export interface AuditedFigures extends Versioned {
  part: 'orders' | 'spend';
  sums: Record<string, string>;
  placed_sums: Record<string, string>;
  estimable: [gateway: string, orders: string, revenue: string][];
  spend: [channel: string, currency: string, amount: string][];
}

/** Sums over rows, by name; what is absent is zero. */
export type AuditedSums = Partial<Record<string, string>>;

/** A row of `daily_products`. */
export interface AuditedProducts extends Versioned {
  products: [sku: string, costDay: string, unitCost: string | null, ...amounts: string[]][];
}

/** The newest row of each key, deleted or not. */
export function latest<Row extends Versioned>(rows: Iterable<Row>, keyOf: (row: Row) => string): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const known = found.get(keyOf(row));
    if (known === undefined || BigInt(row.version) >= BigInt(known.version)) found.set(keyOf(row), row);
  }
  return found;
}

/** The newest row of each key, without those that are deleted. */
export function newest<Row extends Versioned>(rows: Iterable<Row>, keyOf: (row: Row) => string): Map<string, Row> {
  const found = latest(rows, keyOf);
  for (const [key, row] of found) if (row.is_deleted !== 0) found.delete(key);
  return found;
}
