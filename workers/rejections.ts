import type { GroupJob, RejectionsPush } from '../src/queue/jobs.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { insertJobs } from './insert-jobs.js';

/** Writes the rejected items of many jobs as one insert; one that is written twice is merged. */
export function createRejectionFlush({ warehouse }: { warehouse: Warehouse }) {
  return (jobs: readonly GroupJob<RejectionsPush>[]): Promise<void> => insertJobs(warehouse, 'rejections', jobs);
}
