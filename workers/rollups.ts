import type { DirtyDays, DirtyLane } from '../src/state/dirty-days.js';
import type { TakeStamps } from '../src/state/stamps.js';
import type { Warehouse } from '../src/warehouse/client.js';
import { rebuildRollups } from '../src/warehouse/rollups.js';
import type { Loop } from './loop.js';

export interface RollupLoopDeps {
  warehouse: Warehouse;
  dirtyDays: DirtyDays;
  takeStamps: TakeStamps;
}

/** Days of one rebuild at most: bounds its memory. */
const MOST_DAYS = 400;
/** A rebuild costs as much as some twenty days of a thousand orders before it reads the first: fewer would be a waste. */
const LEAST_RESTATE_DAYS = 60;
/** How long one chunk of restating, on one core, may keep the warehouse busy beside the fresh days. */
const RESTATE_TURN_MS = 1_500;

/**
 * Rebuilds the rollups of the dirty days of one lane. The lanes have loops of their own: fresh days wait for no history,
 * and history goes on while orders keep coming in. Several workers may do this at once: a rebuild writes under a stamp
 * taken before it reads, so the one that began later wins, and a day marked again meanwhile stays marked.
 */
export function createRollupLoop({ warehouse, dirtyDays, takeStamps }: RollupLoopDeps, lane: DirtyLane): Loop {
  const restating = lane === 'restate';
  let limit = restating ? LEAST_RESTATE_DAYS : MOST_DAYS;
  return async () => {
    const days = await dirtyDays.peek(lane, limit);
    if (days.length === 0) return false;
    const started = performance.now();
    await rebuildRollups(warehouse, days, await takeStamps(), restating ? { threads: 1 } : {});
    if (restating) limit = nextLimit(limit, performance.now() - started);
    await dirtyDays.clear(lane, days);
    return true;
  };
}

function nextLimit(limit: number, tookMs: number): number {
  if (tookMs > RESTATE_TURN_MS) return Math.max(LEAST_RESTATE_DAYS, limit >> 1);
  return tookMs < RESTATE_TURN_MS / 2 ? Math.min(MOST_DAYS, limit * 2) : limit;
}
