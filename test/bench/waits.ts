import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRebuildQueues, REBUILD_LANES, type RebuildLane } from '../../src/redis/rebuild-queues.js';

const EVERY_MS = 10;

/** Resolves when every day that was queued, in these lanes, is computed. A job ends after it has queued its days. */
export async function computed(redis: Redis, of: readonly RebuildLane[] = REBUILD_LANES): Promise<void> {
  const { lanes } = createRebuildQueues(redis);
  for (;;) {
    const counts = await Promise.all(of.map((lane) => lanes[lane].count()));
    if (counts.every((count) => count === 0)) return;
    await sleep(EVERY_MS);
  }
}
