-- Stores a key's record unless a newer one is there, so that a look-up which began before a revocation and ends after it can't
-- undo it. A revoked key stays revoked, whatever the version. Gives the record that is stored then.
-- input: record (text), version, is_revoked
local input = cjson.decode(ARGV[1])
local text = redis.call('GET', KEYS[1])
if text and string.sub(text, 1, 1) == '{' then
  local known = cjson.decode(text)
  local is_newer = (tonumber(known.version) or 0) > tonumber(input.version)
  local is_final = type(known.revokedAt) == 'number' and not input.is_revoked
  if is_newer or is_final then return text end
end
redis.call('SET', KEYS[1], input.record)
return input.record
