-- Reserves the pushes of a job in their order, and adds the job unless it holds nothing: what is reserved has a job, and the
-- other way round. The job tells its worker what was decided of each push; null: it is none of the job.
-- The caller puts `add_job(keys, args)` before this script, which adds a job whose data are `args[2]`.
-- @include reserve-push
-- input: pushes (each see reserve-push.lua)
local keys = {stamps = KEYS[1], reservations = KEYS[2], count = KEYS[3], new_locks = KEYS[4]}
local replies, decided, is_void = {}, {}, true
for i, push in ipairs(cjson.decode(ARGV[1]).pushes) do
  local reply = reserve(keys, push)
  replies[i], decided[i] = reply, 'null'
  if reply[1] == 'reserved' then
    decided[i], is_void = '["' .. reply[2] .. '",' .. reply[3] .. ']', false
  end
end
if is_void then return replies end
local data = '{"reserved":[' .. table.concat(decided, ',') .. '],' .. string.sub(ARGV[3], 2)
add_job({unpack(KEYS, 5)}, {ARGV[2], data, ARGV[4]})
return replies
