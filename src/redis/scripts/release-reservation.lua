-- Forgets what a push holds, unless its job exists. From then on an id that is not here may be in the warehouse.
-- input: batch, now (milliseconds)
local input = cjson.decode(ARGV[1])
local set, reservation, count = KEYS[1], KEYS[2], KEYS[3]
local text = redis.call('GET', reservation)
if not text then
  redis.call('ZREM', set, input.batch)
  return 1
end
local lines = {}
for line in string.gmatch(text, '[^\n]+') do lines[#lines + 1] = line end
local mark, shop, job = ':' .. lines[1], lines[2], lines[3]
if redis.call('EXISTS', job) == 1 then
  redis.call('ZADD', set, input.now, input.batch)
  return 0
end
local versions = 'versions:{' .. shop .. '}'
redis.call('HDEL', 'source:{' .. shop .. '}', 'complete')
for i = 4, #lines do
  local value, others = redis.call('HGET', versions, lines[i]), {}
  for entry in string.gmatch(value or '', '[^,]+') do
    if string.sub(entry, -#mark) ~= mark then others[#others + 1] = entry end
  end
  if #others > 0 then redis.call('HSET', versions, lines[i], table.concat(others, ','))
  elseif value then redis.call('HDEL', versions, lines[i]) end
end
redis.call('DEL', reservation)
redis.call('ZREM', set, input.batch)
redis.call('DECRBY', count, #lines - 3)
return 1
