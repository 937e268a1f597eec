-- Forgets what a push holds, unless its job exists. The shop notes the newest version that was forgotten: an order that is not here
-- may be in the warehouse with that version, but with no later one.
-- input: batch, now (milliseconds), is_stored (the rows of the push are in the warehouse)
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
local versions, source = 'versions:{' .. shop .. '}', 'source:{' .. shop .. '}'
local known_from = redis.call('HGET', source, 'known_from')
local newest = tonumber(known_from or '0')
for i = 4, #lines do
  local value, others, is_after = redis.call('HGET', versions, lines[i]), {}, false
  for entry in string.gmatch(value or '', '[^,]+') do
    if string.sub(entry, -#mark) == mark then
      newest = math.max(newest, tonumber(string.match(entry, '^%d+')), 1) -- 0 says that nothing was forgotten
      is_after = true
    elseif not (is_after and input.is_stored) then
      -- An older push than a stored one must not stay as the newest that is known.
      others[#others + 1] = entry
    end
  end
  if #others > 0 then redis.call('HSET', versions, lines[i], table.concat(others, ','))
  elseif value then redis.call('HDEL', versions, lines[i]) end
end
-- Where the field is missing nothing is known, however new.
if known_from then redis.call('HSET', source, 'known_from', string.format('%.0f', newest)) end
redis.call('DEL', reservation)
redis.call('ZREM', set, input.batch)
redis.call('DECRBY', count, #lines - 3)
return 1
