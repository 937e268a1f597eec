import type { Redis } from 'ioredis';
import { STAMPS_OF_ORDER } from '../domain/orders/orders.js';
import { UNDER_WAY_MS } from './receipts.js';
import { scriptFile, type Script } from './script.js';
import { NEW_LOCKS } from './sources.js';
import { STAMP_KEY } from './stamps.js';

/**
 * The stale guard's memory: the newest accepted `updated_at` of orders, those that are not in the warehouse yet and as many
 * recent ones as the budget holds.
 *
 * `versions:{shop}`  hash, order id → `<updated_at µs>:<mark of the push>`, newest first, joined by commas: where the newest
 *                    push never becomes a job, the one before it may still wait in the queue
 * `reservation:{id}` what one push reserved: its mark, shop, job and ids, a line each
 * `reservations`     sorted set by time of pushes that are not known to be in the warehouse
 * `settled`          sorted set by time of pushes whose rows a worker has stored
 * `versions:count`   ids in all reservations, which the budget bounds
 * `known_from`       field of the shop's source: the newest version of it that was forgotten, 0 for none. An order that is not here has no
 *                    later version in the warehouse, so that one which comes with a later version need not be looked up. Missing where
 *                    the source was read back from the warehouse
 *
 * A push is reserved together with its job, a deletion before it. A worker settles a push before its job ends. One that is neither
 * settled nor has a job was never queued, because its process died, or is not in the queue any more: a sweep gives it up. Settled ones
 * are forgotten, oldest first, when the budget is passed and after a grace time, which covers a request that asked the warehouse just
 * before the rows arrived.
 */

/** Pushes of one order that are remembered at once: all but the newest matter only where those after them are given up. */
export const MAX_ENTRIES = 4;

/** Of the end of a batch id, which tells the pushes apart that reserve one order at the same time. */
const MARK_LENGTH = 12;

export const RESERVATIONS = 'reservations';
const SETTLED = 'settled';
export const COUNT = 'versions:count';
export const reservationKey = (batchId: string): string => `reservation:${batchId}`;

/**
 * One order of a push: its id and version, and what the warehouse holds of it where that was looked up (null: nothing; `'unknown'`: the
 * warehouse did not answer).
 */
export interface VersionClaim {
  orderId: string;
  updatedAt: number;
  stored?: number | null | 'unknown';
}

export type Reservation =
  /** Claims by index that Redis cannot decide: look their orders up and claim again. */
  | { kind: 'unknown'; indexes: number[] }
  /** The source was registered again since the push was checked against it. */
  | { kind: 'source_changed' }
  /** Outcomes in order; the item at index `i` has the arrival stamp `stamp + STAMPS_OF_ORDER * i`. */
  | { kind: 'reserved'; accepted: boolean[]; stamp: number; lockedSource: boolean };

export interface ReserveRequest {
  shopId: string;
  batchId: string;
  /** Redis key of the job that will carry the push. */
  jobKey: string;
  sourceRevision: string;
  nowMs: number;
  /** Decides the outcomes and changes nothing. */
  dryRun: boolean;
  claims: readonly VersionClaim[];
}

export interface OrderVersions {
  /** Newest version of an order; null: there is no such order; undefined: not known here. */
  find(shopId: string, orderId: string): Promise<number | null | undefined>;
  /** Those of the orders that are known here; others may be stored. */
  among(shopId: string, orderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Compares and reserves in one atomic step, in the order of the claims; the push is then under way, see `receipts.ts`. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Gives a reservation up at once after a failed enqueue; one whose job did arrive stays. */
  release(batchId: string, nowMs: number): Promise<void>;
  /** The rows of these pushes are stored. Before their jobs end. */
  settle(batchIds: readonly string[], nowMs: number): Promise<void>;
  /** Gives up pushes that were never queued, and forgets settled ones over the budget. Returns how many ended. */
  sweep(options: SweepOptions): Promise<number>;
}

export interface SweepOptions {
  /** Only pushes from before this time. */
  beforeMs: number;
  nowMs: number;
  /** Ids that may be kept. */
  budget: number;
  /** Pushes that one call looks at, at most. */
  limit: number;
}

/** The keys of the scripts that reserve, besides those of the push. */
const KEYS = [STAMP_KEY, RESERVATIONS, COUNT, NEW_LOCKS] as const;

/** A push as `reserve-push.lua` takes it. */
function inputOf({ shopId, batchId, jobKey, sourceRevision, nowMs, dryRun, claims }: ReserveRequest) {
  const lookedUp = claims.some(({ stored }) => stored !== undefined);
  const ids = claims.map(({ orderId }) => orderId);
  return {
    is_dry_run: dryRun,
    revision: sourceRevision,
    now: nowMs,
    batch: batchId,
    shop: shopId,
    job: jobKey,
    ids,
    updated_at: claims.map(({ updatedAt }) => String(updatedAt)),
    looked_up: lookedUp ? claims.map(({ stored }) => lookedUpOf(stored)) : [],
    mark: batchId.slice(-MARK_LENGTH),
    is_distinct: new Set(ids).size === ids.length,
    stamps: STAMPS_OF_ORDER,
    max_entries: MAX_ENTRIES,
    life: UNDER_WAY_MS,
  };
}

function lookedUpOf(stored: VersionClaim['stored']): number | '?' {
  if (stored === undefined) return '?';
  return stored === 'unknown' ? -2 : (stored ?? -1);
}

function toReservation(answer: unknown): Reservation {
  const reply = answer as [string, ...(string | number)[]];
  switch (reply[0]) {
    case 'unknown':
      return { kind: 'unknown', indexes: reply.slice(1).map(Number) };
    case 'source_changed':
      return { kind: 'source_changed' };
    default: {
      const [, outcomes = '', stamp, locked] = reply;
      const accepted = Array.from(String(outcomes), (outcome) => outcome !== 's');
      return { kind: 'reserved', accepted, stamp: Number(stamp), lockedSource: locked === '1' };
    }
  }
}

/** What adds a job to its queue: a function `add_job(keys, args)` in Lua, and what it gets. The data of the job are `args[1]`. */
export interface AddJob {
  lua: string;
  keys: readonly string[];
  args: readonly [string | Buffer, Buffer, string | Buffer];
}

/**
 * Reserves the pushes of a job one after the other and adds the job, all in one atomic step: the job says what was decided of each. Where
 * nothing was reserved there is no job.
 */
export type ReserveWithJob = (redis: Redis, job: AddJob, pushes: readonly ReserveRequest[]) => Promise<Reservation[]>;

export function createReserveWithJob(): ReserveWithJob {
  const scripts = new WeakMap<Redis, Script>();
  return async (redis, { lua, keys, args }, pushes) => {
    const run = scripts.get(redis) ?? scriptFile(redis, 'queue-orders', lua);
    scripts.set(redis, run);
    const replies = await run([...KEYS, ...keys], { pushes: pushes.map(inputOf) }, args);
    return (replies as unknown[]).map(toReservation);
  };
}

export function createOrderVersions(redis: Redis): OrderVersions {
  const runReserve = scriptFile(redis, 'reserve-orders');
  const runRelease = scriptFile(redis, 'release-reservation');
  const release = async (set: string, batchId: string, nowMs: number): Promise<boolean> =>
    (await runRelease([set, reservationKey(batchId), COUNT], {
      batch: batchId,
      now: nowMs,
      is_stored: set === SETTLED,
    })) === 1;
  const releaseOldest = async (set: string, { beforeMs, nowMs, limit }: SweepOptions): Promise<number> => {
    const batches = await redis.zrange(set, '0', String(beforeMs), 'BYSCORE', 'LIMIT', '0', String(limit));
    const ended = await Promise.all(batches.map((batch) => release(set, batch, nowMs)));
    return ended.filter(Boolean).length;
  };

  return {
    async find(shopId, orderId) {
      // The field is raised when a version is forgotten, so it must be read after the version.
      const entries = await redis.hget(`versions:{${shopId}}`, orderId);
      if (entries !== null) return Number.parseInt(entries, 10);
      return (await redis.hget(`source:{${shopId}}`, 'known_from')) === '0' ? null : undefined;
    },
    async among(shopId, orderIds) {
      if (orderIds.length === 0) return new Set();
      const entries = await redis.hmget(`versions:{${shopId}}`, ...orderIds);
      return new Set(orderIds.filter((_, i) => entries[i] != null));
    },
    reserve: async (request) => toReservation(await runReserve(KEYS, inputOf(request))),
    async release(batchId, nowMs) {
      await release(RESERVATIONS, batchId, nowMs);
    },
    async settle(batchIds, nowMs) {
      if (batchIds.length === 0) return;
      const results = await redis
        .multi()
        .zrem(RESERVATIONS, ...batchIds)
        .zadd(SETTLED, ...batchIds.flatMap((batch) => [nowMs, batch]))
        .exec();
      if (results === null) throw new Error('the pushes were not settled');
    },
    async sweep(options) {
      const abandoned = await releaseOldest(RESERVATIONS, options);
      const count = Number((await redis.get(COUNT)) ?? 0);
      return count > options.budget ? abandoned + (await releaseOldest(SETTLED, options)) : abandoned;
    },
  };
}
