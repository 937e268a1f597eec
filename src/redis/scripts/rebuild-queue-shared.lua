-- What the scripts of a rebuild queue share. KEYS of all: shops, tokens, leases, quarantined, stamp, done, resting.
-- input of all: name, the prefix of the keys.
--
-- `shops`           sorted set of shops with waiting entries, shop -> when it was last served or began to wait
-- `{name}:of:SHOP`  sorted set of the shop's waiting entries, id -> place
-- `tokens`          hash, `SHOP\nid` -> `stamp:place:since`, of the newest request and of the first one that is not done; an entry
--                   is there as long as this is
-- `leases`          sorted set of claimed entries, `SHOP\nid` -> when the claim ends
-- `quarantined`     sorted set of quarantined entries, whose work failed, `SHOP\nid` -> when they are tried again
-- `resting`         sorted set of ids that were just worked on, `SHOP\nid` -> when they may be worked on again
-- `done`            hash of entries that were requested again during their work, `SHOP\nid` -> stamp of the request whose work is done
-- `{name}:failed:SHOP`  hash, id -> `tries since reason` of its failures
-- @include take-stamps
local input = cjson.decode(ARGV[1])
local shops, tokens, leases, quarantined, done, resting = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6], KEYS[7]
local name = input.name
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
local function text(number) return string.format('%.0f', number) end
local function queue_of(shop) return name .. ':of:' .. shop end
local function place_of(token) return string.match(token, ':(.*):') end
local function since_of(token) return string.match(token, '%d+$') end
-- Lets an entry wait, unless it waits already.
local function put_back(shop, id, token, at)
  redis.call('ZADD', queue_of(shop), 'NX', place_of(token), id)
  redis.call('ZADD', shops, 'NX', text(at), shop)
end
-- Whether an entry is claimed, quarantined or resting, so that it must not wait for a worker now.
local function is_held(member)
  return redis.call('ZSCORE', leases, member) or redis.call('ZSCORE', quarantined, member) or redis.call('ZSCORE', resting, member)
end
local function split(member) return string.match(member, '^([^\n]*)\n(.*)$') end
