import type { GroupJob, RejectionsPush } from '../src/queue/jobs.js';
import { segmentsOf } from '../src/queue/segments.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { INSERT_REJECTIONS } from '../src/warehouse/columns/rejections.js';

/** Writes the rejected items of many jobs as one insert; one that is written twice is merged. */
export function createRejectionFlush({ warehouse }: { warehouse: Warehouse }) {
  return async (jobs: readonly GroupJob<RejectionsPush>[]): Promise<void> => {
    await warehouse.insertBytes(INSERT_REJECTIONS, Buffer.concat(jobs.flatMap((job) => segmentsOf(job, 1))));
  };
}
