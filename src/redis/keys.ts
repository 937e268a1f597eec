import type { Redis } from 'ioredis';
import type { KeyRecord, StoredKey } from '../domain/keys.js';
import { pairsOf, scanPages } from './scan.js';
import { scriptFile } from './script.js';

const LAST_USED = 'keys:last_used';
const key = (hash: string): string => `key:${hash}`;

/** Cached key records, so that keys work while the warehouse is away. */
export interface KeyState {
  /** Null: not cached. */
  get(hash: string): Promise<StoredKey | null>;
  /** Stores the record unless a newer one is there; gives the newer of the two. */
  keep(stored: StoredKey): Promise<StoredKey>;
  markUsed(keyId: string, nowMs: number): Promise<void>;
  /** Milliseconds of the last use by key id. */
  lastUsed(keyIds: readonly string[]): Promise<Map<string, number>>;
  /** The same for all keys, in pages. */
  allLastUsed(): AsyncGenerator<[keyId: string, atMs: number][]>;
}

export function createKeyState(redis: Redis): KeyState {
  const keep = scriptFile(redis, 'keep-key');
  return {
    async get(hash) {
      const text = await redis.get(key(hash));
      return text?.startsWith('{') === true ? parse(text) : null;
    },
    async keep({ record, version }) {
      const input = { record: JSON.stringify({ ...record, version }), version, is_revoked: record.revokedAt !== null };
      const text = await keep([key(record.keyHash)], input);
      return parse(String(text));
    },
    async markUsed(keyId, nowMs) {
      await redis.hset(LAST_USED, keyId, nowMs);
    },
    async lastUsed(keyIds) {
      if (keyIds.length === 0) return new Map();
      const times = await redis.hmget(LAST_USED, ...keyIds);
      return new Map(keyIds.flatMap((id, i) => (times[i] == null ? [] : [[id, Number(times[i])] as const])));
    },
    async *allLastUsed() {
      for await (const page of scanPages((cursor) => redis.hscan(LAST_USED, cursor, 'COUNT', 1_000)))
        yield pairsOf(page).map(([id, atMs]) => [id, Number(atMs)]);
    },
  };
}

function parse(text: string): StoredKey {
  const { version, ...record } = JSON.parse(text) as KeyRecord & { version: number };
  return { record, version };
}
