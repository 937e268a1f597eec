-- Takes points of one window of time; gives for each subject how many points all processes had taken before.
-- input: wants (subject and points, one after the other), life (seconds)
local input, before = cjson.decode(ARGV[1]), {}
local wants = input.wants
for i = 1, #wants, 2 do
  before[#before + 1] = redis.call('HINCRBY', KEYS[1], wants[i], wants[i + 1]) - wants[i + 1]
end
redis.call('EXPIRE', KEYS[1], input.life)
return before
