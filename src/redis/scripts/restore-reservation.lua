-- Restores a reservation next to newer ones, with the newest version first.
-- input: batch, text, now (milliseconds), orders (a number), versions (id and entry, one after the other), max_entries
local input = cjson.decode(ARGV[1])
local versions, reservations, reservation, count = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if redis.call('EXISTS', reservation) == 1 then return 0 end
local function updated(entry) return tonumber(string.match(entry, '^%d+')) end
for i = 1, #input.versions, 2 do
  local id, entries = input.versions[i], {input.versions[i + 1]}
  for entry in string.gmatch(redis.call('HGET', versions, id) or '', '[^,]+') do entries[#entries + 1] = entry end
  table.sort(entries, function(a, b) return updated(a) > updated(b) end)
  redis.call('HSET', versions, id, table.concat(entries, ',', 1, math.min(#entries, input.max_entries)))
end
redis.call('SET', reservation, input.text)
redis.call('ZADD', reservations, input.now, input.batch)
redis.call('INCRBY', count, input.orders)
return 1
