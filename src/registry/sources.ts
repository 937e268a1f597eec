import { LRUCache } from 'lru-cache';
import type { SourceRecord, SourceSettings } from '../domain/source.js';
import { requestError, unavailable } from '../errors.js';
import type { SourceState } from '../state/sources.js';
import type { TakeStamps } from '../state/stamps.js';
import { storeUnavailable } from '../warehouse/client.js';
import type { SourceStore } from '../warehouse/sources.js';

export interface SourceRegistryDeps {
  state: SourceState;
  store: SourceStore;
  takeStamps: TakeStamps;
  now: () => number;
}

/** Registered sources: process cache → Redis → ClickHouse. */
export interface SourceRegistry {
  /** Null before registration. `fresh` asks past the process cache. */
  find(shopId: string, options?: { fresh: boolean }): Promise<SourceRecord | null>;
  /** Like {@link find}, but throws `source_not_registered`. */
  require(shopId: string, options?: { fresh: boolean }): Promise<SourceRecord>;
  /** Registers or edits; throws `source_locked`. */
  put(shopId: string, settings: SourceSettings): Promise<SourceRecord>;
  /** Makes the lock, which the first accepted order set in Redis, durable in the warehouse. */
  persist(shopId: string): Promise<void>;
  setClosed(shopId: string, closedAt: number | null): Promise<void>;
  /** Every shop that has a source, in the order of the ids. */
  shopIds(): Promise<string[]>;
}

const TTL_MS = 2_000;

export function createSourceRegistry({ state, store, takeStamps, now }: SourceRegistryDeps): SourceRegistry {
  const cache = new LRUCache<string, SourceRecord>({ max: 10_000, ttl: TTL_MS });

  const load = async (shopId: string): Promise<SourceRecord | null> => {
    const known = await state.get(shopId).catch(() => null);
    if (known !== null) return known;
    let record: SourceRecord | null;
    try {
      record = await store.find(shopId);
    } catch (error) {
      throw storeUnavailable(error);
    }
    if (record !== null) await state.restore(record).catch(() => undefined);
    return record;
  };

  const find: SourceRegistry['find'] = async (shopId, options) => {
    const cached = options?.fresh === true ? undefined : cache.get(shopId);
    if (cached !== undefined) return cached;
    const record = await load(shopId);
    if (record !== null) cache.set(shopId, record);
    return record;
  };

  const persist = async (shopId: string): Promise<void> => {
    // The stamp comes first: a later write of another process then has a later version.
    const version = await takeStamps();
    const record = await state.get(shopId);
    if (record !== null) await store.write(record, version);
  };

  return {
    find,
    async require(shopId, options) {
      const record = await find(shopId, options);
      if (record !== null) return record;
      throw requestError(
        'source_not_registered',
        'Register the source first: PUT /v1/source with platform, currency and timezone.',
      );
    },
    async put(shopId, settings) {
      await load(shopId); // so that a Redis that lost its data knows of a lock
      let record: SourceRecord | null;
      try {
        record = await state.put(shopId, settings, now());
      } catch (error) {
        throw unavailable('store_unavailable', 'The registry is out of reach; try again shortly.', error);
      }
      cache.delete(shopId);
      if (record === null) {
        throw requestError('source_locked', 'Currency and timezone are immutable after the first accepted order.');
      }
      try {
        await persist(shopId);
      } catch (error) {
        throw storeUnavailable(error);
      }
      return record;
    },
    persist,
    shopIds: () => store.shopIds(),
    async setClosed(shopId, closedAt) {
      await load(shopId);
      await state.setClosed(shopId, closedAt);
      await persist(shopId);
      cache.delete(shopId);
    },
  };
}
