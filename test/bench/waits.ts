import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDirtyDays, DIRTY_LANES, type DirtyLane } from '../../src/redis/dirty-days.js';

const EVERY_MS = 10;

/** Resolves when every day that was marked, in these lanes, is computed. A job ends after it has marked its days. */
export async function computed(redis: Redis, of: readonly DirtyLane[] = DIRTY_LANES): Promise<void> {
  const { lanes } = createDirtyDays(redis);
  for (;;) {
    const counts = await Promise.all(of.map((lane) => lanes[lane].count()));
    if (counts.every((count) => count === 0)) return;
    await sleep(EVERY_MS);
  }
}
