import type { ProductCostInput } from '../../domain/costs/product-costs.js';
import { fraction, minus, ZERO, type Fraction } from '../../domain/money.js';
import type { Warehouse } from '../client.js';
import { literal } from '../sql.js';
import { defineQuery, texts } from '../query.js';
import { BEFORE_ALL_DAYS, costOf } from './unit-costs.js';

/** What versions of unit costs would change, exact. */
export interface CostPreview {
  /** Days whose net profit would change. */
  days: number;
  /** By SKU; one that nothing would change for may be absent. */
  netProfit: ReadonlyMap<string, Fraction>;
}

export type PreviewCosts = (shopId: string, costs: readonly ProductCostInput[]) => Promise<CostPreview>;

/** The versions as a list of (SKU, first day, unit cost); a null cost removes the version. Of one key the last counts. */
function versions(costs: readonly ProductCostInput[]): string {
  const byKey = new Map(
    costs.map((cost) => {
      const since = cost.effective_from ?? BEFORE_ALL_DAYS;
      const unitCost = cost.deleted === true ? 'NULL' : (cost.unit_cost ?? '0');
      return [`${since} ${cost.sku}`, `(${literal(cost.sku)},'${since}',${unitCost})`];
    }),
  );
  const list = `[${[...byKey.values()].join(',')}]`;
  return `arrayJoin(CAST(${literal(list)}, 'Array(Tuple(String, Date32, Nullable(Decimal(38, 6))))'))`;
}

/** The last version that began at the day or before; null: none. */
const costAt = (catalog: string): string => `ASOF LEFT JOIN ${catalog} AS k ON e.sku = k.sku AND e.cost_day >= k.since`;

/**
 * What each product without a unit cost of its own cost on each day, and would cost: the rule of `readUnitCosts`. Unit costs
 * change nothing of a net profit but its COGS.
 */
const changes = (costs: readonly ProductCostInput[]): string => `WITH
    pushed AS (SELECT p.1 AS sku, p.2 AS since, p.3 AS unit_cost FROM (SELECT ${versions(costs)} AS p)),
    live AS (
      SELECT c.sku AS sku, c.since AS since, toNullable(c.unit_cost) AS unit_cost FROM product_costs AS c FINAL
      WHERE c.shop_id = {shop:String} AND c.sku IN (SELECT sku FROM pushed)
    ),
    replaced AS (
      SELECT l.sku AS sku, l.since AS since, l.unit_cost AS unit_cost FROM live AS l
      WHERE (l.sku, l.since) NOT IN (SELECT sku, since FROM pushed)
      UNION ALL
      SELECT p.sku AS sku, p.since AS since, p.unit_cost AS unit_cost FROM pushed AS p WHERE p.unit_cost IS NOT NULL
    ),
    entries AS (
      SELECT d.day AS day, entry_sku AS sku, entry_day AS cost_day, sum(entry_sold - entry_restocked) AS units
      FROM daily_products AS d FINAL
      ARRAY JOIN d.products.sku AS entry_sku, d.products.cost_day AS entry_day, d.products.unit_cost AS entry_cost,
        d.products.units_sold AS entry_sold, d.products.units_restocked AS entry_restocked
      WHERE d.shop_id = {shop:String} AND entry_cost IS NULL AND entry_sku IN (SELECT sku FROM pushed)
      GROUP BY d.day, entry_sku, entry_day
    ),
    priced AS (
      SELECT e.day AS day, e.sku AS sku, e.cost_day AS cost_day, e.units AS units, k.unit_cost AS was
      FROM entries AS e ${costAt('live')}
    ),
    changes AS (
      SELECT e.day AS day, e.sku AS sku, ${costOf('e.units', 'k.unit_cost')} - ${costOf('e.units', 'e.was')} AS cogs
      FROM priced AS e ${costAt('replaced')}
    )`;

// It reads all days of the shop; the figures of others must not wait for it.
const SETTINGS = 'SETTINGS max_threads = 1';

const BY_SKU = defineQuery('preview of costs by product', texts('sku', 'cogs'));
const DAYS = defineQuery('days of a preview of costs', texts('days'));

export function createCostPreview(warehouse: Warehouse): PreviewCosts {
  return async (shopId, costs) => {
    if (costs.length === 0) return { days: 0, netProfit: new Map() };
    const [found, params] = [changes(costs), { shop: shopId }];
    const bySku = 'SELECT c.sku AS sku, sum(c.cogs) AS cogs FROM changes AS c GROUP BY c.sku';
    const byDay = `SELECT toString(count()) AS days FROM (
      SELECT c.day FROM changes AS c GROUP BY c.day HAVING sum(c.cogs) != 0)`;
    const [skus, [days]] = await Promise.all([
      warehouse.ask(BY_SKU(`${found} ${bySku} ${SETTINGS}`, params)),
      warehouse.ask(DAYS(`${found} ${byDay} ${SETTINGS}`, params)),
    ]);
    return {
      days: Number(days?.days ?? 0),
      netProfit: new Map(skus.map(({ sku, cogs }) => [sku, minus(ZERO, fraction(cogs))])),
    };
  };
}
