import { TABLES, type GroupJob, type QueueName } from '../src/queue/jobs.js';
import { segmentsOf } from '../src/queue/segments.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { insertRows } from '../src/warehouse/insert-rows.js';

/**
 * Writes the rows of many jobs of a queue, one insert a table. Throws a RangeError when those of one are damaged.
 *
 * One table after the other: the last one outdates what was stored before (the days that an order left, cleared spend), so
 * what comes in its place must be there by then. Else a job that is lost in between would take stored rows with it.
 */
export async function insertJobs(
  warehouse: Warehouse,
  queue: QueueName,
  jobs: readonly Pick<GroupJob<unknown>, 'rows'>[],
): Promise<void> {
  const tables = TABLES[queue];
  const segments = jobs.map((job) => segmentsOf(job, tables.length));
  for (const [i, table] of tables.entries()) {
    await insertRows(
      warehouse,
      table,
      segments.flatMap((list) => list[i] ?? []),
    );
  }
}
