-- Compares the versions of a push with those that are known, and reserves what is accepted, in one atomic step.
-- @include take-stamps
-- @include note-push
-- keys: stamps, reservations, count, new_locks
-- input: is_dry_run, revision, now (milliseconds), batch, shop, job,
--        ids (of the orders, in the order of the push), updated_at (their versions, texts of microseconds),
--        looked_up (what the warehouse holds: a version, -1 for nothing, -2 where it did not answer, '?' where it was not asked; empty: it
--        was not asked),
--        mark (of the push), is_distinct (no id comes twice), stamps (of an order), max_entries, life (of the receipt, milliseconds)
-- Outcomes, of each order: `s` is superseded, all else accepted: `n` as new, `k` as one that is known, `a` where neither is sure.
-- The items come as arrays in JSON, which Redis reads in C: hundreds of arguments, or splitting texts, cost it more.
local function reserve(keys, input)
  local versions, source = 'versions:{' .. input.shop .. '}', 'source:{' .. input.shop .. '}'
  local ids, updated_at, looked_up = input.ids, input.updated_at, input.looked_up
  local n = #ids
  if n == 0 then return {'reserved', '', '0', '0'} end

  if redis.call('HGET', source, 'revision') ~= input.revision then return {'source_changed'} end
  -- An order that is not here may be in the warehouse with a version up to this one: a later version is accepted whatever is there.
  local known_from = tonumber(redis.call('HGET', source, 'known_from') or '1000000000000000000')
  local stored = redis.call('HMGET', versions, unpack(ids))

  local misses = {'unknown'}
  for i = 1, n do
    if not stored[i] and (looked_up[i] or '?') == '?' and tonumber(updated_at[i]) < known_from then
      misses[#misses + 1] = i - 1
    end
  end
  if #misses > 1 then return misses end

  local function entry_of(i) return updated_at[i] .. ':' .. input.mark end

  -- Of an order that is not here: all of the shop's orders are where none was forgotten.
  local function word_of(looked)
    local found = tonumber(looked)
    if found and found >= 0 then return 'k' end
    return (found == -1 or known_from == 0) and 'n' or 'a'
  end

  -- Of the entries of an order, newest first, those that stay next to a new one.
  local function kept(entries)
    local all = {}
    for entry in string.gmatch(entries, '[^,]+') do
      if #all < input.max_entries - 1 then all[#all + 1] = entry end
    end
    return table.concat(all, ',')
  end

  -- A push of new orders, as every import is, goes without a comparison of each of them.
  local is_all_new = input.is_distinct and #looked_up == 0
  for i = 1, n do
    if stored[i] then is_all_new = false break end
  end

  local accepted, writes, outcomes = {}, {}, {}
  if is_all_new then
    accepted = ids
    local word = word_of('?')
    for i = 1, n do
      writes[2 * i - 1], writes[2 * i], outcomes[i] = ids[i], entry_of(i), word
    end
  else
    local newest = {}
    for i = 1, n do
      local id, updated = ids[i], tonumber(updated_at[i])
      local known, word = newest[id], 'k'
      if not known then
        known = tonumber(looked_up[i]) or -1
        if stored[i] then known = math.max(known, tonumber(string.match(stored[i], '^%d+')))
        else word = word_of(looked_up[i]) end
      end
      newest[id] = math.max(known, updated)
      outcomes[i] = updated < known and 's' or word
      if updated >= known then
        accepted[#accepted + 1] = id
        writes[#writes + 1] = id
        writes[#writes + 1] = entry_of(i) .. (stored[i] and ',' .. kept(stored[i]) or '')
      end
    end
  end
  local result = table.concat(outcomes)
  if input.is_dry_run or #accepted == 0 then return {'reserved', result, '0', '0'} end

  local first = take_stamps(keys.stamps, input.stamps * n)
  local stamp = string.format('%.0f', first)
  redis.call('HSET', versions, unpack(writes))
  redis.call('SET', 'reservation:' .. input.batch, input.mark .. '\n' .. input.shop .. '\n' .. input.job .. '\n' .. table.concat(accepted, '\n'))
  redis.call('ZADD', keys.reservations, input.now, input.batch)
  note_push(input.shop, input.batch, input.job, first, input.life)
  redis.call('INCRBY', keys.count, #accepted)
  local locked = redis.call('HSETNX', source, 'locked_at', input.now)
  if locked == 1 then redis.call('SADD', keys.new_locks, input.shop) end
  return {'reserved', result, stamp, tostring(locked)}
end
