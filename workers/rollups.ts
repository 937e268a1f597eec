import type { DirtyDays } from '../src/state/dirty-days.js';
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
const FRESH_DAYS = 400;
/** Smaller, because a fresh day may wait behind one chunk of restated history. */
const RESTATE_DAYS = 60;

/**
 * Rebuilds the rollups of dirty days. Fresh days come first; history that a change of costs restates follows in chunks,
 * newest first. Several workers may do this at once: a rebuild writes under a stamp taken before it reads, so the one that
 * began later wins, and a day marked again meanwhile stays marked.
 */
export function createRollupLoop({ warehouse, dirtyDays, takeStamps }: RollupLoopDeps): Loop {
  return async () => {
    for (const [lane, limit] of [
      ['fresh', FRESH_DAYS],
      ['restate', RESTATE_DAYS],
    ] as const) {
      const days = await dirtyDays.peek(lane, limit);
      if (days.length === 0) continue;
      await rebuildRollups(warehouse, days, await takeStamps());
      await dirtyDays.clear(lane, days);
      return true;
    }
    return false;
  };
}
