import { isBot } from '../domain/events/bots.js';
import { isLive } from '../domain/keys.js';
import type { EventGroups } from '../intake/event-groups.js';
import { readPlainEvents } from '../intake/plain-events.js';
import type { ShopHosts } from '../intake/shop-hosts.js';
import { readPlainBatch } from '../schemas/plain-batch.js';
import { requirePixel, type Beacon, type Collect, type Collected, type CollectorDeps } from './collector.js';

export interface PlainCollectorDeps extends Pick<CollectorDeps, 'keys' | 'now' | 'requireCapacity' | 'limitToken'> {
  hosts: ShopHosts;
  groups: EventGroups;
}

/**
 * Takes plain batches, which nearly all are, from their bytes to the group commit in one go: no object is made of an event
 * and no other thread is woken, which is most of what a batch costs otherwise. Whatever is out of the ordinary goes to
 * `otherwise`, which knows every rule. What is taken here would be taken there, and stored in the same rows.
 */
export function createPlainCollector(deps: PlainCollectorDeps, otherwise: Collect): Collect {
  const { keys, now, hosts, groups, requireCapacity, limitToken } = deps;

  const meet = async (token: string): Promise<void> => {
    const { shopId } = await requirePixel(deps, token);
    await hosts.find(shopId);
  };

  const collect = (beacon: Beacon, isMet = false): Promise<Collected> => {
    const batch = beacon.debug || isBot(beacon.userAgent) ? null : readPlainBatch(beacon.body);
    const token = beacon.token ?? batch?.token ?? null;
    if (batch === null || token === null) return otherwise(beacon);

    const receivedAt = now();
    const pixel = keys.recall(token);
    const host = pixel === undefined ? undefined : hosts.recall(pixel.shopId);
    if (pixel === undefined || host === undefined || !isLive(pixel, receivedAt) || !pixel.scopes.includes('collect')) {
      return isMet ? otherwise(beacon) : meet(token).then(() => collect(beacon, true));
    }
    const reading = readPlainEvents(batch, receivedAt, host);
    if (reading === null) return otherwise(beacon);

    const limit = limitToken(pixel.keyId, receivedAt);
    if (limit.isOver) return Promise.resolve({ limit, verdicts: null });
    requireCapacity();
    const queued = groups.addBatch({ shopId: pixel.shopId, batch, receivedAt, ...reading });
    return queued.then(() => ({ limit, verdicts: null }));
  };

  return async (beacon) => collect(beacon);
}
