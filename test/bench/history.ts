import { storedDays, rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { ORDERS_PER_INSERT, writeCatalog, writeOrderVersions, type StoredHistory } from './orders.js';

/** A day that holds exactly {@link BUSY_DAY_ORDERS} orders whatever the history around it. */
export const BUSY_DAY = '2025-06-16';
const BUSY_DAY_ORDERS = 2_000;
const FIRST_DAY = '2016-01-01';
const DAYS = 3_653;
/** Few enough that those of 10,000 orders are computed within the time of a request. */
const REBUILD_DAYS = 50;
const ARTICLES = 2_000;

type Stores = Pick<BenchContext, 'warehouse' | 'takeStamps'>;

/**
 * Writes a history of orders straight into the warehouse: ten years, every order with 1 to 4 lines, a catalog of unit costs
 * beside them, one day of fixed size, and all rollups. 10^7 orders take some minutes.
 */
export async function writeHistory(stores: Stores, shopId: string, orders: number): Promise<void> {
  const { warehouse } = stores;
  const history: StoredHistory = { shopId, orders, firstDay: FIRST_DAY, days: DAYS, articles: ARTICLES };
  await writeCatalog(warehouse, history);
  const isOther = `toDate('${FIRST_DAY}') + intDiv(number * ${DAYS}, ${orders}) != '${BUSY_DAY}'`;
  for (let from = 0; from < orders; from += ORDERS_PER_INSERT) {
    const numbers = `numbers(${from}, ${Math.min(ORDERS_PER_INSERT, orders - from)})`;
    const source = `(SELECT number FROM ${numbers} WHERE ${isOther})`;
    await writeOrderVersions(warehouse, history, { source, version: 1 });
  }
  const busy = { source: `numbers(${orders}, ${BUSY_DAY_ORDERS})`, version: 1 };
  await writeOrderVersions(warehouse, { ...history, firstDay: BUSY_DAY, days: 0 }, busy);
  await rebuildAll(stores, shopId);
}

/** All days of a shop, or those from one on. */
export async function rebuildAll({ warehouse, takeStamps }: Stores, shopId: string, first?: string): Promise<void> {
  const days = await storedDays(warehouse, { shopId, ...(first !== undefined && { from: first }) });
  for (let from = 0; from < days.length; from += REBUILD_DAYS) {
    await rebuildRollups(warehouse, days.slice(from, from + REBUILD_DAYS), takeStamps);
  }
}
