import { clearKey, type Tables } from './tables.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';

/** What the orders of a day come to without the catalog; amounts in millionths. */
export interface DaySums {
  orders: number;
  revenue: bigint;
  refunds: bigint;
  gatewayFees: bigint;
  feeActual: number;
  taxPresent: number;
  fulfillmentKnown: number;
  /** What a statement is made of, by column. */
  statement: Readonly<Record<StatementColumn, bigint>>;
  /** An entry an order that needs the catalog. */
  baskets: { skus: string[]; revenue: bigint }[];
  /** The newest version of each order that was read, whether it counts or not; the real table has no such column. */
  seen: Map<string, bigint>;
}

const STATEMENT_COLUMNS = [
  'gross_sales',
  'discounts',
  'line_discounts',
  'shipping',
  'tips',
  'duties',
  'rounding_adjustment',
  'tax_added',
  'tax',
  'tax_refunded',
  'fulfillment_costs',
  'refunds_without_tax',
] as const;
type StatementColumn = (typeof STATEMENT_COLUMNS)[number];

const byColumn = (amount: (column: StatementColumn) => bigint): Record<StatementColumn, bigint> =>
  Object.fromEntries(STATEMENT_COLUMNS.map((column) => [column, amount(column)])) as Record<StatementColumn, bigint>;

/** Units of a SKU that count for the costs of a day. */
export interface Entry {
  sku: string;
  costDay: number;
  unitCost: bigint | null;
  sold: bigint;
  restocked: bigint;
  isReturn: boolean;
}

/** COGS in the square of millionths. */
export interface DayCosts {
  cogs: bigint;
  uncosted: number;
  revenueUncosted: bigint;
}

export const NO_SUMS: DaySums = {
  orders: 0,
  revenue: 0n,
  refunds: 0n,
  gatewayFees: 0n,
  feeActual: 0,
  taxPresent: 0,
  fulfillmentKnown: 0,
  statement: byColumn(() => 0n),
  baskets: [],
  seen: new Map(),
};

/** Days from 1970-01-01; before all of them stands a version from the beginning. */
const BEGINNING = -1;
export const since = (row: Row): number =>
  Number(row.effective_from) === 0 && Number(row.is_epoch_day ?? 0) === 0 ? BEGINNING : Number(row.effective_from);

/** The clause `sums` of `daily_products_rebuild`. */
export function sumsOfDay({ orderDays, ofDay }: Tables, shopId: string, day: number): DaySums {
  const sum: DaySums = { ...NO_SUMS, baskets: [], seen: new Map() };
  for (const key of ofDay.get(keyOf(shopId, day)) ?? []) {
    const row = orderDays.newest(key);
    if (row === undefined) continue;
    sum.seen.set(String(row.order_id), BigInt(row.version as bigint | string));
    if (row.is_deleted === 1) continue;
    sum.orders += row.orders as number;
    sum.revenue += row.revenue as bigint;
    sum.refunds += row.refunds as bigint;
    sum.gatewayFees += row.gateway_fees as bigint;
    if (row.orders === 1 && row.has_gateway_fee === 1) sum.feeActual++;
    if (row.orders === 1 && row.has_tax === 1) sum.taxPresent++;
    if (row.orders === 1 && row.has_fulfillment_cost === 1) sum.fulfillmentKnown++;
    const { statement } = sum;
    sum.statement = byColumn((column) => statement[column] + ((row[column] as bigint | undefined) ?? 0n));
    const [costs, restocks] = [row['lines.unit_cost'] as unknown[], row['lines.restock'] as number[]];
    const skus = (row['lines.sku'] as string[]).filter((_, i) => costs[i] === null && restocks[i] !== 1);
    if (skus.length > 0) sum.baskets.push({ skus, revenue: row.revenue as bigint });
  }
  return sum;
}

/** The first half of its clause `entries`: what was sold. */
export function soldOnDay({ orders, placedOn }: Tables, shopId: string, day: number): Entry[] {
  return Array.from(placedOn.get(keyOf(shopId, day)) ?? [], (key) => orders.final(key)).flatMap((row) => {
    if (row?.status !== 'paid' || row.is_test === 1) return [];
    const [costs, quantities] = [
      row['line_items.unit_cost'] as (bigint | null)[],
      row['line_items.quantity'] as bigint[],
    ];
    return (row['line_items.sku'] as string[]).map((sku, i) => ({
      sku,
      costDay: day,
      unitCost: costs[i] ?? null,
      sold: quantities[i] ?? 0n,
      restocked: 0n,
      isReturn: false,
    }));
  });
}

/** The second half: what came back. */
export function returnedOnDay({ orderDays, ofDay }: Tables, shopId: string, day: number): Entry[] {
  return Array.from(ofDay.get(keyOf(shopId, day)) ?? [], (key) => orderDays.final(key)).flatMap((row) => {
    if (row === undefined) return [];
    const [costs, quantities] = [
      row['refund_lines.unit_cost'] as (bigint | null)[],
      row['refund_lines.quantity'] as bigint[],
    ];
    const restocks = row['refund_lines.restock'] as number[];
    return (row['refund_lines.sku'] as string[]).map((sku, i) => ({
      sku,
      costDay: Number(row.placed_day),
      unitCost: costs[i] ?? null,
      sold: 0n,
      restocked: restocks[i] === 1 ? (quantities[i] ?? 0n) : 0n,
      isReturn: true,
    }));
  });
}

/** What `costed_days` holds of a day: what its products cost, the SKUs sold without a known cost, costs by SKU and cost day. */
export interface CostedDay {
  cogs: bigint;
  unknown: Set<string>;
  catalog: Map<string, bigint>;
}

/** `costed_days_feed`. */
export function costsOfDay(tables: Tables, shopId: string, day: number): CostedDay {
  const unknown = new Set<string>();
  const catalog = new Map<string, bigint>();
  let cogs = 0n;
  for (const entry of entriesOf(tables, shopId, day)) {
    const cost = entry.unitCost ?? catalogCost(tables, shopId, entry.sku, entry.costDay);
    cogs += (entry.sold - entry.restocked) * (cost ?? 0n);
    if (cost === null && !entry.isReturn) unknown.add(entry.sku);
    if (cost !== null && entry.unitCost === null) catalog.set(keyOf(entry.sku, entry.costDay), cost);
  }
  return { cogs, unknown, catalog };
}

/** What stands in `daily_products`. */
export const entriesOf = ({ dailyProducts }: Tables, shopId: string, day: number): Entry[] =>
  (dailyProducts.final(keyOf(shopId, day))?.entries as Entry[] | undefined) ?? [];

/** `daily_figures_rebuild`: the row of `daily_orders` from the products and their costs. */
export function figuresOfDay(
  { dailyProducts }: Tables,
  [shopId, day]: readonly [string, number],
  { cogs, unknown }: { cogs: bigint; unknown: ReadonlySet<string> },
): DaySums & DayCosts {
  const sums = (dailyProducts.final(keyOf(shopId, day))?.sums as DaySums | undefined) ?? NO_SUMS;
  const uncosted = sums.baskets.filter(({ skus }) => skus.some((sku) => unknown.has(sku)));
  return {
    ...sums,
    cogs,
    uncosted: uncosted.length,
    revenueUncosted: uncosted.reduce((sum, { revenue }) => sum + revenue, 0n),
  };
}

export function catalogCost({ productCosts, ofSku }: Tables, shopId: string, sku: string, day: number): bigint | null {
  let best: Row | null = null;
  for (const key of ofSku.get(keyOf(shopId, sku)) ?? []) {
    const row = productCosts.final(key);
    if (row === undefined || since(row) > day) continue;
    if (best === null || since(row) > since(best)) best = row;
  }
  return best === null ? null : (best.unit_cost as bigint);
}

/** What `daily_spend_rebuild` sums, by channel and currency. */
export function spendOfDay(
  { spend, clears, spendOfDay: index }: Tables,
  shopId: string,
  day: number,
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const key of index.get(keyOf(shopId, day)) ?? []) {
    const row = spend.final(key);
    if (row === undefined) continue;
    const cleared = Math.max(0, ...clears.rowsOf(clearKey(row)).map((clear) => Number(clear.version)));
    const account = keyOf(row.channel, row.currency);
    const amount = Number(row.version) >= cleared ? (row.spend as bigint) : 0n;
    sums.set(account, (sums.get(account) ?? 0n) + amount);
  }
  return sums;
}
