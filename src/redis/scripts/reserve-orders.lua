-- Decides or reserves one push, whose job comes later.
-- @include reserve-push
-- input: see reserve-push.lua
local keys = {stamps = KEYS[1], reservations = KEYS[2], count = KEYS[3], new_locks = KEYS[4]}
return reserve(keys, cjson.decode(ARGV[1]))
