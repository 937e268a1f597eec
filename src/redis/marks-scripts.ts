import { TAKE_STAMPS } from './stamps.js';

/** Longest rest after work. */
export const MAX_REST_MS = 5_000;
/** Longest wait of a mark whose work failed. */
const MAX_APART_SECONDS = 600;

/**
 * The Lua of `marks.ts`. KEYS of all: shops, tokens, leases, apart, stamp, done, resting. ARGV[1] of all: the name that keys
 * begin with.
 *
 * `shops`           sorted set of shops with waiting marks, shop → when it was last served or began to wait
 * `{name}:of:SHOP`  sorted set of the shop's waiting marks, id → place
 * `tokens`          hash, `SHOP\nid` → `stamp:place` of the last mark; a mark is there as long as this is
 * `leases`          sorted set of claimed marks, `SHOP\nid` → when the claim runs out
 * `apart`           sorted set of marks whose work failed, `SHOP\nid` → when they are tried again
 * `resting`         sorted set of ids that were just worked on, marked or not, `SHOP\nid` → when they may be worked on again
 * `done`            hash of marks that were set again during their work, `SHOP\nid` → stamp of the mark whose work is done
 * `{name}:failed:SHOP`  hash, id → `tries since reason` of its failures
 */
const SHARED = `${TAKE_STAMPS}
local shops, tokens, leases, apart, done, resting = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6], KEYS[7]
local name = ARGV[1]
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function text(number) return string.format('%.0f', number) end
local function queue_of(shop) return name .. ':of:' .. shop end
local function place_of(token) return string.match(token, ':(.*)$') end
-- Lets a mark wait, unless it waits already.
local function put_back(shop, id, token, at)
  redis.call('ZADD', queue_of(shop), 'NX', place_of(token), id)
  redis.call('ZADD', shops, 'NX', text(at), shop)
end
-- Whether a mark is claimed, set apart or resting, so that it must not wait for a turn now.
local function is_held(member)
  return redis.call('ZSCORE', leases, member) or redis.call('ZSCORE', apart, member) or redis.call('ZSCORE', resting, member)
end
local function split(member) return string.match(member, '^([^\\n]*)\\n(.*)$') end`;

export const MARK = `${SHARED}
local at = now()
local stamp = text(take_stamps(KEYS[5], 1))
for i = 2, #ARGV, 3 do
  local shop, id, place = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local member = shop .. '\\n' .. id
  local token = stamp .. ':' .. (place == 'now' and stamp or place)
  redis.call('HSET', tokens, member, token)
  if not is_held(member) then put_back(shop, id, token, at) end
end`;

/** ARGV: limit, microseconds of the lease. Gives shop, id and token of each claim. */
export const CLAIM = `${SHARED}
-- A clock that was put back leaves times that are further away than any wait: they are over.
for _, wait in ipairs({{shops, 0}, {leases, tonumber(ARGV[3])}, {apart, ${MAX_APART_SECONDS}e6}, {resting, ${MAX_REST_MS}e3}}) do
  local never = text(now() + wait[2] + 1)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', wait[1], never, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', wait[1], 0, member)
  end
end
local limit, at = tonumber(ARGV[2]), now()
local until_ = text(at + tonumber(ARGV[3]))
for _, over in ipairs({leases, apart, resting}) do
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', over, '-inf', text(at), 'LIMIT', 0, 1000)) do
    redis.call('ZREM', over, member)
    local token = redis.call('HGET', tokens, member)
    local shop, id = split(member)
    if token and not is_held(member) then put_back(shop, id, token, at) end
  end
end
local found = {}
local due = redis.call('ZRANGEBYSCORE', shops, '-inf', text(at), 'LIMIT', 0, limit)
-- First an equal part for each shop, then the rest for the shops that have more.
local part = math.ceil(limit / math.max(1, #due))
while #due > 0 and #found < limit * 3 do
  local more = {}
  for _, shop in ipairs(due) do
    local room = math.min(part, limit - #found / 3)
    if room < 1 then break end
    local ids = redis.call('ZRANGE', queue_of(shop), 0, room - 1)
    for _, id in ipairs(ids) do
      local member = shop .. '\\n' .. id
      local token = redis.call('HGET', tokens, member)
      redis.call('ZREM', queue_of(shop), id)
      if token then
        redis.call('ZADD', leases, until_, member)
        found[#found + 1] = shop
        found[#found + 1] = id
        found[#found + 1] = token
      end
    end
    if #ids < room then redis.call('ZREM', shops, shop)
    else
      redis.call('ZADD', shops, text(at), shop)
      more[#more + 1] = shop
    end
  end
  if #more == #due then part = limit end
  due = more
end
return found`;

/** ARGV: microseconds of the lease, then shop, id and token of each claim. Only claims that still hold are renewed. */
export const RENEW = `${SHARED}
local until_ = text(now() + tonumber(ARGV[2]))
for i = 3, #ARGV, 3 do redis.call('ZADD', leases, 'XX', until_, ARGV[i] .. '\\n' .. ARGV[i + 1]) end`;

/** ARGV: microseconds that the work took, then shop, id and token of each claim. Ids rest for their shop's share of that time. */
export const FINISH = `${SHARED}
local at, each, rest = now(), tonumber(ARGV[2]) / ((#ARGV - 2) / 3), {}
for i = 3, #ARGV, 3 do rest[ARGV[i]] = (rest[ARGV[i]] or 0) + each end
for i = 3, #ARGV, 3 do
  local shop, id, token = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local member = shop .. '\\n' .. id
  redis.call('ZREM', leases, member)
  redis.call('HDEL', name .. ':failed:' .. shop, id)
  local last = redis.call('HGET', tokens, member)
  if rest[shop] > 0 then redis.call('ZADD', resting, text(at + math.floor(rest[shop])), member) end
  if last == token then
    redis.call('HDEL', tokens, member)
    redis.call('HDEL', done, member)
    redis.call('ZREM', queue_of(shop), id)
    redis.call('ZREM', apart, member)
  elseif last then
    redis.call('HSET', done, member, string.match(token, '^%d+'))
    if not is_held(member) then put_back(shop, id, last, at) end
  end
end`;

/** ARGV: shop, id and token of each claim. */
export const RELEASE = `${SHARED}
local at = now()
for i = 2, #ARGV, 3 do
  local shop, id = ARGV[i], ARGV[i + 1]
  local member = shop .. '\\n' .. id
  local token = redis.call('HGET', tokens, member)
  if redis.call('ZREM', leases, member) == 1 and token then put_back(shop, id, token, at) end
end`;

/** ARGV: the reason, then shop, id and token of the claim. The wait doubles from 2 s to 10 minutes. */
export const SET_APART = `${SHARED}
local shop, id, at = ARGV[3], ARGV[4], now()
local member, failed = shop .. '\\n' .. id, name .. ':failed:' .. shop
if not redis.call('HGET', tokens, member) then return end
local before = redis.call('HGET', failed, id) or ''
local tries, since = string.match(before, '^(%d+) (%d+) ')
tries = (tonumber(tries) or 0) + 1
since = since or text(math.floor(at / 1000))
redis.call('HSET', failed, id, tries .. ' ' .. since .. ' ' .. ARGV[2])
redis.call('ZREM', leases, member)
redis.call('ZREM', queue_of(shop), id)
redis.call('ZADD', apart, text(at + math.min(${MAX_APART_SECONDS}, 2 ^ tries) * 1000000), member)`;
