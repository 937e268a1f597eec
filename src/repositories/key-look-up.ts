import type { StoredKey } from '../domain/keys.js';
import type { ShardOf } from '../domain/shard-of.js';
import { unavailable } from '../errors.js';
import type { KeyStore } from '../warehouse/queries/keys.js';

/** Most keys in the next query. */
const MAX_WAITING = 1_000;

/** The record of a key in the warehouse; null when there is none. Throws `store_unavailable`. */
export type LookUpKey = (hash: string) => Promise<StoredKey | null>;

/**
 * Looks keys up with one query at a time; keys that arrive meanwhile share the next query. So many requests with one key, or a thousand
 * unknown keys, cost the warehouse no more than a single request. Keys of a shard that is away hold up none of another.
 */
export function createKeyLookUp(store: Pick<KeyStore, 'find'>, shardOf: ShardOf): LookUpKey {
  const shards: LookUpKey[] = [];
  return (hash) => (shards[shardOf(hash)] ??= createShardLookUp(store))(hash);
}

function createShardLookUp(store: Pick<KeyStore, 'find'>): LookUpKey {
  let hashes = new Set<string>();
  let next: Promise<Map<string, StoredKey>> | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  const ask = async (): Promise<Map<string, StoredKey>> => {
    await underWay.catch(() => undefined);
    const answer = store.find([...hashes]);
    hashes = new Set();
    next = null;
    underWay = answer;
    return new Map((await answer).map((stored) => [stored.record.keyHash, stored]));
  };

  return async (hash) => {
    if (hashes.size >= MAX_WAITING && !hashes.has(hash)) {
      throw unavailable('store_unavailable', 'Too many keys are being looked up; try again shortly.');
    }
    hashes.add(hash);
    next ??= ask();
    return (await next).get(hash) ?? null;
  };
}
