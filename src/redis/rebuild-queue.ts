import type { Redis } from 'ioredis';
import { compare } from '../domain/compare.js';
import { inChunks } from '../domain/in-chunks.js';
import { pairsOf, scanPages } from './scan.js';
import { scriptFile, type Script } from './script.js';
import { STAMP_KEY } from './stamps.js';

/** Something of a shop that must be computed again, such as the rollup of a day. */
export interface QueueEntry {
  shopId: string;
  /** Unique within the shop, without line breaks. */
  id: string;
  /** Place among the shop's entries, lowest first; absent: by arrival. */
  place?: number;
}

/** An entry that a worker holds for a bounded time. */
export interface Claim {
  shopId: string;
  id: string;
  /** Version of the entry when it was claimed; it changes whenever the entry is set. */
  token: string;
}

/** An entry whose own work failed and that waits for its next try. */
export interface FailedEntry {
  id: string;
  tries: number;
  reason: string;
  /** Milliseconds since 1970 of the first failure. */
  since: number;
}

export interface OpenQuery {
  stamp: number;
  ranges?: readonly (readonly [string, string])[];
  limit: number;
}

/**
 * Days or orders to be computed again, kept in Redis, each once. Workers claim entries for a bounded time, so that no two do the same
 * work at once; a claim that is not renewed ends. Shops take turns: a claim takes equally many entries of each waiting shop, and a shop that was just served
 * goes behind the others. After its work an entry rests for as long as the work took, so that a day of a busy import is not recomputed
 * for every push; the shop's other entries are not held up. A waiting entry that is set again keeps its place. An entry that is set again
 * during its work waits again afterwards.
 *
 * The work must be safe to repeat: a claim may run out while its holder still works.
 */
export interface RebuildQueue {
  add(added: readonly QueueEntry[]): Promise<void>;
  /** Called after entries were set through this object. */
  onAdded(listener: () => void): void;
  /** Claims at most `limit` entries of all shops for `leaseMs`. */
  claim(limit: number, leaseMs: number): Promise<Claim[]>;
  /** Extends the claims to `leaseMs` from now. */
  renew(claims: readonly Claim[], leaseMs: number): Promise<void>;
  /** The work is done: removes the entries that were not set again since they were claimed. `tookMs`: time of the work for all. */
  finish(claims: readonly Claim[], tookMs: number): Promise<void>;
  /** The work failed for a reason that is not in the entries: they wait again. */
  release(claims: readonly Claim[]): Promise<void>;
  /** The work failed for this entry alone: it is tried again later, after a longer wait each time. */
  quarantine(claim: Claim, reason: string): Promise<void>;
  failures(shopId: string, limit: number): Promise<FailedEntry[]>;
  /**
   * Those of the ids whose work does not yet cover what was stored when `stamp` was taken. An entry that is set again and again, as
   * for a busy day, counts as done after the first work on an entry that was set after `stamp`.
   */
  unfinished(shopId: string, ids: readonly string[], stamp: number): Promise<string[]>;
  /**
   * Ids of the shop whose work does not yet cover what was stored when `stamp` was taken, at most `limit`. An entry that was first set
   * after that, or whose work was done on a state after that, is none of them.
   *
   * @param query.ranges first and last ids, in the order of their texts; absent: all
   */
  open(shopId: string, query: OpenQuery): Promise<string[]>;
  /** Number of all entries, also claimed ones and those quarantined. */
  count(): Promise<number>;
  /** All entries, in pages. One that is set or done meanwhile may be missing. */
  all(): AsyncGenerator<QueueEntry[]>;
}

/** Longest rest after work: what a long turn has computed is not computed again, so a longer one would only delay what follows. */
const MAX_REST_MS = 1_000;
/** Longest wait of an entry whose work failed. */
const MAX_QUARANTINE_MS = 600_000;
/** Entries per call of a script. */
const CHUNK = 1_000;
const MAX_REASON = 200;

/** `maxRestMs`: the longest rest after work. */
export function createRebuildQueue(redis: Redis, name: string, maxRestMs = MAX_REST_MS): RebuildQueue {
  const keys = {
    shops: `${name}:shops`,
    tokens: `${name}:tokens`,
    leases: `${name}:leases`,
    quarantined: `${name}:quarantined`,
    done: `${name}:done`,
    resting: `${name}:resting`,
  };
  const all = [keys.shops, keys.tokens, keys.leases, keys.quarantined, STAMP_KEY, keys.done, keys.resting];
  const failedKey = (shopId: string): string => `${name}:failed:${shopId}`;
  const [add, claim, renew] = [
    scriptFile(redis, 'rebuild-queue-add'),
    scriptFile(redis, 'rebuild-queue-claim'),
    scriptFile(redis, 'rebuild-queue-renew'),
  ];
  const [finish, release, quarantine, open] = [
    scriptFile(redis, 'rebuild-queue-finish'),
    scriptFile(redis, 'rebuild-queue-release'),
    scriptFile(redis, 'rebuild-queue-quarantine'),
    scriptFile(redis, 'rebuild-queue-open'),
  ];
  const each = async (run: Script, claims: readonly Claim[], input: Record<string, unknown> = {}): Promise<void> => {
    for (const chunk of inChunks(claims, CHUNK)) {
      await run(all, { name, ...input, claims: chunk.flatMap(({ shopId, id, token }) => [shopId, id, token]) });
    }
  };

  const listeners: (() => void)[] = [];

  return {
    onAdded: (listener) => void listeners.push(listener),
    async add(added) {
      for (const chunk of inChunks(added, CHUNK)) {
        const entries = chunk.flatMap(({ shopId, id, place }) => [
          shopId,
          id,
          place === undefined ? 'now' : String(place),
        ]);
        await add(all, { name, entries });
      }
      if (added.length > 0) for (const listener of listeners) listener();
    },
    async claim(limit, leaseMs) {
      const input = {
        name,
        limit,
        lease: leaseMs * 1000,
        max_rest: maxRestMs * 1000,
        max_quarantine: MAX_QUARANTINE_MS * 1000,
      };
      const flat = (await claim(all, input)) as string[];
      return [...inChunks(flat, 3)].map(([shopId = '', id = '', token = '']) => ({ shopId, id, token }));
    },
    renew: (claims, leaseMs) => each(renew, claims, { lease: leaseMs * 1000 }),
    finish: (claims, tookMs) => each(finish, claims, { took: Math.round(Math.min(tookMs, maxRestMs) * 1000) }),
    release: (claims) => each(release, claims),
    quarantine: (one, reason) =>
      each(quarantine, [one], { reason: reason.slice(0, MAX_REASON), max_quarantine: MAX_QUARANTINE_MS * 1000 }),
    async failures(shopId, limit) {
      const [, flat] = await redis.hscan(failedKey(shopId), '0', 'COUNT', limit);
      const failed = pairsOf(flat).map(([id, text]): FailedEntry => {
        const [tries, since, ...reason] = text.split(' ');
        return { id, tries: Number(tries), since: Number(since), reason: reason.join(' ') };
      });
      return failed.slice(0, limit).sort((a, b) => compare(a.id, b.id));
    },
    async unfinished(shopId, ids, stamp) {
      const members = ids.map((id) => `${shopId}\n${id}`);
      const left: string[] = [];
      // If a chunk has unfinished ids, the rest need not be checked yet.
      for (let i = 0; i < ids.length; i += CHUNK) {
        const chunk = members.slice(i, i + CHUNK);
        const [tokens, done] = await Promise.all([
          redis.hmget(keys.tokens, ...chunk),
          redis.hmget(keys.done, ...chunk),
        ]);
        left.push(...ids.slice(i, i + CHUNK).filter((_, n) => tokens[n] != null && Number(done[n] ?? 0) < stamp));
        if (left.length > 0) return [...left, ...ids.slice(i + CHUNK)];
      }
      return left;
    },
    async open(shopId, { stamp, ranges, limit }) {
      return (await open(all, { name, shop: shopId, stamp, ranges: ranges?.flat(), limit })) as string[];
    },
    count: () => redis.hlen(keys.tokens),
    async *all() {
      for await (const page of scanPages((cursor) => redis.hscan(keys.tokens, cursor, 'COUNT', CHUNK))) {
        yield pairsOf(page).map(([member]) => toEntry(member));
      }
    },
  };
}

/** The entry of a member `SHOP\nid`. */
export function toEntry(member: string): QueueEntry {
  const [shopId = '', id = ''] = member.split('\n');
  return { shopId, id };
}
