import { compare } from '../compare.js';
import { fraction, type Fraction } from '../money.js';
import { newest, type AuditedCost } from './audited-rows.js';

/** The unit cost of a SKU on a day, `YYYY-MM-DD`; null where the catalog has none. */
export type UnitCostOn = (sku: string, day: string) => Fraction | null;

export function catalogOf(rows: Iterable<AuditedCost>): UnitCostOn {
  const versions = new Map<string, { since: string; cost: Fraction }[]>();
  const key = (row: AuditedCost): string => JSON.stringify([row.sku, row.effective_from, row.is_epoch_day]);
  for (const row of newest(rows, key).values()) {
    // The day 1970-01-01 without the flag means "from the beginning".
    const since = row.effective_from === '1970-01-01' && row.is_epoch_day === 0 ? '' : row.effective_from;
    const list = versions.get(row.sku) ?? [];
    list.push({ since, cost: fraction(row.unit_cost) });
    versions.set(row.sku, list);
  }
  for (const list of versions.values()) list.sort((a, b) => compare(b.since, a.since));
  return (sku, day) => versions.get(sku)?.find(({ since }) => since <= day)?.cost ?? null;
}
