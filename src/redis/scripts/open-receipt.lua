-- @include take-stamps
-- input: shop, life (milliseconds), count (of stamps)
local input = cjson.decode(ARGV[1])
redis.call('SET', KEYS[2], input.shop, 'PX', input.life)
return string.format('%.0f', take_stamps(KEYS[1], input.count))
