import type { GroupJob, SpendPush } from '../src/queue/jobs.js';
import type { Receipts } from '../src/redis/receipts.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import type { RollupDay } from '../src/warehouse/queries/rollups.js';
import { rebuildSpend } from '../src/warehouse/queries/spend.js';
import { insertJobs } from './insert-jobs.js';
import { endPushes } from './stored-pushes.js';

export interface SpendFlushDeps extends PushCountDeps {
  receipts: Receipts;
}

/**
 * Writes the spend of many jobs as one insert a table, computes the days that they touch, and logs the pushes. The stamp of
 * the computation is taken after the rows are stored: of two flushes the one with the later stamp has read the rows of both.
 * A repeat after a crash between any two steps changes nothing.
 */
export function createSpendFlush(deps: SpendFlushDeps) {
  const { warehouse, takeStamps } = deps;
  return async (jobs: readonly GroupJob<SpendPush>[]): Promise<void> => {
    const days = new Map<string, RollupDay>();
    for (const { header, days: touched } of jobs.flatMap((job) => job.pushes)) {
      const shopId = header.shop_id;
      for (const day of touched) days.set(`${shopId}\n${day}`, { shopId, day });
    }

    await insertJobs(warehouse, 'spend', jobs);
    const stamp = await takeStamps();
    if (days.size > 0) await rebuildSpend(warehouse, [...days.values()], stamp);
    await endPushes(deps, jobs, { stamp, days: new Map(), lanes: new Map() });
  };
}
