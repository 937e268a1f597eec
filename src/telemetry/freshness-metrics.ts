import { Histogram, type Registry } from 'prom-client';
import type { DayRange } from '../domain/metrics/range.js';
import { parseReceipt } from '../domain/receipts.js';
import { formatDay } from '../domain/time.js';
import { REBUILD_LANES, type RebuildQueues, type RebuildLane } from '../redis/rebuild-queues.js';
import type { Receipts } from '../redis/receipts.js';
import { AGE_BUCKETS } from './worker-metrics.js';

export interface FreshnessWatchDeps {
  rebuildQueues: Pick<RebuildQueues, 'lanes'>;
  register: Registry;
  now: () => number;
}

export interface FreshnessWatch {
  /** The same receipts; stored pushes of this kind are watched until figures contain them. */
  watched(kind: string, receipts: Receipts): Receipts;
  /** Checks which watched pushes are in the figures; true while any are left. */
  look(): Promise<boolean>;
}

/** The pushes of one flush and shop. */
interface Watched {
  kind: string;
  shopId: string;
  stamp: number;
  days: Record<RebuildLane, readonly string[]>;
  /** When its pushes were taken. */
  takenAt: number[];
}

/** Limits of one check: during a busy import, freshness is measured on a part of the pushes. */
const MAX_WATCHED = 50;
const MAX_DAYS = 400;
const MAX_PUSHES = 100;

/**
 * Measures how old a push is when the figures of its own days contain it; `after=<receipt>` waits for earlier pushes too. The batch id
 * has the time of the push. It does not matter which worker does the work.
 */
export function createFreshnessWatch({ rebuildQueues, register, now }: FreshnessWatchDeps): FreshnessWatch {
  const seconds = new Histogram({
    name: 'profit_freshness_seconds',
    help: 'From the acceptance of a push to figures that contain it',
    labelNames: ['kind'],
    buckets: AGE_BUCKETS,
    registers: [register],
  });
  const watched = new Set<Watched>();

  const isInFigures = async ({ shopId, stamp, days }: Watched): Promise<boolean> => {
    for (const lane of REBUILD_LANES) {
      if (days[lane].length === 0) continue;
      const open = await rebuildQueues.lanes[lane].unfinished(shopId, days[lane], stamp);
      if (open.length > 0) return false;
    }
    return true;
  };

  return {
    watched: (kind, receipts) => ({
      ...receipts,
      async store(stamp, pushes) {
        await receipts.store(stamp, pushes);
        for (const [shopId, { batchIds, days }] of pushes) {
          const all = { fresh: daysOf(days.fresh), history: daysOf(days.history), costs: daysOf(days.costs) };
          if (watched.size >= MAX_WATCHED || Object.values(all).flat().length > MAX_DAYS) continue;
          const takenAt = batchIds.slice(0, MAX_PUSHES).flatMap((id) => parseReceipt(id)?.madeAt ?? []);
          watched.add({ kind, shopId, stamp, days: all, takenAt });
        }
      },
    }),
    async look() {
      await Promise.all(
        Array.from(watched, async (one) => {
          if (!(await isInFigures(one))) return;
          watched.delete(one);
          for (const at of one.takenAt) seconds.observe({ kind: one.kind }, Math.max(0, now() - at) / 1_000);
        }),
      );
      return watched.size > 0;
    },
  };
}

/** Stops at one day more than the limit, which shows that there are too many. */
function daysOf(ranges: readonly DayRange[]): string[] {
  const days: string[] = [];
  for (const { from, to } of ranges) {
    for (let day = from; day <= to && days.length <= MAX_DAYS; day++) days.push(formatDay(day));
  }
  return days;
}
