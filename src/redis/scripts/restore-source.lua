-- Changes nothing if a registration, a lock or a closing came in between.
-- input: fields (name and value, one after the other)
local input = cjson.decode(ARGV[1])
if redis.call('HEXISTS', KEYS[1], 'revision') == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(input.fields))
return 1
