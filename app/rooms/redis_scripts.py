"""What Redis does in one step, as Lua. Keys come in the order of RoomKeys, so they share a slot."""

from hashlib import sha1
from typing import NamedTuple


class Script(NamedTuple):
    """A script and the name under which Redis remembers it."""

    text: str
    digest: str


def _script(text: str) -> Script:
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


# ARGV: room, phase, game id, epoch. Answers 1, or 0 when the code is taken.
CREATE = _script("""
local room, updates, log, requests = unpack(KEYS)
if redis.call('EXISTS', room) == 1 then return 0 end
redis.call('DEL', updates, log, requests)
redis.call('HSET', room, 'version', 0, 'room', ARGV[1], 'phase', ARGV[2], 'game', ARGV[3], 'epoch', ARGV[4])
return 1
""")

# ARGV: room, phase, game id, code, expected version, request, update, updates to keep, requests to keep,
# '1' when the game is finished, and the events.
# Answers {'done', version}, {'again', version}, {'conflict', room, version, epoch} or {'missing'}.
COMMIT = _script("""
local room, updates, log, requests, unrecorded, channel = unpack(KEYS)
local found = redis.call('HMGET', room, 'version', 'game')
if not found[1] then return {'missing'} end
local answered = redis.call('ZSCORE', requests, ARGV[6])
if answered then return {'again', answered} end
if found[1] ~= ARGV[5] then
    return {'conflict', unpack(redis.call('HMGET', room, 'room', 'version', 'epoch'))}
end

local version = string.format('%d', found[1] + 1)
redis.call('HSET', room, 'version', version, 'room', ARGV[1], 'phase', ARGV[2], 'game', ARGV[3])
redis.call('RPUSH', updates, ARGV[7])
redis.call('LTRIM', updates, -ARGV[8], -1)
redis.call('ZADD', requests, version, ARGV[6])
redis.call('ZREMRANGEBYRANK', requests, 0, -ARGV[9] - 1)
if found[2] ~= ARGV[3] then redis.call('DEL', log) end
for place = 11, #ARGV do redis.call('RPUSH', log, ARGV[place]) end
if ARGV[10] == '1' then
    local now = redis.call('TIME')
    redis.call('ZADD', unrecorded, 'NX', string.format('%.0f', now[1] * 1000000 + now[2]), ARGV[4])
end

local left = redis.call('PTTL', room)
if left >= 0 then
    for _, key in ipairs({room, updates, log, requests}) do
        if ARGV[2] == 'finished' then redis.call('PEXPIRE', key, left) else redis.call('PERSIST', key) end
    end
end
redis.call('SPUBLISH', channel, 'updated ' .. ARGV[4] .. ' ' .. version .. ' ' .. ARGV[7])
return {'done', version}
""")

# ARGV: version. Answers nil without a room, {0} when updates are missing, else {1, update, ...}.
UPDATES_SINCE = _script("""
local room, updates = unpack(KEYS)
local newest = redis.call('HGET', room, 'version')
if not newest then return false end
local missing = newest - ARGV[1]
if missing == 0 then return {1} end
if missing < 0 or missing > redis.call('LLEN', updates) then return {0} end
return {1, unpack(redis.call('LRANGE', updates, -missing, -1))}
""")

# Answers nil without a room, else the events.
LOG = _script("""
local room, updates, log = unpack(KEYS)
if redis.call('EXISTS', room) == 0 then return false end
return redis.call('LRANGE', log, 0, -1)
""")

# ARGV: code, seconds to live for a room that is finished.
MARK_RECORDED = _script("""
local room, updates, log, requests, unrecorded = unpack(KEYS)
if redis.call('ZREM', unrecorded, ARGV[1]) == 0 then return end
if redis.call('HGET', room, 'phase') ~= 'finished' then return end
for _, key in ipairs({room, updates, log, requests}) do redis.call('EXPIRE', key, ARGV[2]) end
""")
