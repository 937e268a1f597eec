import type { Stores } from '../../composition/stores.js';
import { readEventQueuePlace, type EventQueuePlace } from '../../redis/event-queue-place.js';
import { BackupError } from './manifest.js';

const WHAT_TO_DO: Readonly<Record<EventQueuePlace, string>> = {
  own: 'it has its queue of events in a Redis of its own: set EVENTS_REDIS_URL here as there',
  shared: 'it has its queue of events in the Redis of all queues: leave EVENTS_REDIS_URL out, as there',
};

/** Throws if the service has its queue of events elsewhere: events would be left out, or restored to a queue that no worker reads. */
export async function requireEventQueuePlace(redis: Stores['redis'], here: EventQueuePlace): Promise<void> {
  const there = await readEventQueuePlace(redis);
  if (there !== null && there !== here) {
    throw new BackupError(`this is not how the service runs: ${WHAT_TO_DO[there]}`);
  }
}
