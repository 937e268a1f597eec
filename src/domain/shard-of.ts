import { cityHash64 } from './city-hash.js';

/** The shard, from 0, of all rows of a shop, or of an API key by its hash. */
export type ShardOf = (key: string) => number;

/** Keys whose shard is remembered: a hash takes some microseconds. */
const MAX_REMEMBERED = 50_000;

/** `jumpConsistentHash(cityHash64(key), shards)` of ClickHouse. With it, as few keys as possible change their shard when shards are added. */
export function createShardOf(shards: number): ShardOf {
  if (shards === 1) return () => 0;
  const known = new Map<string, number>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const shard = jumpConsistentHash(cityHash64(key), shards);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, shard);
    return shard;
  };
}

function jumpConsistentHash(hash: bigint, buckets: number): number {
  let state = hash;
  let bucket = 0;
  for (let next = 0; next < buckets;) {
    bucket = next;
    state = BigInt.asUintN(64, state * 2_862_933_555_777_941_757n + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / Number((state >> 33n) + 1n)));
  }
  return bucket;
}

/** The entries of a list by their shard. */
export function byShard<Entry>(entries: readonly Entry[], shardOf: (entry: Entry) => number): Map<number, Entry[]> {
  const groups = new Map<number, Entry[]>();
  for (const entry of entries) {
    const shard = shardOf(entry);
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [entry]);
    else group.push(entry);
  }
  return groups;
}
