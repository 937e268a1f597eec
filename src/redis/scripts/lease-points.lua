-- Takes points of one second; gives for each subject how many points all processes had taken before.
-- input: wants (subject and points, one after the other)
local wants, before = cjson.decode(ARGV[1]).wants, {}
for i = 1, #wants, 2 do
  before[#before + 1] = redis.call('HINCRBY', KEYS[1], wants[i], wants[i + 1]) - wants[i + 1]
end
redis.call('EXPIRE', KEYS[1], 5)
return before
