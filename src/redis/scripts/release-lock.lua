-- input: token
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[1]) == input.token then return redis.call('DEL', KEYS[1]) end
return 0
