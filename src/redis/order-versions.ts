import type { Redis } from 'ioredis';
import { STAMPS_OF_ORDER } from '../domain/orders/orders.js';
import { receiptKey, UNDER_WAY_MS } from './receipts.js';
import { script } from './script.js';
import { NEW_LOCKS } from './sources.js';
import { STAMP_KEY, TAKE_STAMPS } from './stamps.js';

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
 * `complete`         field of the shop's source: no version of it was ever forgotten, so that an id that is not here is new
 *
 * A worker settles a push before its job ends. A push that is neither settled nor has a job was never queued, because its
 * process died: a sweep gives it up. Settled ones are forgotten, oldest first, when the budget is passed and after a grace
 * time, which covers a request that asked the warehouse just before the rows arrived.
 */

/** Pushes of one order that are remembered at once: all but the newest matter only where those after them are given up. */
export const MOST_ENTRIES = 4;

// The items come as arrays in JSON, which Redis reads in C: hundreds of arguments, or splitting texts, cost it more. A push
// of new orders, as every import is, goes without a look at each of them.
const RESERVE = `${TAKE_STAMPS}
local versions, source, stamps, reservations, reservation = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local dry, revision, now, batch, shop, job = ARGV[1] == '1', ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local mark, distinct = ARGV[10], ARGV[11] == '1'
if redis.call('HGET', source, 'revision') ~= revision then return {'source_changed'} end

local complete = redis.call('HGET', source, 'complete') == '1'
local ids, entries, looked_up = cjson.decode(ARGV[7]), cjson.decode(ARGV[8]), cjson.decode(ARGV[9])
local n = #ids
local stored = redis.call('HMGET', versions, unpack(ids))

if not complete then
  local misses = {'unknown'}
  for i = 1, n do
    if not stored[i] and (looked_up[i] or '?') == '?' then misses[#misses + 1] = i - 1 end
  end
  if #misses > 1 then return misses end
end

local version = function(entry) return tonumber(string.match(entry, '^%d+')) end
local before = function(entries) return string.match(entries, '^${'[^,]*,'.repeat(MOST_ENTRIES - 2)}[^,]*') or entries end
local all_new = distinct and complete
for i = 1, n do
  if stored[i] then all_new = false break end
end

local names, writes, result = ids, entries, nil
if all_new then
  result = string.rep('a', n)
else
  local newest, outcomes = {}, {}
  names, writes = {}, {}
  for i = 1, n do
    local id, updated = ids[i], version(entries[2 * i])
    local known = newest[id]
    if not known then
      known = tonumber(looked_up[i]) or -1
      if stored[i] then known = math.max(known, version(stored[i])) end
    end
    newest[id] = math.max(known, updated)
    outcomes[i] = updated < known and 's' or 'a'
    if updated >= known then
      names[#names + 1] = id
      writes[#writes + 1] = id
      writes[#writes + 1] = entries[2 * i] .. (stored[i] and ',' .. before(stored[i]) or '')
    end
  end
  result = table.concat(outcomes)
end
if dry or #names == 0 then return {'reserved', result, '0', '0'} end

local stamp = string.format('%.0f', take_stamps(stamps, ${STAMPS_OF_ORDER} * n))
redis.call('HSET', versions, unpack(writes))
redis.call('SET', reservation, mark .. '\\n' .. shop .. '\\n' .. job .. '\\n' .. table.concat(names, '\\n'))
redis.call('ZADD', reservations, now, batch)
redis.call('SET', KEYS[8], shop, 'PX', ARGV[12])
redis.call('INCRBY', KEYS[6], #names)
local locked = redis.call('HSETNX', source, 'locked_at', now)
if locked == 1 then redis.call('SADD', KEYS[7], shop) end
return {'reserved', result, stamp, tostring(locked)}`;

/** Forgets what a push holds, unless its job exists. From then on an id that is not here may be in the warehouse. */
const RELEASE = `
local set, reservation = KEYS[1], KEYS[2]
local text = redis.call('GET', reservation)
if not text then
  redis.call('ZREM', set, ARGV[1])
  return 1
end
local lines = {}
for line in string.gmatch(text, '[^\\n]+') do lines[#lines + 1] = line end
local mark, shop, job = ':' .. lines[1], lines[2], lines[3]
if redis.call('EXISTS', job) == 1 then
  redis.call('ZADD', set, ARGV[2], ARGV[1])
  return 0
end
local versions = 'versions:{' .. shop .. '}'
redis.call('HDEL', 'source:{' .. shop .. '}', 'complete')
for i = 4, #lines do
  local value, left = redis.call('HGET', versions, lines[i]), {}
  for entry in string.gmatch(value or '', '[^,]+') do
    if string.sub(entry, -#mark) ~= mark then left[#left + 1] = entry end
  end
  if #left > 0 then redis.call('HSET', versions, lines[i], table.concat(left, ','))
  elseif value then redis.call('HDEL', versions, lines[i]) end
end
redis.call('DEL', reservation)
redis.call('ZREM', set, ARGV[1])
redis.call('DECRBY', KEYS[3], #lines - 3)
return 1`;

/** Of the end of a batch id, which tells the pushes apart that reserve one order at the same time. */
const MARK_LENGTH = 12;

export const RESERVATIONS = 'reservations';
const SETTLED = 'settled';
export const COUNT = 'versions:count';
export const reservationKey = (batchId: string): string => `reservation:${batchId}`;

/** One order of a push: its id and version, and what the warehouse holds of it where that was looked up (null: nothing). */
export interface VersionClaim {
  orderId: string;
  updatedAt: number;
  stored?: number | null;
}

export type Reservation =
  /** Ids by index that Redis does not know: look them up and claim again. */
  | { kind: 'unknown'; indexes: number[] }
  /** The source was registered anew since the push was checked against it. */
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

export function createOrderVersions(redis: Redis): OrderVersions {
  const runReserve = script(redis, RESERVE);
  const runRelease = script(redis, RELEASE);
  const release = async (set: string, batchId: string, nowMs: number): Promise<boolean> =>
    (await runRelease([set, reservationKey(batchId), COUNT], [batchId, nowMs])) === 1;
  const releaseOldest = async (set: string, { beforeMs, nowMs, limit }: SweepOptions): Promise<number> => {
    const batches = await redis.zrange(set, '0', String(beforeMs), 'BYSCORE', 'LIMIT', '0', String(limit));
    const ended = await Promise.all(batches.map((batch) => release(set, batch, nowMs)));
    return ended.filter(Boolean).length;
  };

  return {
    async reserve({ shopId, batchId, jobKey, sourceRevision, nowMs, dryRun, claims }) {
      const lookedUp = claims.some(({ stored }) => stored !== undefined);
      const ids = claims.map(({ orderId }) => orderId);
      const mark = batchId.slice(-MARK_LENGTH);
      const reply = (await runReserve(
        [
          `versions:{${shopId}}`,
          `source:{${shopId}}`,
          STAMP_KEY,
          RESERVATIONS,
          reservationKey(batchId),
          COUNT,
          NEW_LOCKS,
          receiptKey(batchId),
        ],
        [
          dryRun ? '1' : '0',
          sourceRevision,
          nowMs,
          batchId,
          shopId,
          jobKey,
          JSON.stringify(ids),
          JSON.stringify(claims.flatMap(({ orderId, updatedAt }) => [orderId, `${updatedAt}:${mark}`])),
          JSON.stringify(lookedUp ? claims.map(({ stored }) => (stored === undefined ? '?' : (stored ?? -1))) : []),
          mark,
          new Set(ids).size === ids.length ? '1' : '0',
          UNDER_WAY_MS,
        ],
      )) as [string, ...(string | number)[]];
      switch (reply[0]) {
        case 'unknown':
          return { kind: 'unknown', indexes: reply.slice(1).map(Number) };
        case 'source_changed':
          return { kind: 'source_changed' };
        default: {
          const [, outcomes = '', stamp, locked] = reply;
          const accepted = Array.from(String(outcomes), (outcome) => outcome === 'a');
          return { kind: 'reserved', accepted, stamp: Number(stamp), lockedSource: locked === '1' };
        }
      }
    },
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
