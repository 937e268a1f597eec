import type { Redis } from 'ioredis';
import { script } from './script.js';
import { CLAIM, FINISH, MARK, RELEASE, RENEW, SET_APART } from './marks-scripts.js';
import { STAMP_KEY } from './stamps.js';

/** Something of a shop that must be computed again, such as the rollup of a day. */
export interface Mark {
  shopId: string;
  /** Unique within the shop, without line breaks. */
  id: string;
  /** Place among the shop's own marks, the least first; absent: by arrival. */
  place?: number;
}

/** A mark that a worker holds for a bounded time. */
export interface Claim {
  shopId: string;
  id: string;
  /** What the mark was when it was claimed: it changes with every new mark. */
  token: string;
}

/** A mark whose work failed by itself and waits for its next try. */
export interface FailedMark {
  id: string;
  tries: number;
  reason: string;
  /** Milliseconds since 1970 of the first failure. */
  since: number;
}

/**
 * Marks of work to do, each once, kept in Redis. Workers claim them for a bounded time, so that no two do the same work at
 * once; a claim that is not renewed goes back. Shops take turns: a claim takes as many marks of each shop that waits, and
 * a shop that was just served stands behind the others. What was worked on rests for as long as that took, so that a day of a
 * busy import is not recomputed for each push; the shop's other marks go on. A mark that is set again keeps its place; one
 * that was set again while it was worked on comes back.
 *
 * The work must be safe to repeat: a claim may run out while its holder still works.
 */
export interface Marks {
  mark(marks: readonly Mark[]): Promise<void>;
  /** At most `limit` marks of all shops, for `leaseMs`. */
  claim(limit: number, leaseMs: number): Promise<Claim[]>;
  /** Holds the claims for another `leaseMs`. */
  renew(claims: readonly Claim[], leaseMs: number): Promise<void>;
  /** The work is done: removes the marks that nothing has set again since they were claimed. `tookMs` is for all of them. */
  finish(claims: readonly Claim[], tookMs: number): Promise<void>;
  /** The work could not be done for a reason that is not theirs: they go back. */
  release(claims: readonly Claim[]): Promise<void>;
  /** The work fails for this mark alone: it waits, longer after each failure, and is then tried again. */
  setApart(claim: Claim, reason: string): Promise<void>;
  failures(shopId: string, limit: number): Promise<FailedMark[]>;
  /**
   * Of the ids those whose work is not done for what was stored when `stamp` was taken and marked after that. A mark that is
   * set again and again, as of a busy day, is not waited for longer than the work that began after the first time.
   */
  unfinished(shopId: string, ids: readonly string[], stamp: number): Promise<string[]>;
  /** All marks, those that are claimed or set apart included. */
  count(): Promise<number>;
  /** The same, in parts. One that is set or done meanwhile may be left out. */
  all(): AsyncGenerator<Mark[]>;
}

/** Arguments of one call of a script. */
const CHUNK = 1_000;
const MAX_REASON = 200;
/** What was worked on rests at most this long. */
const MAX_REST_MS = 5_000;

export function createMarks(redis: Redis, name: string): Marks {
  const keys = {
    shops: `${name}:shops`,
    tokens: `${name}:tokens`,
    leases: `${name}:leases`,
    apart: `${name}:apart`,
    done: `${name}:done`,
    resting: `${name}:resting`,
  };
  const all = [keys.shops, keys.tokens, keys.leases, keys.apart, STAMP_KEY, keys.done, keys.resting];
  const failedKey = (shopId: string): string => `${name}:failed:${shopId}`;
  const [mark, claim, renew, finish, release, setApart] = [MARK, CLAIM, RENEW, FINISH, RELEASE, SET_APART].map((lua) =>
    script(redis, lua),
  ) as [Run, Run, Run, Run, Run, Run];
  const each = async (run: Run, claims: readonly Claim[], ...args: (string | number)[]): Promise<void> => {
    for (let i = 0; i < claims.length; i += CHUNK) {
      const chunk = claims.slice(i, i + CHUNK).flatMap(({ shopId, id, token }) => [shopId, id, token]);
      await run(all, [name, ...args, ...chunk]);
    }
  };

  return {
    async mark(marks) {
      for (let i = 0; i < marks.length; i += CHUNK) {
        const chunk = marks.slice(i, i + CHUNK);
        await mark(all, [name, ...chunk.flatMap(({ shopId, id, place }) => [shopId, id, place ?? 'now'])]);
      }
    },
    async claim(limit, leaseMs) {
      const flat = (await claim(all, [name, limit, leaseMs * 1000])) as string[];
      const claims: Claim[] = [];
      for (let i = 0; i + 2 < flat.length; i += 3) {
        const [shopId = '', id = '', token = ''] = flat.slice(i, i + 3);
        claims.push({ shopId, id, token });
      }
      return claims;
    },
    renew: (claims, leaseMs) => each(renew, claims, leaseMs * 1000),
    finish: (claims, tookMs) => each(finish, claims, Math.round(Math.min(tookMs, MAX_REST_MS) * 1000)),
    release: (claims) => each(release, claims),
    setApart: (one, reason) => each(setApart, [one], reason.slice(0, MAX_REASON)),
    async failures(shopId, limit) {
      const [, flat] = await redis.hscan(failedKey(shopId), '0', 'COUNT', limit);
      const failed: FailedMark[] = [];
      for (let i = 0; i + 1 < flat.length && failed.length < limit; i += 2) {
        const [tries = '', since = '', ...reason] = (flat[i + 1] ?? '').split(' ');
        failed.push({ id: flat[i] ?? '', tries: Number(tries), since: Number(since), reason: reason.join(' ') });
      }
      return failed.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async unfinished(shopId, ids, stamp) {
      const members = ids.map((id) => `${shopId}\n${id}`);
      const open: string[] = [];
      // Whoever waits needs not know of all of them while one chunk is behind.
      for (let i = 0; i < ids.length; i += CHUNK) {
        const chunk = members.slice(i, i + CHUNK);
        const [tokens, done] = await Promise.all([
          redis.hmget(keys.tokens, ...chunk),
          redis.hmget(keys.done, ...chunk),
        ]);
        open.push(...ids.slice(i, i + CHUNK).filter((_, n) => tokens[n] != null && Number(done[n] ?? 0) < stamp));
        if (open.length > 0) return [...open, ...ids.slice(i + CHUNK)];
      }
      return open;
    },
    count: () => redis.hlen(keys.tokens),
    async *all() {
      for (let cursor: string | undefined; cursor !== '0';) {
        const [next, flat] = await redis.hscan(keys.tokens, cursor ?? '0', 'COUNT', CHUNK);
        cursor = next;
        yield flat.flatMap((member, i) => {
          const [shopId = '', id = ''] = member.split('\n');
          return i % 2 === 0 ? [{ shopId, id }] : [];
        });
      }
    },
  };
}

type Run = ReturnType<typeof script>;
