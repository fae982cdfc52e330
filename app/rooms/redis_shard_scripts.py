"""What Redis does in one step with all rooms of a shard, or with a room's leases, as Lua."""

from app.rooms.redis_scripts import LIVE, make_script

# KEYS: timers, timer. ARGV: now, limit, outage.
# Answers {earliest, code, look at, ...}: when to look at the earliest, and timers to take; {} without any.
# Notes when it was asked, twice a second at the most, and what timers slept through when that was long ago.
LOOK_AT_TIMERS = make_script("""
local timers, timer = unpack(KEYS)
if redis.call('EXISTS', timers) == 0 then return {} end
local now = tonumber(ARGV[1])
local asked = tonumber(redis.call('HGET', timer, '') or 0)
if asked > 0 and now - asked > tonumber(ARGV[3]) then
    local all = redis.call('HGETALL', timer)
    for place = 1, #all, 2 do
        local due, outage = string.match(all[place + 1], '^(%d+) (%d+)$')
        if due and tonumber(due) > asked then
            redis.call('HSET', timer, all[place], string.format('%s %.0f', due, outage + now - asked))
            redis.call('ZADD', timers, math.min(due, now), all[place])
        end
    end
end
if now - asked >= 500 then redis.call('HSET', timer, '', ARGV[1]) end
local earliest = redis.call('ZRANGE', timers, 0, 0, 'WITHSCORES')[2]
if tonumber(earliest) > now then return {earliest} end
return {earliest, unpack(redis.call('ZRANGEBYSCORE', timers, '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[2]))}
""")

# KEYS: timers, timer. ARGV: now, how long they are handed out, codes.
# Answers {code, 'due_at outage_ms', ...} of those that nobody else has taken.
TAKE_TIMERS = make_script("""
local timers, timer = unpack(KEYS)
local taken = {}
for place = 3, #ARGV do
    local look_at = redis.call('ZSCORE', timers, ARGV[place])
    if look_at and tonumber(look_at) <= tonumber(ARGV[1]) then
        redis.call('ZADD', timers, string.format('%.0f', ARGV[1] + ARGV[2]), ARGV[place])
        table.insert(taken, ARGV[place])
        table.insert(taken, redis.call('HGET', timer, ARGV[place]))
    end
end
return taken
""")

# KEYS: timers, timer. ARGV: code, due at.
DROP_TIMER = make_script("""
local timers, timer = unpack(KEYS)
local set = redis.call('HGET', timer, ARGV[1])
if set and string.match(set, '^%d+') == ARGV[2] then
    redis.call('HDEL', timer, ARGV[1])
    redis.call('ZREM', timers, ARGV[1])
end
""")

# KEYS: outbox, old outbox, any key of the shard. ARGV: limit. Answers {'code game', finished at, ...}.
# What an earlier version put into the old outbox, under the room's code alone, is moved first.
OLDEST = make_script("""
local outbox, old, loss = unpack(KEYS)
if redis.call('EXISTS', old) == 1 then
    local tag = string.match(loss, '^(.*):[^:]*$')
    local codes = redis.call('ZRANGE', old, 0, -1, 'WITHSCORES')
    for place = 1, #codes, 2 do
        local code = codes[place]
        local found = redis.call('HMGET', tag .. ':room:' .. code, 'room', 'game')
        if found[1] then
            local name = code .. ':' .. found[2]
            redis.call('SET', tag .. ':finished:' .. name, found[1])
            redis.call('COPY', tag .. ':log:' .. code, tag .. ':finished-log:' .. name)
            redis.call('ZADD', outbox, codes[place + 1], code .. ' ' .. found[2])
        end
    end
    redis.call('DEL', old)
end
return redis.call('ZRANGE', outbox, 0, ARGV[1] - 1, 'WITHSCORES')
""")

# KEYS: rooms. Answers {phase, number, ...}.
CENSUS = make_script("""
local now = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now[1] * 1000 + now[2] / 1000))
local counted, answer = {}, {}
for _, listed in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local phase = string.match(listed, '^%a+')
    counted[phase] = (counted[phase] or 0) + 1
end
for phase, number in pairs(counted) do
    table.insert(answer, phase)
    table.insert(answer, number)
end
return answer
""")

# Keeps the leases that are alive, and the last of each of the players who left last: as app/rooms/leases.py.
_KEEP_LEASES = """
local function keep_leases(leases, now, kept_players)
    local ended, kept, players = {}, {}, 0
    local all = redis.call('HGETALL', leases)
    for place = 1, #all, 2 do
        local ends, player = string.match(all[place + 1], '^(%d+) %d (.*)$')
        if tonumber(ends) <= now then
            table.insert(ended, {connection = all[place], ends = tonumber(ends), player = player})
        end
    end
    table.sort(ended, function(one, other) return one.ends > other.ends end)
    for _, lease in ipairs(ended) do
        if kept[lease.player] or players >= kept_players then
            redis.call('HDEL', leases, lease.connection)
        else
            kept[lease.player] = true
            players = players + 1
        end
    end
end
"""

# KEYS: RoomKeys, rooms. ARGV: code, now, players to keep, then connection and 'until away player'
# of each lease.
RENEW = make_script(f"""{LIVE}{_KEEP_LEASES}
local room, updates, log, requests, leases, rooms = unpack(KEYS)
local found = redis.call('HMGET', room, 'phase', 'keep')
if not found[1] then return end
local new = 0
for place = 4, #ARGV, 2 do new = new + redis.call('HSET', leases, ARGV[place], ARGV[place + 1]) end
if new > 0 then keep_leases(leases, tonumber(ARGV[2]), tonumber(ARGV[3])) end
if found[1] == 'lobby' and found[2] and found[2] ~= '' then
    live({{room, updates, log, requests, leases}}, rooms, 'lobby ' .. ARGV[1], found[2])
else
    local left = redis.call('PTTL', room)
    if left >= 0 then redis.call('PEXPIRE', leases, left) end
end
""")

# KEYS: leases. ARGV: connection, now, players to keep.
RELEASE = make_script(f"""{_KEEP_LEASES}
local ends, rest = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (.*)$')
if ends and tonumber(ends) > tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. rest)
    keep_leases(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
end
""")
