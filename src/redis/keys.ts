import type { Redis } from 'ioredis';
import type { KeyRecord, StoredKey } from '../domain/keys.js';
import { pairsOf, scanPages } from './scan.js';
import { script } from './script.js';

const LAST_USED = 'keys:last_used';
const key = (hash: string): string => `key:${hash}`;

/**
 * Stores a record unless a newer one is there, so that a look-up which began before a revocation and ends after it can't undo it. A
 * revoked key stays revoked, whatever the version. Gives the record that is stored then.
 */
const KEEP = `
local text = redis.call('GET', KEYS[1])
if text and string.sub(text, 1, 1) == '{' then
  local known = cjson.decode(text)
  local is_newer = (tonumber(known.version) or 0) > tonumber(ARGV[2])
  local is_final = type(known.revokedAt) == 'number' and ARGV[3] == '0'
  if is_newer or is_final then return text end
end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]`;

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
  const keep = script(redis, KEEP);
  return {
    async get(hash) {
      const text = await redis.get(key(hash));
      return text?.startsWith('{') === true ? parse(text) : null;
    },
    async keep({ record, version }) {
      const isRevoked = record.revokedAt === null ? '0' : '1';
      const text = await keep([key(record.keyHash)], [JSON.stringify({ ...record, version }), version, isRevoked]);
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

/** Records from before keys had names and versions have neither. */
function parse(text: string): StoredKey {
  const kept = JSON.parse(text) as Omit<KeyRecord, 'name'> & { name?: string; version?: number };
  const { version = 0, name = '', ...rest } = kept;
  return { record: { ...rest, name }, version };
}
