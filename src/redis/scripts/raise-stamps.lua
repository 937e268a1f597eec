-- input: stamp
local input = cjson.decode(ARGV[1])
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
if input.stamp > last then redis.call('SET', KEYS[1], string.format('%.0f', input.stamp)) end
return 1
