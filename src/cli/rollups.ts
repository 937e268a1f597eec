import type { Writable } from 'node:stream';
import type { Stores } from '../stores.js';
import { rebuildRollups, storedDays } from '../warehouse/rollups.js';
import { rebuildSpend } from '../warehouse/spend.js';
import { createProgress } from './progress.js';

export interface RebuildOptions {
  shop?: string;
  /** `YYYY-MM-DD`, inclusive. */
  from?: string;
  to?: string;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

const DAYS_PER_STEP = 30;

/** Computes the rollups of every stored day afresh, newest first, beside a running service. Returns the number of days. */
export async function runRebuild(stores: Stores, { shop, from, to, stderr, signal }: RebuildOptions): Promise<number> {
  const days = await storedDays(stores.warehouse, {
    ...(shop !== undefined && { shopId: shop }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  const progress = createProgress({ stream: stderr, label: 'days', total: days.length, startDone: 0, startItems: 0 });
  for (let i = 0; i < days.length; i += DAYS_PER_STEP) {
    signal.throwIfAborted();
    const step = days.slice(i, i + DAYS_PER_STEP);
    const computedAt = await stores.takeStamps();
    await rebuildRollups(stores.warehouse, step, computedAt);
    await rebuildSpend(stores.warehouse, step, computedAt);
    progress.update(i + step.length, i + step.length);
  }
  progress.stop();
  return days.length;
}
