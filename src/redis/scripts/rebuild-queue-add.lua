-- @include rebuild-queue-shared
-- input: entries (shop, id and place, one after the other; the place 'now' is that of the arrival)
local at = now()
local stamp = text(take_stamps(KEYS[5], 1))
for i = 1, #input.entries, 3 do
  local shop, id, place = input.entries[i], input.entries[i + 1], input.entries[i + 2]
  local member = shop .. '\n' .. id
  local last = redis.call('HGET', tokens, member)
  local token = stamp .. ':' .. (place == 'now' and stamp or place) .. ':' .. (last and since_of(last) or stamp)
  redis.call('HSET', tokens, member, token)
  if not is_held(member) then put_back(shop, id, token, at) end
end
