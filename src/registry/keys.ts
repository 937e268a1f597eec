import { LRUCache } from 'lru-cache';
import type { KeyRecord } from '../domain/keys.js';
import { hashKey } from '../domain/keys.js';
import type { KeyState } from '../state/keys.js';
import type { TakeStamps } from '../state/stamps.js';
import { storeUnavailable } from '../warehouse/client.js';
import type { KeyStore } from '../warehouse/keys.js';

export interface KeyRegistryDeps {
  state: KeyState;
  store: KeyStore;
  takeStamps: TakeStamps;
  now: () => number;
}

/**
 * Keys by hash: process cache → Redis → ClickHouse, so that an outage of the warehouse does not lock anybody out. The
 * process cache is short enough for a revocation to hold everywhere within 5 s.
 */
export interface KeyRegistry {
  /**
   * The record of a pixel token, live or not, that was found a moment ago; undefined: ask {@link find}. Only tokens, which
   * every page shows, are remembered as they are.
   */
  recall(key: string): KeyRecord | undefined;
  /** The record of a key, live or not; null when it is unknown. Throws `store_unavailable` when nobody can tell. */
  find(key: string): Promise<KeyRecord | null>;
  list(shopId?: string): Promise<(KeyRecord & { lastUsedAt: number | null })[]>;
  /** Registers a new or an existing key, or replaces its record. */
  save(record: KeyRecord): Promise<void>;
  /** Revokes by key id; null when there is none. */
  revoke(keyId: string): Promise<KeyRecord | null>;
}

const FOUND_TTL_MS = 2_000;
const UNKNOWN_TTL_MS = 500;
const USED_INTERVAL_MS = 60_000;

export function createKeyRegistry({ state, store, takeStamps, now }: KeyRegistryDeps): KeyRegistry {
  const cache = new LRUCache<string, { record: KeyRecord | null }>({ max: 10_000, ttl: FOUND_TTL_MS });
  const tokens = new LRUCache<string, KeyRecord>({ max: 10_000, ttl: FOUND_TTL_MS });
  const used = new LRUCache<string, true>({ max: 10_000, ttl: USED_INTERVAL_MS });

  const load = async (hash: string): Promise<KeyRecord | null> => {
    const known = await state.get(hash).catch(() => undefined);
    if (known !== undefined) return known;
    let record: KeyRecord | null;
    try {
      record = await store.find(hash);
    } catch (error) {
      throw storeUnavailable(error);
    }
    // A Redis that is away only costs the next look-up.
    await (record === null ? state.setUnknown(hash) : state.set(record)).catch(() => undefined);
    return record;
  };

  const save = async (record: KeyRecord): Promise<void> => {
    await store.write(record, await takeStamps());
    await state.set(record);
    cache.delete(record.keyHash);
    tokens.clear();
  };

  return {
    recall: (key) => tokens.get(key),
    async find(key) {
      const hash = hashKey(key);
      let entry = cache.get(hash);
      if (entry === undefined) {
        entry = { record: await load(hash) };
        cache.set(hash, entry, { ttl: entry.record === null ? UNKNOWN_TTL_MS : FOUND_TTL_MS });
        if (entry.record?.kind === 'pixel') tokens.set(key, entry.record);
      }
      const { record } = entry;
      if (record !== null && used.get(record.keyId) === undefined) {
        used.set(record.keyId, true);
        void state.markUsed(record.keyId, now()).catch(() => undefined);
      }
      return record;
    },
    async list(shopId) {
      const records = await store.list(shopId);
      const times = await state.lastUsed(records.map((record) => record.keyId));
      return records.map((record) => ({ ...record, lastUsedAt: times.get(record.keyId) ?? null }));
    },
    save,
    async revoke(keyId) {
      const record = (await store.list()).find((candidate) => candidate.keyId === keyId);
      if (record === undefined) return null;
      const revoked = { ...record, revokedAt: record.revokedAt ?? now() };
      await save(revoked);
      return revoked;
    },
  };
}
