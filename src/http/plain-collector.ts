import { isBot } from '../domain/events/bots.js';
import { isLive } from '../domain/keys.js';
import { createArrivals, type EventGroups } from '../intake/event-groups.js';
import type { PlainEncoder } from '../intake/plain/encoder.js';
import type { PackedRows } from '../intake/plain/packed-rows.js';
import type { ShopHosts } from '../intake/shop-hosts.js';
import { requirePixel, type Beacon, type Collect, type Collected, type CollectorDeps } from './collector.js';

export interface PlainCollectorDeps extends Pick<CollectorDeps, 'keys' | 'now' | 'requireCapacity' | 'limitToken'> {
  encoder: PlainEncoder;
  hosts: ShopHosts;
  groups: EventGroups<PackedRows>;
}

/**
 * Takes plain batches, which nearly all are, from their bytes to the group commit in one go: no object is made of an event
 * and no other thread is woken, which is most of what a batch costs otherwise. Whatever is out of the ordinary goes to
 * `otherwise`, which knows every rule. What is taken here would be taken there, and stored in the same rows.
 */
export function createPlainCollector(deps: PlainCollectorDeps, otherwise: Collect): Collect {
  const { encoder, keys, now, hosts, groups, requireCapacity, limitToken } = deps;
  const takeArrivals = createArrivals();

  const meet = async (token: string): Promise<void> => {
    const { shopId } = await requirePixel(deps, token);
    await hosts.find(shopId);
  };

  /** The token that has to be met first; null: the batch is left to the other way. Holds on to nothing of the beacon. */
  const take = (beacon: Beacon): Promise<Collected> | string | null => {
    const batch = beacon.debug || isBot(beacon.userAgent) ? null : encoder.read(beacon.body);
    const token = beacon.token ?? batch?.token ?? null;
    if (batch === null || token === null) return null;

    const receivedAt = now();
    const pixel = keys.recall(token);
    const host = pixel === undefined ? undefined : hosts.recall(pixel.shopId);
    if (pixel === undefined || host === undefined) return token;
    if (!isLive(pixel, receivedAt) || !pixel.scopes.includes('collect')) return token;
    const { shopId } = pixel;
    const arrival = takeArrivals(receivedAt, batch.events);
    const encoded = encoder.encode({ shopId, shopHost: host, receivedAt, arrival });
    if (encoded === null) return null;

    const limit = limitToken(pixel.keyId, receivedAt);
    const collected: Collected = { limit, verdicts: null };
    if (limit.isOver) return Promise.resolve(collected);
    requireCapacity();
    const { visitors, since, elements, length } = encoded;
    const news = { shopId, accepted: batch.events, dropped: [], visitors, orders: [], checkouts: [], since };
    return groups.add(news, (rows) => rows.append(elements, length)).then(() => collected);
  };

  const takeOnceMet = async (token: string, beacon: Beacon): Promise<Collected> => {
    await meet(token);
    const taken = take(beacon);
    return taken === null || typeof taken === 'string' ? otherwise(beacon) : taken;
  };

  return async (beacon) => {
    const taken = take(beacon);
    if (taken === null) return otherwise(beacon);
    return typeof taken === 'string' ? takeOnceMet(taken, beacon) : taken;
  };
}
