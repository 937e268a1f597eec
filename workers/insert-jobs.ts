import { TABLES, type GroupJob, type QueueName } from '../src/queue/jobs.js';
import { segmentsOf } from '../src/queue/segments.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { insertRows } from '../src/warehouse/insert-rows.js';

/** Writes the rows of many jobs of a queue, one insert a table. Throws a RangeError when those of one are damaged. */
export async function insertJobs(
  warehouse: Warehouse,
  queue: QueueName,
  jobs: readonly Pick<GroupJob<unknown>, 'schema' | 'rows'>[],
): Promise<void> {
  const tables = TABLES[queue];
  const segments = jobs.map((job) =>
    segmentsOf(job, tables.length).map((segment) => ({ ...segment, schema: job.schema })),
  );
  await Promise.all(
    tables.map((table, i) =>
      insertRows(
        warehouse,
        table,
        segments.flatMap((list) => list[i] ?? []),
      ),
    ),
  );
}
