import type { QueueState } from './queue-state.js';

/** A queue is stuck if no job has left it for this long although jobs wait. */
export const STANDSTILL_MS = 30_000;

export interface Progress {
  /** True while nothing has left the queue for {@link STANDSTILL_MS} although there were jobs in it all the time. */
  isStandstill(state: QueueState, nowMs: number): boolean;
}

/**
 * Watches one queue. The number of jobs that have left it is the number of added jobs minus the open ones, whichever worker did them.
 */
export function createProgress(): Progress {
  let last: number | null = null;
  let since = 0;
  return {
    isStandstill({ added, waiting, active, delayed }, nowMs) {
      const open = waiting + active + delayed;
      const left = added - open;
      // A lower number means that dead letters were put back: this counts as a change, not as a standstill.
      if (open === 0 || left !== last) since = nowMs;
      last = left;
      return nowMs - since >= STANDSTILL_MS;
    },
  };
}
