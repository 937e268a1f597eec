-- @include rebuild-queue-shared
-- input: took (microseconds of the work for all), claims (shop, id and token, one after the other). Ids rest for their shop's
-- share of that time.
local claims, rest = input.claims, {}
local at, each = now(), input.took / (#claims / 3)
for i = 1, #claims, 3 do rest[claims[i]] = (rest[claims[i]] or 0) + each end
for i = 1, #claims, 3 do
  local shop, id, token = claims[i], claims[i + 1], claims[i + 2]
  local member = shop .. '\n' .. id
  redis.call('ZREM', leases, member)
  redis.call('HDEL', name .. ':failed:' .. shop, id)
  local last = redis.call('HGET', tokens, member)
  if rest[shop] > 0 then redis.call('ZADD', resting, text(at + math.floor(rest[shop])), member) end
  if last == token then
    redis.call('HDEL', tokens, member)
    redis.call('HDEL', done, member)
    redis.call('ZREM', queue_of(shop), id)
    redis.call('ZREM', quarantined, member)
  elseif last then
    redis.call('HSET', done, member, string.match(token, '^%d+'))
    if not is_held(member) then put_back(shop, id, last, at) end
  end
end
