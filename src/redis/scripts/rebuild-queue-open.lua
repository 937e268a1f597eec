-- @include rebuild-queue-shared
-- Ids of a shop whose work does not cover what was stored when `stamp` was taken.
-- input: shop, stamp, ranges (first and last id, one after the other; absent: all), limit
local shop, ranges = input.shop, input.ranges
local found, seen = {}, {}
local function is_wanted(id)
  if not ranges then return true end
  for i = 1, #ranges, 2 do
    if id >= ranges[i] and id <= ranges[i + 1] then return true end
  end
  return false
end
-- Whether enough are found.
local function look(id)
  if seen[id] or not is_wanted(id) then return false end
  seen[id] = true
  local member = shop .. '\n' .. id
  local token = redis.call('HGET', tokens, member)
  if not token or tonumber(since_of(token)) > input.stamp then return false end
  if tonumber(redis.call('HGET', done, member) or '0') >= input.stamp then return false end
  found[#found + 1] = id
  return #found >= input.limit
end
-- Those that wait, failed, are claimed and rest.
for _, id in ipairs(redis.call('ZRANGE', queue_of(shop), 0, -1)) do
  if look(id) then return found end
end
for _, id in ipairs(redis.call('HKEYS', name .. ':failed:' .. shop)) do
  if look(id) then return found end
end
for _, held in ipairs({leases, resting}) do
  for _, member in ipairs(redis.call('ZRANGE', held, 0, -1)) do
    local of, id = split(member)
    if of == shop and look(id) then return found end
  end
end
return found
