-- Stores what was read, unless the settings have changed since or are being changed.
-- input: revision, settings (text), life (milliseconds)
local input = cjson.decode(ARGV[1])
local copy, revision, lock = KEYS[1], KEYS[2], KEYS[3]
if redis.call('EXISTS', lock) == 1 then return 0 end
if (redis.call('GET', revision) or '0') ~= input.revision then return 0 end
redis.call('SET', copy, input.settings, 'PX', input.life)
return 1
