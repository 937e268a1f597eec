-- @include rebuild-queue-shared
-- input: lease (microseconds), claims (shop, id and token, one after the other). Only claims that still hold are renewed.
local lease_end = text(now() + input.lease)
for i = 1, #input.claims, 3 do
  redis.call('ZADD', leases, 'XX', lease_end, input.claims[i] .. '\n' .. input.claims[i + 1])
end
