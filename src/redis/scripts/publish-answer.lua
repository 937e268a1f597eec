-- Stores the outcome if this process still has the right to compute, and gives the right back.
-- input: token, answer, life (milliseconds)
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[2]) ~= input.token then return 0 end
redis.call('SET', KEYS[1], input.answer, 'PX', input.life)
redis.call('DEL', KEYS[2])
return 1
