-- @include rebuild-queue-shared
-- input: claims (shop, id and token, one after the other)
local at = now()
for i = 1, #input.claims, 3 do
  local shop, id = input.claims[i], input.claims[i + 1]
  local member = shop .. '\n' .. id
  local token = redis.call('HGET', tokens, member)
  if redis.call('ZREM', leases, member) == 1 and token then put_back(shop, id, token, at) end
end
