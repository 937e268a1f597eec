-- @include rebuild-queue-shared
-- input: reason, max_quarantine (microseconds), claims (shop, id and token of the one). The wait doubles from 2 s to the longest.
local shop, id, at = input.claims[1], input.claims[2], now()
local member, failed = shop .. '\n' .. id, name .. ':failed:' .. shop
if not redis.call('HGET', tokens, member) then return end
local before = redis.call('HGET', failed, id) or ''
local tries, since = string.match(before, '^(%d+) (%d+) ')
tries = (tonumber(tries) or 0) + 1
since = since or text(math.floor(at / 1000))
redis.call('HSET', failed, id, tries .. ' ' .. since .. ' ' .. input.reason)
redis.call('ZREM', leases, member)
redis.call('ZREM', queue_of(shop), id)
redis.call('ZADD', quarantined, text(at + math.min(input.max_quarantine, 2 ^ tries * 1000000)), member)
