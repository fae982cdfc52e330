"""What goes into the scripts of Redis and what comes out of them, to and from the words of the port. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from app.rooms.codec import decode_room, encode_room
from app.rooms.redis_keys import SHARD_KEYS, commit_keys, keys_of, shard_of
from app.rooms.redis_line import Call
from app.rooms.redis_wire import Value
from app.rooms.room import Room
from app.rooms.store import Commit, DueRoom, SeenLease, Stored


def create_call(room: Room, epoch: str, keep_ms: int | None) -> Call:
    """As CREATE wants it."""
    shard = shard_of(room.code)
    shared = SHARD_KEYS[shard]
    return Call(
        shard,
        (*keys_of(room.code), shared.rooms, shared.loss),
        (encode_room(room), room.phase.value, room.game_id, epoch, room.code, _or_none(keep_ms)),
    )


def commit_call(commit: Commit) -> Call:
    """As COMMIT wants it."""
    room = commit.room
    arguments = (
        *(encode_room(room), room.phase, room.game_id, room.code),
        *(commit.expected_version, commit.request, commit.update, b"1" if commit.is_finished else b"0"),
        *(_or_none(commit.due), _or_none(commit.keep_ms), commit.epoch),
        *commit.events,
    )
    return Call(shard_of(room.code), commit_keys(room.code, room.game_id), arguments)


def stored(encoded: bytes, version: bytes, epoch: bytes, loss: bytes | None) -> Stored:
    """A room as the scripts tell it."""
    return Stored(decode_room(encoded), int(version), epoch_of(epoch, loss))


def epoch_of(epoch: bytes, loss: bytes | None) -> str:
    """A room's epoch: its own part, and the last possible loss of data in its shard. COMMIT says the same."""
    return f"{epoch.decode()}-{(loss or b'0').decode()}"


def due_room(code: bytes, timer: bytes) -> DueRoom:
    """A timer as TAKE_TIMERS tells it."""
    due_at, outage_ms = timer.split()
    return DueRoom(code.decode(), int(due_at), int(outage_ms))


def lease(connection: bytes, told: bytes) -> SeenLease:
    """A lease as RENEW was told it."""
    until, is_away, player = told.decode().split(" ", 2)
    return SeenLease(player, connection.decode(), is_away == "1", int(until))


def pairs(answer: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """What an answer tells two by two."""
    return zip(answer[::2], answer[1::2], strict=True)


def _or_none(value: int | None) -> Value:
    return b"" if value is None else value
