import { unpackSegments, type SpendJob } from '../src/queue/jobs.js';
import type { TakeStamps } from '../src/state/stamps.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { writeIngestLog } from '../src/warehouse/ingest-log.js';
import type { RollupDay } from '../src/warehouse/rollups.js';
import { INSERT_AD_SPEND, INSERT_AD_SPEND_CLEARS, rebuildSpend } from '../src/warehouse/spend.js';

export interface SpendFlushDeps {
  warehouse: Warehouse;
  takeStamps: TakeStamps;
}

/**
 * Writes the spend of many jobs as one insert a table, computes the days that they touch, and logs the pushes. The stamp of
 * the computation is taken after the rows are stored: of two flushes the one with the later stamp has read the rows of both.
 * A repeat after a crash between any two steps changes nothing.
 */
export function createSpendFlush({ warehouse, takeStamps }: SpendFlushDeps) {
  return async (jobs: readonly SpendJob[]): Promise<void> => {
    const days = new Map<string, RollupDay>();
    const spend: Buffer[] = [];
    const clears: Buffer[] = [];
    for (const job of jobs) {
      const [spendRows, clearRows] = unpackSegments(job.rows, 2);
      if (spendRows === undefined || clearRows === undefined) {
        throw new RangeError('a payload of spend has two segments');
      }
      if (spendRows.length > 0) spend.push(spendRows);
      if (clearRows.length > 0) clears.push(clearRows);
      const shopId = job.header.shop_id;
      for (const day of job.days) days.set(`${shopId}\n${day}`, { shopId, day });
    }

    await Promise.all([
      spend.length > 0 && warehouse.insertBytes(INSERT_AD_SPEND, Buffer.concat(spend)),
      clears.length > 0 && warehouse.insertBytes(INSERT_AD_SPEND_CLEARS, Buffer.concat(clears)),
    ]);
    if (days.size > 0) await rebuildSpend(warehouse, [...days.values()], await takeStamps());
    await writeIngestLog(
      warehouse,
      jobs.map((job) => job.header),
    );
  };
}
