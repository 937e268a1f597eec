import { clearKey, type Tables } from './tables.js';
import { keyOf } from './replacing-table.js';
import type { Row } from './row-reader.js';

/** Units of a SKU that count for the costs of a day. */
export interface Entry {
  sku: string;
  costDay: number;
  unitCost: bigint | null;
  sold: bigint;
  restocked: bigint;
  isReturn: boolean;
}

/** Days from 1970-01-01; before all of them stands a version from the beginning. */
const BEGINNING = -1;
export const since = (row: Row): number =>
  Number(row.effective_from) === 0 && Number(row.is_epoch_day ?? 0) === 0 ? BEGINNING : Number(row.effective_from);

/** Of `day-products.ts`: what was sold. */
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

/** What came back. */
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

/** What stands in `daily_products`. */
export const entriesOf = ({ dailyProducts }: Tables, shopId: string, day: number): Entry[] =>
  (dailyProducts.final(keyOf(shopId, day))?.entries as Entry[] | undefined) ?? [];

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
