"""What Redis does in one step with a room, as Lua. The keys of a script share a slot.

Instants and lives are in milliseconds; where there is none, an empty string stands for it. A full Redis
refuses a script only up to its first write: that is to be one which needs memory, and no deletion.
"""

from hashlib import sha1
from typing import NamedTuple

from app.rooms.store import KEPT_REQUESTS, KEPT_UPDATES


class Script(NamedTuple):
    """A script and the name under which Redis remembers it."""

    text: str
    digest: str


def make_script(text: str) -> Script:
    """A script with its name."""
    return Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest())


# Gives the keys of a room that long to live, or for ever, and lists it under that.
LIVE = """
local function live(keys, rooms, listed, keep)
    local now = redis.call('TIME')
    for _, key in ipairs(keys) do
        if keep == '' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, keep) end
    end
    local ends = keep == '' and '+inf' or string.format('%.0f', now[1] * 1000 + now[2] / 1000 + keep)
    redis.call('ZADD', rooms, ends, listed)
end
"""

# KEYS: RoomKeys, rooms, loss. ARGV: room, phase, game id, epoch, code, life.
# Answers {loss}, or nil when the code is taken. Takes those off the list whose life has ended.
CREATE = make_script(f"""{LIVE}
local room, updates, log, requests, leases, rooms, loss = unpack(KEYS)
if redis.call('EXISTS', room) == 1 then return false end
redis.call('HSET', room, 'version', 0, 'room', ARGV[1], 'phase', ARGV[2], 'game', ARGV[3], 'epoch', ARGV[4],
    'keep', ARGV[6])
redis.call('DEL', updates, log, requests, leases)
local now = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', rooms, '-inf', string.format('%.0f', now[1] * 1000 + now[2] / 1000))
live({{room}}, rooms, ARGV[2] .. ' ' .. ARGV[5], ARGV[6])
return {{redis.call('GET', loss)}}
""")

# KEYS: room, loss. Answers {room, version, epoch, loss}, or nil without a room.
LOAD = make_script("""
local found = redis.call('HMGET', KEYS[1], 'room', 'version', 'epoch')
if not found[1] then return false end
return {found[1], found[2], found[3], redis.call('GET', KEYS[2])}
""")

# KEYS: RoomKeys, rooms, outbox, timers, timer, loss, channel, GameKeys.
# ARGV: room, phase, game id, code, expected version, request, update, '1' when the game is finished, instant
# of the timer, life, expected epoch, and the events.
# Answers {'done', version, epoch, loss}, {'again', version}, {'conflict', room, version, epoch, loss} or
# {'missing'}.
COMMIT = make_script(f"""{LIVE}
local room, updates, log, requests, leases, rooms, outbox, timers, timer, loss, channel, game_room, game_log
    = unpack(KEYS)
local found = redis.call('HMGET', room, 'version', 'game', 'phase', 'recorded', 'epoch')
local lost = redis.call('GET', loss)
if not found[1] then return {{'missing'}} end
local answered = redis.call('ZSCORE', requests, ARGV[6])
if answered then return {{'again', answered}} end
local is_other_epoch = ARGV[11] ~= '' and found[5] .. '-' .. (lost or '0') ~= ARGV[11]
if found[1] ~= ARGV[5] or is_other_epoch then
    return {{'conflict', redis.call('HGET', room, 'room'), found[1], found[5], lost}}
end

local code, phase, game = ARGV[4], ARGV[2], ARGV[3]
local version = string.format('%d', found[1] + 1)
redis.call('HSET', room, 'version', version, 'room', ARGV[1], 'phase', phase, 'game', game, 'keep', ARGV[10])
redis.call('RPUSH', updates, ARGV[7])
redis.call('LTRIM', updates, -{KEPT_UPDATES}, -1)
redis.call('ZADD', requests, version, ARGV[6])
redis.call('ZREMRANGEBYRANK', requests, 0, -{KEPT_REQUESTS} - 1)
if found[2] ~= game then redis.call('DEL', log) end
for place = 12, #ARGV do redis.call('RPUSH', log, ARGV[place]) end

local listed, is_waiting = code .. ' ' .. game, false
if phase == 'finished' or ARGV[8] == '1' then
    is_waiting = redis.call('ZSCORE', outbox, listed)
    if ARGV[8] == '1' and not is_waiting and found[4] ~= game then
        local now = redis.call('TIME')
        is_waiting = true
        redis.call('ZADD', outbox, string.format('%.0f', now[1] * 1000000 + now[2]), listed)
        redis.call('SET', game_room, ARGV[1])
        redis.call('COPY', log, game_log, 'REPLACE')
    end
end

local due = ARGV[9]
local set = redis.call('HGET', timer, code)
if due == '' then
    if set then redis.call('HDEL', timer, code); redis.call('ZREM', timers, code) end
elseif not set or string.match(set, '^%d+') ~= due then
    if redis.call('EXISTS', timers) == 0 then redis.call('DEL', timer) end
    redis.call('HSET', timer, code, due .. ' 0')
    redis.call('ZADD', timers, due, code)
end

if found[3] ~= phase then redis.call('ZREM', rooms, found[3] .. ' ' .. code) end
live({{room, updates, log, requests, leases}}, rooms, phase .. ' ' .. code, is_waiting and '' or ARGV[10])
redis.call('SPUBLISH', channel, 'updated ' .. code .. ' ' .. version .. ' ' .. ARGV[7])
return {{'done', version, found[5], lost}}
""")

# KEYS: RoomKeys. ARGV: request. Answers nil without a room, {0} or {1, version}.
ANSWERED = make_script("""
local room, updates, log, requests = unpack(KEYS)
if redis.call('EXISTS', room) == 0 then return false end
local version = redis.call('ZSCORE', requests, ARGV[1])
if version then return {1, version} end
return {0}
""")

# KEYS: RoomKeys. ARGV: version.
# Answers nil without a room, {0} when updates are missing, else {1, update, ...}.
UPDATES_SINCE = make_script("""
local room, updates = unpack(KEYS)
local newest = redis.call('HGET', room, 'version')
if not newest then return false end
local missing = newest - ARGV[1]
if missing == 0 then return {1} end
if missing < 0 or missing > redis.call('LLEN', updates) then return {0} end
return {1, unpack(redis.call('LRANGE', updates, -missing, -1))}
""")

# KEYS: RoomKeys. Answers nil without a room, else the events.
LOG = make_script("""
local room, updates, log = unpack(KEYS)
if redis.call('EXISTS', room) == 0 then return false end
return redis.call('LRANGE', log, 0, -1)
""")

# KEYS: RoomKeys, rooms, outbox, GameKeys. ARGV: code, game id.
MARK_RECORDED = make_script(f"""{LIVE}
local room, updates, log, requests, leases, rooms, outbox, game_room, game_log = unpack(KEYS)
if redis.call('ZREM', outbox, ARGV[1] .. ' ' .. ARGV[2]) == 0 then return end
redis.call('DEL', game_room, game_log)
local found = redis.call('HMGET', room, 'game', 'phase', 'keep')
if found[1] ~= ARGV[2] then return end
redis.call('HSET', room, 'recorded', ARGV[2])
live({{room, updates, log, requests, leases}}, rooms, found[2] .. ' ' .. ARGV[1], found[3] or '')
""")
