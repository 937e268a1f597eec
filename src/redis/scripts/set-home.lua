-- Lets processes of this warehouse alone write; 0 if the caller holds writes no more.
-- keys: lock of the hold, home, claimed; input: token of the lock, id
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[1]) ~= input.token then return 0 end
redis.call('SET', KEYS[2], input.id)
redis.call('DEL', KEYS[3])
return 1
