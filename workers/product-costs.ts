import type { GroupJob, ProductCostsPush } from '../src/queue/jobs.js';
import type { RebuildQueues } from '../src/redis/rebuild-queues.js';
import type { Receipts } from '../src/redis/receipts.js';
import { writeCostCauses } from '../src/warehouse/queries/day-causes.js';
import { daysOfProductCosts, noteCostChanges, type StampRange } from '../src/warehouse/queries/product-costs.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import { insertJobs } from './insert-jobs.js';
import { endPushes } from './stored-pushes.js';

export interface ProductCostFlushDeps extends PushCountDeps {
  rebuildQueues: RebuildQueues;
  receipts: Receipts;
}

/**
 * Writes the catalog versions of many jobs as one insert, then queues the days whose COGS depend on them for restating, and
 * logs the pushes. A repeat after a crash between any two steps changes nothing.
 */
export function createProductCostFlush(deps: ProductCostFlushDeps) {
  const { warehouse, rebuildQueues, takeStamps } = deps;
  return async (jobs: readonly GroupJob<ProductCostsPush>[]): Promise<void> => {
    const stampsByShop = new Map<string, StampRange[]>();
    for (const { header, stamps } of jobs.flatMap((job) => job.pushes)) {
      if (stamps.count === 0) continue;
      const ranges = stampsByShop.get(header.shop_id);
      if (ranges === undefined) stampsByShop.set(header.shop_id, [stamps]);
      else ranges.push(stamps);
    }

    await insertJobs(warehouse, 'product-costs', jobs);
    // Taken after the inserts: a rebuild with a later stamp has read these rows.
    const stamp = await takeStamps();
    await noteCostChanges(warehouse, stampsByShop, stamp);
    const days = new Map<string, string[]>();
    for (const [shopId, stamps] of stampsByShop) days.set(shopId, await daysOfProductCosts(warehouse, shopId, stamps));
    await writeCostCauses(warehouse, { days, stamps: stampsByShop, storedAt: stamp });
    const lanes = await rebuildQueues.add('costs', days);
    await endPushes(deps, jobs, { stamp, days, lanes });
  };
}
