import { LRUCache } from 'lru-cache';
import { hashKey, type KeyRecord } from '../domain/keys.js';
import type { ShardOf } from '../domain/shard-of.js';
import type { KeyState } from '../redis/keys.js';
import type { WithLock } from '../redis/locks.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { KeyStore } from '../warehouse/queries/keys.js';
import { copyOf } from './copies.js';
import { createKeyLookUp } from './key-look-up.js';

export interface KeyRegistryDeps {
  state: KeyState;
  store: KeyStore;
  /** The shard of a key by its hash. */
  shardOf: ShardOf;
  takeStamps: TakeStamps;
  withLock: WithLock;
  now: () => number;
}

/**
 * Counts a look-up of a key that is in no cache; throws if there were too many. The returned function undoes the count when the key
 * turns out to exist.
 */
export type AdmitLookUp = () => () => void;

export type ListedKey = KeyRecord & { lastUsedAt: number | null };

/**
 * Keys by hash: process cache → Redis → ClickHouse, so that keys work during an outage of the warehouse. Entries of the process cache
 * expire so soon that a revocation holds everywhere within 5 s.
 */
export interface KeyRegistry {
  /**
   * The record of a key, live or not; null if it is unknown. Throws `store_unavailable` if it can't be looked up, and what `admit` throws.
   */
  find(key: string, admit?: AdmitLookUp): Promise<KeyRecord | null>;
  list(shopId?: string): Promise<ListedKey[]>;
  /**
   * Registers a key. Throws a {@link KeyTakenError} if it was revoked or belongs to another shop. After another error the key may
   * be in the list, but it was given to no one; a repeat stores it again.
   */
  save(record: KeyRecord): Promise<void>;
  /** Sets the end of a key, unless it is revoked already. Gives the record that holds then; null if there is no such key. */
  end(keyId: string, end: KeyEnd): Promise<KeyRecord | null>;
  /** Revokes by key id, for good; null if there is no such key. */
  revoke(keyId: string): Promise<KeyRecord | null>;
}

export type KeyEnd = { revokedAt: number } | { expiresAt: number };

/** A key can't be registered; the message says why. */
export class KeyTakenError extends Error {
  override readonly name = 'KeyTakenError';
}

const FOUND_TTL_MS = 2_000;
/** A key that is made meanwhile still works at once, because Redis is asked before this cache. */
const UNKNOWN_TTL_MS = 5_000;
const USED_INTERVAL_MS = 60_000;
/** Entries of each cache: hashes and records of at most some hundred bytes, a few megabytes in all. */
const MAX_CACHED = 10_000;
/** `maxSize` instead of `max`, which would allocate the room for all entries at once. */
const BOUNDED = { maxSize: MAX_CACHED, sizeCalculation: () => 1 };
/** Keys of other lengths can't be registered, see the command line. */
const KEY_LENGTH = { least: 8, most: 512 };

export function createKeyRegistry({ state, store, shardOf, takeStamps, withLock, now }: KeyRegistryDeps): KeyRegistry {
  const cache = new LRUCache<string, KeyRecord>({ ...BOUNDED, ttl: FOUND_TTL_MS });
  const unknown = new LRUCache<string, true>({ ...BOUNDED, ttl: UNKNOWN_TTL_MS });
  const used = new LRUCache<string, true>({ ...BOUNDED, ttl: USED_INTERVAL_MS });
  const lookUp = createKeyLookUp(store, shardOf);

  const load = async (hash: string, admit?: AdmitLookUp): Promise<KeyRecord | null> => {
    // Without Redis, the warehouse is asked.
    const copy = await copyOf(state.get(hash));
    if (copy.kept !== null) return copy.kept.record;
    if (copy.isAnswered && unknown.has(hash)) return null;
    const takeBack = admit?.();
    const found = await lookUp(hash).catch((error: unknown) => {
      takeBack?.();
      throw error;
    });
    if (found === null) {
      copy.requireAnswer();
      unknown.set(hash, true);
      return null;
    }
    takeBack?.();
    return (await state.keep(found).catch(() => found)).record;
  };

  const forget = (hash: string): void => {
    cache.delete(hash);
    unknown.delete(hash);
  };

  const end: KeyRegistry['end'] = async (keyId, change) => {
    const listed = await store.findById(keyId);
    if (listed === null) return null;
    return withLock(`key:${listed.keyHash}`, async () => {
      // A key that is revoked already is written again: an earlier try may have reached only one store.
      const record = listed.revokedAt === null ? ((await load(listed.keyHash)) ?? listed) : listed;
      const ended = {
        record: record.revokedAt === null ? { ...record, ...change } : record,
        version: await takeStamps(),
      };
      // Redis first: then the key works nowhere, even if this process is killed before the warehouse has its end.
      const kept = await state.keep(ended);
      await store.write(kept.record, kept.version);
      forget(record.keyHash);
      return kept.record;
    });
  };

  const save: KeyRegistry['save'] = (record) =>
    withLock(`key:${record.keyHash}`, async () => {
      unknown.delete(record.keyHash);
      const known = await load(record.keyHash);
      if (known !== null) requireFree(known, record);
      const stored = {
        record: { ...record, createdAt: known?.createdAt ?? record.createdAt },
        version: await takeStamps(),
      };
      // The warehouse first: every key that works is in the list.
      await store.write(stored.record, stored.version);
      await state.keep(stored);
      forget(record.keyHash);
    });

  return {
    async find(key, admit) {
      if (key.length < KEY_LENGTH.least || key.length > KEY_LENGTH.most) return null;
      const hash = hashKey(key);
      let record = cache.get(hash) ?? null;
      if (record === null) {
        record = await load(hash, admit);
        if (record === null) return null;
        cache.set(hash, record);
      }
      if (used.get(record.keyId) === undefined) {
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
    end,
    revoke: (keyId) => end(keyId, { revokedAt: now() }),
  };
}

function requireFree(known: KeyRecord, { shopId }: KeyRecord): void {
  if (known.revokedAt !== null) {
    const day = new Date(known.revokedAt).toISOString();
    throw new KeyTakenError(`this key was revoked at ${day} and stays revoked: make a new one`);
  }
  if (known.shopId !== shopId) {
    throw new KeyTakenError(
      `this key belongs to the shop "${known.shopId}": a key opens one shop alone, make a new one`,
    );
  }
}
