import { OCCASION } from '../src/domain/orders/orders.js';
import { TABLES, type GroupJob, type QueueName } from '../src/queue/jobs.js';
import { isAccepted } from '../src/queue/reserved-job.js';
import { segmentsOf } from '../src/queue/segments.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { OCCASION_COLUMN } from '../src/warehouse/columns/orders.js';
import { stampRows } from '../src/warehouse/columns/stamped-rows.js';
import { insertRows, type EncodedRows } from '../src/warehouse/insert-rows.js';

/**
 * Writes the rows of many jobs of a queue, one insert a table. Throws a RangeError when those of one are damaged.
 *
 * One table after the other: the last one outdates what was stored before (the days that an order left, cleared spend), so
 * what comes in its place must be there by then. Else a job that is lost in between would take stored rows with it.
 */
export async function insertJobs(
  warehouse: Warehouse,
  queue: QueueName,
  jobs: readonly GroupJob<unknown>[],
): Promise<void> {
  const tables = TABLES[queue];
  const segments = jobs.map((job) =>
    segmentsOf(job, tables.length).map((segment, table) => stampedParts(job, segment, table)),
  );
  for (const [i, table] of tables.entries()) {
    await insertRows(
      warehouse,
      table,
      segments.flatMap((list) => list[i] ?? []),
    );
  }
}

/** The rows of a table as they are inserted: those of accepted orders, with their stamps. */
function stampedParts({ pushes }: GroupJob<unknown>, { head, rows }: EncodedRows, table: number): EncodedRows[] {
  if (pushes.every(({ reserved }) => reserved === undefined)) return [{ head, rows }];
  let end = 0;
  return pushes.flatMap(({ bytes, reserved }) => {
    const own = rows.subarray(end, (end += bytes[table] ?? 0));
    if (reserved === undefined) return [{ head, rows: own }];
    const [outcomes, first] = reserved;
    const occasionOf = (order: number) => (outcomes[order] === 'n' ? OCCASION.new : OCCASION.known);
    const hasOccasion = head.includes(OCCASION_COLUMN);
    const parts = stampRows(own, (order) => isAccepted(outcomes, order), first, hasOccasion ? occasionOf : undefined);
    return parts.map((part) => ({ head, rows: part }));
  });
}
