"""Where things lie in Redis. A room's keys, its outbox and its channel share a slot, by a logical shard."""

from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

SHARDS = 64  # fixed for good: another number would look for every room in another place


class RoomKeys(NamedTuple):
    """The keys that the scripts get, in this order."""

    room: str
    updates: str
    log: str
    requests: str
    unrecorded: str
    channel: str


@lru_cache(maxsize=4096)
def keys_of(code: str) -> RoomKeys:
    """The keys of a room."""
    shard = crc32(code.encode()) % SHARDS
    return RoomKeys(
        room=f"{_tag(shard)}:room:{code}",
        updates=f"{_tag(shard)}:updates:{code}",
        log=f"{_tag(shard)}:log:{code}",
        requests=f"{_tag(shard)}:requests:{code}",
        unrecorded=unrecorded_key(shard),
        channel=channel_of(shard),
    )


def unrecorded_key(shard: int) -> str:
    """The outbox of a shard: codes by the microsecond in which their game finished."""
    return f"{_tag(shard)}:unrecorded"


def channel_of(shard: int) -> str:
    """The channel of a shard's rooms."""
    return f"{_tag(shard)}:channel"


def _tag(shard: int) -> str:
    return f"yamb:{{s{shard:02}}}"
