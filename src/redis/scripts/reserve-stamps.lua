-- @include take-stamps
-- input: count
local input = cjson.decode(ARGV[1])
return string.format('%.0f', take_stamps(KEYS[1], input.count))
