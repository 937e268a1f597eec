import { keyOf } from '../warehouse/replacing-table.js';
import { since, spendOfDay } from '../warehouse/rebuild.js';
import type { Row } from '../warehouse/row-reader.js';
import type { Tables } from '../warehouse/tables.js';
import type { ExpectedDay } from './expected.js';

/** The figures of a day from the stored order days, spend and catalog alone, by none of the steps of a rebuild. */
export function storedDay(tables: Tables, shopId: string, day: number): ExpectedDay {
  const sum: ExpectedDay = { orders: 0, revenue: 0n, refunds: 0n, gatewayFees: 0n, cogs: 0n, uncosted: 0, spend: 0n };
  for (const key of tables.ofDay.get(keyOf(shopId, day)) ?? []) {
    const row = tables.orderDays.final(key);
    if (row === undefined) continue;
    sum.orders += row.orders as number;
    sum.revenue += row.revenue as bigint;
    sum.refunds += row.refunds as bigint;
    sum.gatewayFees += row.gateway_fees as bigint;
    const quantities = row['lines.quantity'] as bigint[];
    const costs = row['lines.unit_cost'] as (bigint | null)[];
    const isRestock = (row['lines.restock'] as number[]).map((flag) => flag === 1);
    const priced = (row['lines.sku'] as string[]).map(
      (sku, i) => costs[i] ?? catalogCost(tables, shopId, sku, Number(row.placed_day)),
    );
    priced.forEach((cost, i) => {
      sum.cogs += (isRestock[i] === true ? -1n : 1n) * (quantities[i] ?? 0n) * (cost ?? 0n);
    });
    if (priced.some((cost, i) => cost === null && isRestock[i] !== true)) sum.uncosted++;
  }
  for (const amount of spendOfDay(tables, shopId, day).values()) sum.spend += amount;
  return sum;
}

function catalogCost({ productCosts, ofSku }: Tables, shopId: string, sku: string, day: number): bigint | null {
  let best: Row | null = null;
  for (const key of ofSku.get(keyOf(shopId, sku)) ?? []) {
    const row = productCosts.final(key);
    if (row === undefined || since(row) > day) continue;
    if (best === null || since(row) > since(best)) best = row;
  }
  return best === null ? null : (best.unit_cost as bigint);
}
