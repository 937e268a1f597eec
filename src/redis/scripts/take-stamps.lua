-- Takes `n` arrival stamps and gives the first: microseconds of the clock, made strictly increasing.
local function take_stamps(key, n)
  local time = redis.call('TIME')
  local stamp = time[1] * 1000000 + time[2]
  local last = tonumber(redis.call('GET', key) or '0')
  if stamp <= last then stamp = last + 1 end
  redis.call('SET', key, string.format('%.0f', stamp + n - 1))
  return stamp
end
