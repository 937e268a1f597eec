-- input: life (milliseconds), entries (key and value, one after the other)
local input = cjson.decode(ARGV[1])
for i = 1, #input.entries, 2 do redis.call('SET', input.entries[i], input.entries[i + 1], 'PX', input.life) end
