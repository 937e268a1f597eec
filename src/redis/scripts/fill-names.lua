-- Fills the set once: a second process that read the warehouse too adds nothing.
-- input: names, life (seconds)
local input = cjson.decode(ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SADD', KEYS[1], '', unpack(input.names))
redis.call('EXPIRE', KEYS[1], input.life)
return 1
