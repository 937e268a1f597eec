import type { GroupJob, RatesPush } from '../src/queue/jobs.js';
import type { Receipts } from '../src/redis/receipts.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';
import { insertJobs } from './insert-jobs.js';
import { endPushes } from './stored-pushes.js';

export interface RateFlushDeps extends PushCountDeps {
  receipts: Receipts;
}

/**
 * Writes the rates of many jobs as one insert, and logs the pushes. Figures are converted when they are read, so no day is computed
 * again. A repeat after a crash between any two steps changes nothing.
 */
export function createRateFlush(deps: RateFlushDeps) {
  const { warehouse, takeStamps } = deps;
  return async (jobs: readonly GroupJob<RatesPush>[]): Promise<void> => {
    await insertJobs(warehouse, 'rates', jobs);
    await endPushes(deps, jobs, { stamp: await takeStamps(), days: new Map(), lanes: new Map() });
  };
}
