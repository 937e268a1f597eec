-- Writes the settings unless they would change locked ones; atomic with respect to the reservation that locks.
-- @include take-stamps
-- input: platform, currency, timezone, shop_domain, conversion (absent: unchanged; empty: none), own_hosts (absent: unchanged),
-- convert_spend ('1' or '0'; absent: unchanged), now (milliseconds)
local input = cjson.decode(ARGV[1])
local source = KEYS[1]
local current = redis.call('HMGET', source, 'currency', 'timezone', 'locked_at')
-- A zone that was registered in another case is the same zone.
if current[3] and (current[1] ~= input.currency or string.lower(current[2]) ~= string.lower(input.timezone)) then return 0 end
-- A source that is new has no orders yet, see order-versions.ts.
if redis.call('HSETNX', source, 'registered_at', input.now) == 1 then redis.call('HSET', source, 'known_from', 0) end
redis.call('HSET', source, 'platform', input.platform, 'currency', input.currency, 'timezone', input.timezone,
  'shop_domain', input.shop_domain, 'revision', string.format('%.0f', take_stamps(KEYS[2], 1)))
if input.conversion then redis.call('HSET', source, 'conversion', input.conversion) end
if input.convert_spend then redis.call('HSET', source, 'convert_spend', input.convert_spend) end
if input.own_hosts then redis.call('HSET', source, 'own_hosts', input.own_hosts) end
return 1
