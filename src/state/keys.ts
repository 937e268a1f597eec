import type { Redis } from 'ioredis';
import type { KeyRecord } from '../domain/keys.js';

const UNKNOWN = 'unknown';
const UNKNOWN_TTL_SECONDS = 5;
const LAST_USED = 'keys:last_used';
const key = (hash: string): string => `key:${hash}`;

export interface KeyState {
  /** `undefined`: Redis can't tell; null: known not to exist. */
  get(hash: string): Promise<KeyRecord | null | undefined>;
  set(record: KeyRecord): Promise<void>;
  /** Remembers for a moment that a key does not exist. */
  setUnknown(hash: string): Promise<void>;
  markUsed(keyId: string, nowMs: number): Promise<void>;
  /** Milliseconds of the last use by key id. */
  lastUsed(keyIds: readonly string[]): Promise<Map<string, number>>;
}

export function createKeyState(redis: Redis): KeyState {
  return {
    async get(hash) {
      const text = await redis.get(key(hash));
      if (text === null) return undefined;
      return text === UNKNOWN ? null : (JSON.parse(text) as KeyRecord);
    },
    async set(record) {
      await redis.set(key(record.keyHash), JSON.stringify(record));
    },
    async setUnknown(hash) {
      await redis.set(key(hash), UNKNOWN, 'EX', UNKNOWN_TTL_SECONDS, 'NX');
    },
    async markUsed(keyId, nowMs) {
      await redis.hset(LAST_USED, keyId, nowMs);
    },
    async lastUsed(keyIds) {
      if (keyIds.length === 0) return new Map();
      const times = await redis.hmget(LAST_USED, ...keyIds);
      return new Map(keyIds.flatMap((id, i) => (times[i] == null ? [] : [[id, Number(times[i])] as const])));
    },
  };
}
