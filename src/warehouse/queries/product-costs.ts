import { Type } from 'typebox';
import { canonicalDecimal } from '../../domain/money.js';
import type { ProductCostInput } from '../../domain/costs/product-costs.js';
import { formatDay } from '../../domain/time.js';
import type { Warehouse } from '../client.js';
import { jsonRows } from '../columns/json-rows.js';
import { defineQuery, texts } from '../query.js';
import { literal } from '../sql.js';

/** An accepted item with the arrival stamp that its push reserved: the newest stamp of a key wins. */
export interface StampedProductCost {
  cost: ProductCostInput;
  stamp: number;
}

/** Rows of `product_costs`. `currency` is that of the shop. */
export function encodeProductCosts(shopId: string, items: readonly StampedProductCost[], currency: string): Buffer {
  return jsonRows(
    items.map(({ cost, stamp }) => ({
      shop_id: shopId,
      sku: cost.sku,
      effective_from: cost.effective_from ?? EPOCH_DAY,
      is_epoch_day: cost.effective_from === EPOCH_DAY ? 1 : 0,
      unit_cost: cost.unit_cost ?? '0',
      currency,
      version: stamp,
      is_deleted: cost.deleted === true ? 1 : 0,
    })),
  );
}

/** Means "from the beginning" too; `is_epoch_day` tells the two apart. */
const EPOCH_DAY = formatDay(0);

/** Arrival stamps `first` to `first + count - 1`. */
export interface StampRange {
  first: number;
  count: number;
}

const SKUS_OF_COSTS = defineQuery('SKUs of pushed costs', texts('shop_id', 'sku'));

/** Notes that unit costs of these stamps were stored when `storedAt` was taken, by SKU. One read and one insert for all shops. */
export async function noteCostChanges(
  warehouse: Warehouse,
  stamps: ReadonlyMap<string, readonly StampRange[]>,
  storedAt: number,
): Promise<void> {
  if (stamps.size === 0) return;
  const written = Array.from(stamps, ([shopId, ranges]) => `(shop_id = ${literal(shopId)} AND (${versionIn(ranges)}))`);
  const changed = await warehouse.ask(
    SKUS_OF_COSTS(`SELECT DISTINCT shop_id, sku FROM product_costs WHERE ${written.join(' OR ')}`),
  );
  await warehouse.insert(
    'product_cost_changes',
    changed.map((change) => ({ ...change, stored_at: storedAt })),
  );
}

const versionIn = (ranges: readonly StampRange[]): string =>
  ranges.map(({ first, count }) => `version BETWEEN ${first} AND ${first + count - 1}`).join(' OR ');

const DAYS_OF_COSTS = defineQuery('days of product costs', texts('day'));

/**
 * The days whose COGS depend on the versions written under the stamps, newest first: days on which an order sold or
 * restocked such a SKU without a unit cost of its own, if the order was placed between the version's first day and that of
 * the next version. Run after the versions are stored, it misses no order: figures of a day that is computed later than what
 * is read here are computed with these versions anyway. A version that a newer push has replaced meanwhile may be gone: then all from the first stamp on are looked at,
 * among which is what replaced it.
 */
export async function daysOfProductCosts(
  warehouse: Warehouse,
  shopId: string,
  stamps: readonly StampRange[],
): Promise<string[]> {
  if (stamps.length === 0) return [];
  const written = versionIn(stamps);
  const first = Math.min(...stamps.map((range) => range.first));
  const expected = stamps.reduce((sum, { count }) => sum + count, 0);
  const rows = await warehouse.ask(
    DAYS_OF_COSTS(
      `WITH
       (SELECT uniqExact(version) < ${expected} FROM product_costs WHERE shop_id = {shop:String} AND (${written})) AS some_gone,
       written AS (
         SELECT sku, since FROM product_costs
         WHERE shop_id = {shop:String} AND (${written} OR (some_gone AND version >= ${first}))
       ),
       live AS (
         SELECT sku, since FROM product_costs FINAL
         WHERE shop_id = {shop:String} AND sku IN (SELECT sku FROM written)
       ),
       spans AS (
         SELECT w.sku AS sku, w.since AS since, -- A SKU of which no version is left joins nothing: its l.since is 1970-01-01, which is none.
           minOrNullIf(l.since, l.sku != '' AND l.since > w.since) AS until
         FROM written AS w LEFT JOIN live AS l ON w.sku = l.sku
         GROUP BY w.sku, w.since
       ),
       entries AS (
         SELECT d.day AS day, entry_cost_day AS cost_day, entry_sku AS sku
         FROM daily_products AS d FINAL
         ARRAY JOIN d.products.sku AS entry_sku, d.products.unit_cost AS entry_cost, d.products.cost_day AS entry_cost_day,
           arrayMap((sold, back) -> sold > 0 OR back > 0, d.products.lines_sold, d.products.units_restocked) AS entry_costs
         WHERE d.shop_id = {shop:String} AND entry_costs AND entry_cost IS NULL AND entry_sku IN (SELECT sku FROM written)
       )
     SELECT DISTINCT toString(e.day) AS day FROM entries AS e INNER JOIN spans AS s ON e.sku = s.sku
     WHERE e.cost_day >= s.since AND (s.until IS NULL OR e.cost_day < s.until)
     ORDER BY day DESC
     -- It reads all days of the shop; fresh days must not wait for it.
     SETTINGS max_threads = 1`,
      { shop: shopId },
    ),
  );
  return rows.map((row) => row.day);
}

/** One live version. `effectiveFrom` is a day number, or {@link FROM_THE_BEGINNING}. */
export interface StoredProductCost {
  sku: string;
  effectiveFrom: number;
  /** Canonical decimal. */
  unitCost: string;
  currency: string;
  /** Arrival stamp of the push that wrote it. */
  stamp: number;
}

export interface ProductCostQuery {
  shopId: string;
  sku?: string | undefined;
  /** The last key of the page before. */
  after?: Pick<StoredProductCost, 'sku' | 'effectiveFrom'> | undefined;
  limit: number;
}

/** Live versions of a shop in the order of SKU and day. */
export type ListProductCosts = (query: ProductCostQuery) => Promise<StoredProductCost[]>;

const PRODUCT_COSTS = defineQuery('product costs', {
  ...texts('sku', 'unitCost', 'currency'),
  effectiveFrom: Type.Number(),
  stamp: Type.Number(),
});

export function createProductCostList(warehouse: Warehouse): ListProductCosts {
  return async ({ shopId, sku, after, limit }) => {
    const rows = await warehouse.ask(
      PRODUCT_COSTS(
        `SELECT sku, toInt32(toInt32(effective_from) - (since < effective_from)) AS effectiveFrom, unit_cost AS unitCost, currency,
         toFloat64(version) AS stamp
       FROM product_costs FINAL
       WHERE shop_id = {shop:String}
         ${sku === undefined ? '' : 'AND sku = {sku:String}'}
         ${after === undefined ? '' : 'AND (sku, effective_from, is_epoch_day) > ({afterSku:String}, {afterDay:Date}, {afterEpoch:UInt8})'}
       ORDER BY sku, effective_from, is_epoch_day LIMIT {limit:UInt32}`,
        {
          shop: shopId,
          limit,
          ...(sku !== undefined && { sku }),
          ...(after !== undefined && {
            afterSku: after.sku,
            afterDay: formatDay(Math.max(after.effectiveFrom, 0)),
            afterEpoch: after.effectiveFrom === 0 ? 1 : 0,
          }),
        },
      ),
    );
    return rows.map((row) => ({ ...row, unitCost: canonicalDecimal(row.unitCost) }));
  };
}
