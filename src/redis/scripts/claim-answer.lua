-- Gives the stored answer or the right to compute it, in one step, so that only one process computes. An answer that has longer
-- to live than any gets was stored before the clock of Redis was put back.
-- input: token, lock (milliseconds), max_life (milliseconds)
local input = cjson.decode(ARGV[1])
local known = redis.call('GET', KEYS[1])
if known and redis.call('PTTL', KEYS[1]) <= input.max_life then return known end
if redis.call('SET', KEYS[2], input.token, 'NX', 'PX', input.lock) then return 'compute' end
return 'wait'
