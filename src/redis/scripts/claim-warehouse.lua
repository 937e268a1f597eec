-- Notes that a process of the warehouse that has the rows may write; 0 if another one has them.
-- keys: home, claimed; input: id
local input = cjson.decode(ARGV[1])
if redis.call('GET', KEYS[1]) ~= input.id then return 0 end
redis.call('SET', KEYS[2], input.id)
return 1
