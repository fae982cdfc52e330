"""Where things lie in Redis. A room's keys, and what is listed of it, share a slot, by a logical shard."""

from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

SHARDS = 64  # fixed for good: another number would look for every room in another place


class ShardKeys(NamedTuple):
    """What rooms of a shard share, each by room code.

    `rooms` is when each room ends its life, by phase and code. `outbox` is when a game finished, in
    microseconds, by code and game id; `old_outbox` the same as it was before, by code. `timers` is when to
    hand each out, `timer` what it is set to: `due_at outage_ms`, and under '' when they were asked for last.
    `loss` is the process of Redis that may have lost data last, `server` the one that has it. `probe` is
    written to see whether anything can be.
    """

    rooms: str
    outbox: str
    timers: str
    timer: str
    loss: str
    server: str
    channel: str
    old_outbox: str
    probe: str


class RoomKeys(NamedTuple):
    """What is of one room alone, and lives as long as it does."""

    room: str
    updates: str
    log: str
    requests: str
    leases: str


class GameKeys(NamedTuple):
    """A game in the outbox: its room as it was when it finished, and its log."""

    room: str
    log: str


@lru_cache(maxsize=4096)
def shard_of(code: str) -> int:
    """The shard of a room."""
    return crc32(code.encode()) % SHARDS


@lru_cache(maxsize=4096)
def keys_of(code: str) -> RoomKeys:
    """The keys of a room."""
    tag = _tag(shard_of(code))
    return RoomKeys(
        room=f"{tag}:room:{code}",
        updates=f"{tag}:updates:{code}",
        log=f"{tag}:log:{code}",
        requests=f"{tag}:requests:{code}",
        leases=f"{tag}:leases:{code}",
    )


def game_keys(code: str, game_id: str) -> GameKeys:
    """The keys of a game in the outbox."""
    tag = _tag(shard_of(code))
    return GameKeys(room=f"{tag}:finished:{code}:{game_id}", log=f"{tag}:finished-log:{code}:{game_id}")


@lru_cache(maxsize=4096)
def commit_keys(code: str, game_id: str) -> tuple[bytes, ...]:
    """All that a step of a room may touch, as COMMIT wants it. Kept as bytes, which are packed soonest."""
    shared = SHARD_KEYS[shard_of(code)]
    keys = (
        *keys_of(code),
        *(shared.rooms, shared.outbox, shared.timers, shared.timer, shared.loss, shared.channel),
        *game_keys(code, game_id),
    )
    return tuple([key.encode() for key in keys])


def beat_channel(shard: int, name: str) -> str:
    """A channel beside those of a shard, for one worker alone."""
    return f"{_tag(shard)}:beat:{name}"


def _shard_keys(shard: int) -> ShardKeys:
    tag = _tag(shard)
    return ShardKeys(
        rooms=f"{tag}:rooms",
        outbox=f"{tag}:outbox",
        timers=f"{tag}:timers",
        timer=f"{tag}:timer",
        loss=f"{tag}:loss",
        server=f"{tag}:server",
        channel=f"{tag}:channel",
        old_outbox=f"{tag}:unrecorded",
        probe=f"{tag}:probe",
    )


def _tag(shard: int) -> str:
    return f"yamb:{{s{shard:02}}}"


SHARD_KEYS = tuple(_shard_keys(shard) for shard in range(SHARDS))
