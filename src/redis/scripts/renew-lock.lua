-- input: token, held (milliseconds)
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[1]) == input.token then return redis.call('PEXPIRE', KEYS[1], input.held) end
return 0
