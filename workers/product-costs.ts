import { unpackSegments, type ProductCostsJob } from '../src/queue/jobs.js';
import type { DirtyDays } from '../src/state/dirty-days.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { writeIngestLog } from '../src/warehouse/ingest-log.js';
import { daysOfProductCosts, INSERT_PRODUCT_COSTS, type StampRange } from '../src/warehouse/product-costs.js';

export interface ProductCostFlushDeps {
  warehouse: Warehouse;
  dirtyDays: DirtyDays;
}

/**
 * Writes the catalog versions of many jobs as one insert, then marks the days whose COGS depend on them for restating, and
 * logs the pushes. A repeat after a crash between any two steps changes nothing.
 */
export function createProductCostFlush({ warehouse, dirtyDays }: ProductCostFlushDeps) {
  return async (jobs: readonly ProductCostsJob[]): Promise<void> => {
    const stampsByShop = new Map<string, StampRange[]>();
    const rows: Buffer[] = [];
    for (const job of jobs) {
      if (job.stamps.count === 0) continue;
      const [bytes] = unpackSegments(job.rows, 1);
      if (bytes === undefined) throw new RangeError('a payload of product costs has one segment');
      rows.push(bytes);
      const stamps = stampsByShop.get(job.header.shop_id) ?? [];
      stampsByShop.set(job.header.shop_id, [...stamps, job.stamps]);
    }

    if (rows.length > 0) await warehouse.insertBytes(INSERT_PRODUCT_COSTS, Buffer.concat(rows));
    for (const [shopId, stamps] of stampsByShop) {
      await dirtyDays.mark('restate', shopId, await daysOfProductCosts(warehouse, shopId, stamps));
    }
    await writeIngestLog(
      warehouse,
      jobs.map((job) => job.header),
    );
  };
}
