import type { QueueState } from './queue-state.js';

/** Says that a queue stands still when nothing has left it for so long although jobs wait. */
export const STANDSTILL_MS = 30_000;

export interface Progress {
  /** True while nothing has left the queue for {@link STANDSTILL_MS} although there were jobs in it all the time. */
  isStandstill(state: QueueState, nowMs: number): boolean;
}

/**
 * Watches one queue. What has left it is what was ever added less what is there: workers of every release count, and it does
 * not matter which of them does the work.
 */
export function createProgress(): Progress {
  let last: number | null = null;
  let since = 0;
  return {
    isStandstill({ added, waiting, active, delayed }, nowMs) {
      const open = waiting + active + delayed;
      const left = added - open;
      // Less than before: dead letters were put back, which is no progress and no standstill.
      if (open === 0 || left !== last) since = nowMs;
      last = left;
      return nowMs - since >= STANDSTILL_MS;
    },
  };
}
