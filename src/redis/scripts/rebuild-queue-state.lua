-- KEYS: shops, tokens, leases, quarantined of a rebuild queue. A token begins with the stamp of its request.
-- input: name, shops (how many are looked at). Gives entries, leased, quarantined, age of the oldest in milliseconds.
local input = cjson.decode(ARGV[1])
local shops, tokens, leases, quarantined = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now, oldest = time[1] * 1000000 + time[2], 0
for _, shop in ipairs(redis.call('ZRANGE', shops, 0, input.shops - 1)) do
  for _, id in ipairs(redis.call('ZRANGE', input.name .. ':of:' .. shop, 0, 0)) do
    local token = redis.call('HGET', tokens, shop .. '\n' .. id)
    local stamp = token and tonumber(string.match(token, '^%d+'))
    if stamp then oldest = math.max(oldest, now - stamp) end
  end
end
return {
  redis.call('HLEN', tokens), redis.call('ZCARD', leases), redis.call('ZCARD', quarantined), math.floor(oldest / 1000)
}
