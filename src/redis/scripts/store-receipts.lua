-- input: pushes (shop and batch, one after the other), stamp, life (milliseconds)
local input = cjson.decode(ARGV[1])
for i = 1, #input.pushes, 2 do
  local shop, batch = input.pushes[i], input.pushes[i + 1]
  redis.call('SET', 'receipt:' .. batch, shop .. '\nstored\n' .. string.format('%.0f', input.stamp), 'PX', input.life)
  redis.call('ZREM', 'pushes:{' .. shop .. '}', batch)
end
