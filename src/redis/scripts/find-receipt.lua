-- Gives the state of a push, and once it and all earlier pushes of its shop are stored, a stamp from after that, which stays the
-- same. An earlier push is one that was taken before this one was stored.
-- @include take-stamps
-- keys: stamps, receipt, pushes of the shop
-- input: shop, is_logged (the push is known to be stored), life (of a stored one), grace (until a push without a job is none);
-- milliseconds
local input = cjson.decode(ARGV[1])
local stamps, receipt, pushes = KEYS[1], KEYS[2], KEYS[3]
local form = '^([^\n]*)\n([a-z]+)\n(.*)$'
local function keep(state, stamp)
  redis.call('SET', receipt, input.shop .. '\n' .. state .. '\n' .. stamp, 'PX', input.life)
end

local text = redis.call('GET', receipt)
if not text and not input.is_logged then return {'unknown'} end
local shop, state, value
if text then shop, state, value = string.match(text, form)
else
  shop, state, value = input.shop, 'stored', string.format('%.0f', take_stamps(stamps, 1))
  keep(state, value)
end
if shop ~= input.shop then return {'foreign'} end
if state ~= 'stored' then return {state, value} end

local time = redis.call('TIME')
local abandoned = time[1] * 1000000 + time[2] - input.grace * 1000
-- Whether a push may still be stored: its job is there, and not among those that failed for good. A job is there before its push is
-- answered. Gives also whether it can be forgotten.
local function look(batch)
  local _, other, job = string.match(redis.call('GET', 'receipt:' .. batch) or '', form)
  if other ~= 'queued' then return false, true end
  if redis.call('EXISTS', job) == 0 then return false, tonumber(redis.call('ZSCORE', pushes, batch)) < abandoned end
  local queue, id = string.match(job, '^(.*):([^:]*)$')
  local is_dead = redis.call('ZSCORE', queue .. ':failed', id)
  return not is_dead, is_dead
end

local skip, most, found = 0, 100, 100
while found == most do
  local page = redis.call('ZRANGEBYSCORE', pushes, '-inf', value, 'LIMIT', skip, most)
  found = #page
  for _, batch in ipairs(page) do
    local is_open, is_over = look(batch)
    if is_open then return {'stored'} end
    if is_over then redis.call('ZREM', pushes, batch) else skip = skip + 1 end
  end
end
local covered = string.format('%.0f', take_stamps(stamps, 1))
keep('covered', covered)
return {'covered', covered}
