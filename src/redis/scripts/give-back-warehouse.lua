-- Gives the rows back to an earlier warehouse; 0 if a process of the present one may have written.
-- keys: home, claimed; input: id
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[2]) == redis.call('GET', KEYS[1]) then return 0 end
redis.call('SET', KEYS[1], input.id)
return 1
