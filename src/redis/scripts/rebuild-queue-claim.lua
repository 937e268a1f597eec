-- @include rebuild-queue-shared
-- input: limit, lease, max_rest, max_quarantine (microseconds). Gives shop, id and token of each claim.
-- A clock that was put back leaves times that are further away than any wait: they are over.
local waits = {{shops, 0}, {leases, input.lease}, {quarantined, input.max_quarantine}, {resting, input.max_rest}}
for _, wait in ipairs(waits) do
  local never = text(now() + wait[2] + 1)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', wait[1], never, '+inf', 'LIMIT', 0, 1000)) do
    redis.call('ZADD', wait[1], 0, member)
  end
end
local limit, at = input.limit, now()
local lease_end = text(at + input.lease)
for _, over in ipairs({leases, quarantined, resting}) do
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
      local member = shop .. '\n' .. id
      local token = redis.call('HGET', tokens, member)
      redis.call('ZREM', queue_of(shop), id)
      if token then
        redis.call('ZADD', leases, lease_end, member)
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
return found
