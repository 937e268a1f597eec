import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** Whether the queue of events is in the Redis of the other queues or in one of its own. */
export type EventQueuePlace = 'shared' | 'own';

const KEY = 'queues:events';
const RETRY_MS = 5_000;

/** Notes where this process puts events, so that a command with other settings can refuse to run. Tries until Redis answers. */
export async function noteEventQueuePlace(redis: Redis, home: EventQueuePlace): Promise<void> {
  while (redis.status !== 'end') {
    const isNoted = await redis.set(KEY, home).then(
      () => true,
      () => false,
    );
    if (isNoted) return;
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

/** Null: no API has run with this Redis. */
export async function readEventQueuePlace(redis: Redis): Promise<EventQueuePlace | null> {
  const home = await redis.get(KEY);
  return home === 'own' || home === 'shared' ? home : null;
}
