import type { Stores } from '../../composition/stores.js';
import { REBUILD_LANES, type RebuildLane } from '../../redis/rebuild-queues.js';
import { byShop } from '../../domain/by-shop.js';
import type { QueueEntry } from '../../redis/rebuild-queue.js';

/** A day to rebuild, or an order whose credit must be computed again. */
export interface KeptEntry extends Pick<QueueEntry, 'shopId' | 'id'> {
  lane: RebuildLane | 'orders';
}

type QueueStores = Pick<Stores, 'rebuildQueues' | 'attributionQueue'>;

/** Orders come first: when the work on an order ends, its days are queued. */
export async function* allEntries({ rebuildQueues, attributionQueue }: QueueStores): AsyncGenerator<KeptEntry[]> {
  for await (const part of attributionQueue.all()) yield part.map((entry) => ({ ...entry, lane: 'orders' }));
  for (const lane of REBUILD_LANES) {
    for await (const part of rebuildQueues.lanes[lane].all()) yield part.map((entry) => ({ ...entry, lane }));
  }
}

export async function addEntries(
  { rebuildQueues, attributionQueue }: QueueStores,
  entries: readonly KeptEntry[],
): Promise<void> {
  await attributionQueue.add(entries.filter(({ lane }) => lane === 'orders'));
  for (const lane of REBUILD_LANES) {
    const days = byShop(entries.filter((entry) => entry.lane === lane));
    if (days.size > 0) await rebuildQueues.add(lane, days);
  }
}

/** The entries of all pages, one by one. */
export async function* flatten<T>(parts: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const part of parts) yield* part;
}
