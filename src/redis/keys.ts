import type { Redis } from 'ioredis';
import type { KeyRecord, StoredKey } from '../domain/keys.js';
import { script } from './script.js';

const LAST_USED = 'keys:last_used';
const key = (hash: string): string => `key:${hash}`;

/**
 * Keeps a record unless a newer one is there: a look-up that began before a revocation and ends after it brings nothing
 * back. A revoked key stays revoked, whatever the version. Gives what is kept.
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

/** Copies of the key records, so that keys work while the warehouse is away. */
export interface KeyState {
  /** Null: Redis can't tell. */
  get(hash: string): Promise<StoredKey | null>;
  /** Keeps the newer of this record and the one that is there, and gives it. */
  keep(stored: StoredKey): Promise<StoredKey>;
  markUsed(keyId: string, nowMs: number): Promise<void>;
  /** Milliseconds of the last use by key id. */
  lastUsed(keyIds: readonly string[]): Promise<Map<string, number>>;
  /** The same of all keys, in parts. */
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
      for (let cursor: string | undefined; cursor !== '0';) {
        const [next, flat] = await redis.hscan(LAST_USED, cursor ?? '0', 'COUNT', 1_000);
        cursor = next;
        yield flat.flatMap((id, i): [string, number][] => (i % 2 === 0 ? [[id, Number(flat[i + 1])]] : []));
      }
    },
  };
}

/** Records that were kept before keys had names and versions have neither. */
function parse(text: string): StoredKey {
  const {
    version = 0,
    name = '',
    ...rest
  } = JSON.parse(text) as Omit<KeyRecord, 'name'> & {
    name?: string;
    version?: number;
  };
  return { record: { ...rest, name }, version };
}
