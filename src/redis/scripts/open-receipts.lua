-- @include take-stamps
-- @include note-push
-- input: pushes (shop and batch, one after the other), job, life (milliseconds), count (of stamps)
local input = cjson.decode(ARGV[1])
local stamp = take_stamps(KEYS[1], input.count)
for i = 1, #input.pushes, 2 do note_push(input.pushes[i], input.pushes[i + 1], input.job, stamp, input.life) end
return string.format('%.0f', stamp)
