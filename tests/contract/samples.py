"""Rooms and commits to put into a store."""

from dataclasses import replace

from app.rooms.room import Phase, Room, Seat
from app.rooms.store import Commit, Stored
from app.rules.game import start
from app.rules.presets import CLASSIC_5X4

CODE = "KOCKA"


def make_room(code: str = CODE, *, game_id: str = "game-1", host: str = "ana") -> Room:
    """A room of two with a game under way."""
    seats = tuple(Seat(player, player.title(), f"text of {player}", ready=True) for player in ("ana", "bo"))
    return Room(
        code=code,
        phase=Phase.PLAYING,
        host=host,
        variant=CLASSIC_5X4,
        max_seats=2,
        seats=seats,
        game_id=game_id,
        secret=b"\x00\xff" * 16,
        created_at=1_700_000_000_000,
        started_at=1_700_000_001_000,
        game=start(CLASSIC_5X4, 2),
    )


def next_commit(stored: Stored, request: str, *events: bytes, is_finished: bool = False) -> Commit:
    """A step on that state: the room changes, the update names its version and what asked for it."""
    version = stored.version + 1
    room = replace(
        stored.room, host=f"host {version}", phase=Phase.FINISHED if is_finished else Phase.PLAYING
    )
    return Commit(
        room=room,
        expected_version=stored.version,
        request=request,
        update=update_of(version, request),
        events=events,
        is_finished=is_finished,
    )


def after(stored: Stored, commit: Commit) -> Stored:
    """What the store holds once the commit is made."""
    return Stored(commit.room, commit.expected_version + 1, stored.epoch)


def update_of(version: int, request: str) -> bytes:
    """The update of a step, with a space, a line break and bytes of every kind in it."""
    return b'{"version": %d,\n "by": "%s \xc5\xbd"}' % (version, request.encode())
