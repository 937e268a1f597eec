-- Adds names up to the bound; gives the indexes of those that were refused, false where the set must be filled first.
-- The empty name says that a set was filled from the warehouse, even if the shop had no names there.
-- input: is_dry_run, max, names, life (seconds)
local input = cjson.decode(ARGV[1])
if redis.call('SISMEMBER', KEYS[1], '') == 0 then return false end
local count, refused = redis.call('SCARD', KEYS[1]) - 1, {}
for i, name in ipairs(input.names) do
  if redis.call('SISMEMBER', KEYS[1], name) == 0 then
    if count >= input.max then
      refused[#refused + 1] = i - 1
    else
      count = count + 1
      if not input.is_dry_run then redis.call('SADD', KEYS[1], name) end
    end
  end
end
redis.call('EXPIRE', KEYS[1], input.life)
return refused
