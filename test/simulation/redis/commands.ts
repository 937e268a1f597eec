import type { Keyspace } from './keyspace.js';
import { SortedSet } from './keyspace.js';

type Command = (keys: Keyspace, ...args: string[]) => unknown;

const orNull = <T>(value: T | undefined): T | null => value ?? null;
const pairsOf = (args: readonly string[]): [string, string][] =>
  Array.from({ length: args.length >> 1 }, (_, i) => [args[2 * i] ?? '', args[2 * i + 1] ?? '']);
const hash = (keys: Keyspace, key: string): Map<string, string> | undefined => keys.find<Map<string, string>>(key, Map);
const sorted = (keys: Keyspace, key: string): SortedSet | undefined => keys.find(key, SortedSet);
const bound = (text: string): number => (text === '-inf' ? -Infinity : text === '+inf' ? Infinity : Number(text));

function increase(keys: Keyspace, key: string, by: number): number {
  const value = Number(keys.text(key) ?? 0) + by;
  keys.set(key, String(value));
  return value;
}

function set(keys: Keyspace, key: string, value: string, ...options: string[]): string | null {
  const flags = options.map((option) => option.toUpperCase());
  if (flags.includes('NX') && keys.get(key) !== undefined) return null;
  keys.set(key, value);
  const px = flags.indexOf('PX');
  if (px === -1) keys.expiries.delete(key);
  else keys.expiries.set(key, keys.nowMs() + Number(options[px + 1]));
  return 'OK';
}

function zadd(keys: Keyspace, key: string, ...args: string[]): number {
  const flags = new Set<string>();
  while (['NX', 'XX', 'GT'].includes(args[0] ?? '')) flags.add(args.shift() ?? '');
  const members = keys.open(key, SortedSet);
  let added = 0;
  for (const [score, member] of pairsOf(args)) {
    const known = members.scores.get(member);
    if (flags.has('NX') && known !== undefined) continue;
    if (flags.has('XX') && known === undefined) continue;
    if (flags.has('GT') && known !== undefined && Number(score) <= known) continue;
    if (known === undefined) added++;
    members.set(member, Number(score));
  }
  keys.tidy(key);
  return added;
}

function zrange(keys: Keyspace, key: string, from: string, to: string, ...options: string[]): string[] {
  const names = sorted(keys, key)?.entries() ?? [];
  if (options[0]?.toUpperCase() === 'BYSCORE') {
    return byScore(names, from, to, Number(options[2] ?? 0), Number(options[3] ?? Infinity));
  }
  const at = (index: number): number => (index < 0 ? names.length + index : index);
  return names.slice(at(Number(from)), at(Number(to)) + 1).map(([member]) => member);
}

function byScore(entries: readonly [string, number][], from: string, to: string, skip = 0, most = Infinity): string[] {
  const found = entries.filter(([, score]) => score >= bound(from) && score <= bound(to));
  return found.slice(skip, skip + most).map(([member]) => member);
}

function remove(keys: Keyspace, key: string, names: readonly string[]): number {
  const value = keys.get(key);
  if (!(value instanceof Map || value instanceof Set || value instanceof SortedSet)) return 0;
  const removed = names.filter((name) => value.delete(name)).length;
  keys.tidy(key);
  return removed;
}

/** The commands that the service uses, with the answers of Redis; null is nil. */
export const COMMANDS: Record<string, Command> = {
  get: (keys, key) => orNull(keys.text(key)),
  set,
  mget: (keys, ...names) => names.map((name) => orNull(keys.text(name))),
  exists: (keys, ...names) => names.filter((name) => keys.get(name) !== undefined).length,
  del: (keys, ...names) => names.filter((name) => keys.get(name) !== undefined && keys.delete(name)).length,
  expire(keys, key, seconds) {
    if (keys.get(key) === undefined) return 0;
    keys.expiries.set(key, keys.nowMs() + Number(seconds) * 1000);
    return 1;
  },
  pexpire(keys, key, milliseconds) {
    if (keys.get(key) === undefined) return 0;
    keys.expiries.set(key, keys.nowMs() + Number(milliseconds));
    return 1;
  },
  incr: (keys, key) => increase(keys, key, 1),
  incrby: (keys, key, by) => increase(keys, key, Number(by)),
  decrby: (keys, key, by) => increase(keys, key, -Number(by)),
  hget: (keys, key, field) => orNull(hash(keys, key)?.get(field)),
  hmget: (keys, key, ...fields) => fields.map((field) => orNull(hash(keys, key)?.get(field))),
  hgetall: (keys, key) => [...(hash(keys, key) ?? [])].flat(),
  hexists: (keys, key, field) => (hash(keys, key)?.has(field) === true ? 1 : 0),
  hkeys: (keys, key) => [...(hash(keys, key) ?? []).keys()],
  hlen: (keys, key) => hash(keys, key)?.size ?? 0,
  hscan: (keys, key) => ['0', [...(hash(keys, key) ?? [])].flat()],
  hset(keys, key, ...args) {
    const fields = keys.open<Map<string, string>>(key, Map);
    const before = fields.size;
    for (const [field, value] of pairsOf(args)) fields.set(field, value);
    return fields.size - before;
  },
  hsetnx(keys, key, field, value) {
    const fields = keys.open<Map<string, string>>(key, Map);
    if (fields.has(field)) return 0;
    fields.set(field, value);
    return 1;
  },
  hdel: (keys, key, ...fields) => remove(keys, key, fields),
  sadd(keys, key, ...members) {
    const all = keys.open<Set<string>>(key, Set);
    const before = all.size;
    for (const member of members) all.add(member);
    return all.size - before;
  },
  srem: (keys, key, ...members) => remove(keys, key, members),
  sismember: (keys, key, member) => (keys.find<Set<string>>(key, Set)?.has(member) === true ? 1 : 0),
  scard: (keys, key) => keys.find<Set<string>>(key, Set)?.size ?? 0,
  srandmember: (keys, key, count) => [...(keys.find<Set<string>>(key, Set) ?? [])].slice(0, Number(count)),
  zadd,
  zrem: (keys, key, ...members) => remove(keys, key, members),
  zscore(keys, key, member) {
    const score = sorted(keys, key)?.scores.get(member);
    return score === undefined ? null : String(score);
  },
  zcard: (keys, key) => sorted(keys, key)?.scores.size ?? 0,
  zrange,
  zrangebyscore: (keys, key, from = '', to = '', ...[, skip = '0', most = 'Infinity']) =>
    byScore(sorted(keys, key)?.entries() ?? [], from, to, Number(skip), Number(most)),
  zremrangebyscore: (keys, key, from = '', to = '') =>
    remove(keys, key, byScore(sorted(keys, key)?.entries() ?? [], from, to)),
  ping: () => 'PONG',
};
