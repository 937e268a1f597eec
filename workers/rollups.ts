import type { RebuildQueues, RebuildLane } from '../src/redis/rebuild-queues.js';
import type { TakeStamps } from '../src/redis/stamps.js';
import { rebuildFigures, rebuildRollups, type RebuildOptions } from '../src/warehouse/queries/rollups.js';
import { createClaimedLoop, type ClaimedWork } from './claimed.js';
import { resting, type Loop } from './loop.js';
import { createTurnSize, type TurnSizeOptions } from './turn-size.js';

export interface RollupLoopDeps extends Pick<ClaimedWork, 'shards' | 'onAway' | 'onFailed'> {
  rebuildQueues: RebuildQueues;
  takeStamps: TakeStamps;
  /** Whether pushes wait to be written, or so many orders are written as an import sends. */
  isBehind: () => boolean;
}

/**
 * Days of one rebuild: it costs as much as some twenty days of a thousand orders before it reads the first. `most` bounds its
 * memory.
 */
const SIZES: Record<RebuildLane, TurnSizeOptions> = {
  fresh: { first: 20, most: 400, turnMs: 400 },
  history: { first: 60, most: 400, turnMs: 1_500 },
  costs: { first: 60, most: 400, turnMs: 1_500 },
};

/**
 * What history takes of a core while pushes wait to be written: an import queues its days again and again, and the shops that
 * push meanwhile need the cores. During an import of 300,000 orders another shop's order showed after 0.8 s (median) this way, and
 * after 1.1 s when history never rested; the import took as long.
 */
const SHARE_BEHIND = 0.25;
/**
 * So long history waits for the rest of an import, whose next orders would have its days computed again. With this and all cores
 * where no fresh day waits, 40,000 orders from a full queue showed at 0.23 of the speed of raw inserts, before at 0.17.
 */
const LEAST_REST_MS = 3_000;

/**
 * A rebuild that computed more orders is not learned from: after one large day, later rebuilds would take one day at a time.
 * After three times 20,000 orders on one day, an order in each of 30 shops showed in all of them after 3.3 s this way (median of six,
 * 2.8 to 4.4), and after 4.1 s (2.6 to 6.4) when such rebuilds were learned from.
 */
const LARGE_ROWS = 5_000;

/**
 * Rebuilds the rollups of the days to rebuild of one lane, of days in `costs` their figures alone. The lanes have loops of their
 * own: fresh days wait for no history, and history goes on while orders keep coming in. A rebuild writes under a stamp taken
 * before it reads, so that of two rebuilds of a day the one that began later wins.
 */
export function createRollupLoop(
  { rebuildQueues, takeStamps, isBehind, ...rest }: RollupLoopDeps,
  lane: RebuildLane,
): Loop {
  const size = createTurnSize(SIZES[lane]);
  const rebuild = lane === 'costs' ? rebuildFigures : rebuildRollups;
  /** Leaves a core to what is fresh, while there is some. */
  const options = async (): Promise<RebuildOptions> =>
    lane !== 'fresh' && (isBehind() || (await rebuildQueues.lanes.fresh.count()) > 0) ? { threads: 1 } : {};
  const turn = createClaimedLoop({
    ...rest,
    queue: rebuildQueues.lanes[lane],
    limit: () => size.now(),
    async work(claims, warehouse) {
      const days = claims.map(({ shopId, id }) => ({ shopId, day: id }));
      return (await rebuild(warehouse, days, takeStamps, await options())) <= LARGE_ROWS;
    },
    took: (entries, ms) => size.took(entries, ms),
    gaveUp: () => size.failed(),
  });
  return lane === 'fresh' ? turn : resting(turn, () => (isBehind() ? SHARE_BEHIND : 1), LEAST_REST_MS);
}
