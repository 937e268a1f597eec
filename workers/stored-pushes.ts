import { toRanges } from '../src/domain/day-ranges.js';
import type { IngestHeader } from '../src/domain/ingest.js';
import type { DayRange } from '../src/domain/metrics/range.js';
import { parseDay } from '../src/domain/time.js';
import type { DirtyLane } from '../src/redis/dirty-days.js';
import type { StoredPushes } from '../src/redis/receipts.js';

/** The days that a flush has marked, by shop. */
export interface Marked {
  days: ReadonlyMap<string, Iterable<string>>;
  lanes: ReadonlyMap<string, DirtyLane>;
}

export const NOTHING_MARKED: Marked = { days: new Map(), lanes: new Map() };

/** The pushes by shop, each with all days that the flush has marked of it. */
export function storedPushes(pushes: readonly IngestHeader[], { days, lanes }: Marked): Map<string, StoredPushes> {
  const stored = new Map<string, { batchIds: string[]; days: StoredPushes['days'] }>();
  for (const { shop_id: shopId, batch_id: batchId } of pushes) {
    const known = stored.get(shopId);
    if (known !== undefined) {
      known.batchIds.push(batchId);
      continue;
    }
    const ranges = toRanges(Array.from(days.get(shopId) ?? [], (day) => parseDay(day) ?? 0));
    const open: Record<DirtyLane, DayRange[]> = { fresh: [], history: [], costs: [] };
    const lane = lanes.get(shopId);
    if (lane !== undefined) open[lane] = ranges;
    stored.set(shopId, { batchIds: [batchId], days: open });
  }
  return stored;
}
