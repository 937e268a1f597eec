-- Notes a push that is under way, and the job that will carry it. The shop's set has the time of its first stamp.
local function note_push(shop, batch, job, stamp, life)
  local pushes, first = 'pushes:{' .. shop .. '}', string.format('%.0f', stamp)
  redis.call('SET', 'receipt:' .. batch, shop .. '\nqueued\n' .. job, 'PX', life)
  redis.call('ZREMRANGEBYSCORE', pushes, '-inf', string.format('%.0f', stamp - life * 1000))
  redis.call('ZADD', pushes, first, batch)
  redis.call('PEXPIRE', pushes, life)
end
