import { toRanges } from '../src/domain/day-ranges.js';
import type { IngestHeader } from '../src/domain/ingest.js';
import type { DayRange } from '../src/domain/metrics/range.js';
import { parseDay } from '../src/domain/time.js';
import type { RebuildLane } from '../src/redis/rebuild-queues.js';
import type { GroupJob } from '../src/queue/jobs.js';
import type { Receipts, StoredPushes } from '../src/redis/receipts.js';
import { writeIngestLog } from '../src/warehouse/queries/ingest-log.js';
import type { PushCountDeps } from '../src/warehouse/queries/push-hours.js';

/** The days that a flush has queued, by shop. */
export interface QueuedDays {
  days: ReadonlyMap<string, Iterable<string>>;
  lanes: ReadonlyMap<string, RebuildLane>;
}

/** Logs the pushes of a flush, and stores the receipts of those of which something was accepted. */
export async function endPushes(
  deps: PushCountDeps & { receipts: Receipts },
  jobs: readonly GroupJob<{ header: IngestHeader }>[],
  { stamp, ...queued }: QueuedDays & { stamp: number },
): Promise<void> {
  const headers = jobs.flatMap((job) => job.pushes.map(({ header }) => header));
  await writeIngestLog(deps, headers);
  const accepted = headers.filter((header) => header.accepted > 0);
  await deps.receipts.store(stamp, storedPushes(accepted, queued));
}

/** The pushes by shop, each with all days that the flush has queued of it. */
export function storedPushes(pushes: readonly IngestHeader[], { days, lanes }: QueuedDays): Map<string, StoredPushes> {
  const stored = new Map<string, { batchIds: string[]; days: StoredPushes['days'] }>();
  for (const { shop_id: shopId, batch_id: batchId } of pushes) {
    const known = stored.get(shopId);
    if (known !== undefined) {
      known.batchIds.push(batchId);
      continue;
    }
    const ranges = toRanges(Array.from(days.get(shopId) ?? [], (day) => parseDay(day) ?? 0));
    const open: Record<RebuildLane, DayRange[]> = { fresh: [], history: [], costs: [] };
    const lane = lanes.get(shopId);
    if (lane !== undefined) open[lane] = ranges;
    stored.set(shopId, { batchIds: [batchId], days: open });
  }
  return stored;
}
