"""Rooms and commits to put into a store."""

from collections.abc import Sequence

from app.rooms.room import Phase, Room, Seat
from app.rooms.store import Commit, FinishedGame, RoomStore, Stored
from app.rules.game import start
from app.rules.presets import CLASSIC_5X4
from tests.values import replace

CODE = "KOCKA"


def make_room(code: str = CODE, *, game_id: str = "game-1") -> Room:
    """A room of two with a game under way."""
    seats = tuple(Seat(player, player.title(), f"text of {player}", ready=True) for player in ("ana", "žak"))
    return Room(
        code=code,
        phase=Phase.PLAYING,
        host="ana",
        variant=CLASSIC_5X4,
        max_seats=2,
        seats=seats,
        game_id=game_id,
        secret=b"\x00\xff" * 16,
        created_at=1_700_000_000_000,
        started_at=1_700_000_001_000,
        game=start(CLASSIC_5X4, 2),
    )


def make_lobby(code: str = CODE) -> Room:
    """A room whose game hasn't begun."""
    return replace(make_room(code), phase=Phase.LOBBY, started_at=None, game=None)


def next_commit(
    stored: Stored,
    request: str = "",
    events: Sequence[bytes] = (),
    *,
    game_id: str = "",
    ends: bool = False,
    due: int | None = None,
    keep_ms: int | None = None,
    epoch: str = "",
) -> Commit:
    """A step on that state, by a request of its own: the room changes, the update names its version.

    `game_id` begins another game, `ends` finishes the present one.
    """
    version = stored.version + 1
    request = request or f"request {version}"
    phase = Phase.FINISHED if ends else Phase.PLAYING
    game_id = game_id or stored.room.game_id
    return Commit(
        room=replace(stored.room, host=f"host {version}", phase=phase, game_id=game_id),
        expected_version=stored.version,
        request=request,
        update=update_of(version, request),
        events=events,
        is_finished=ends,
        due=due,
        keep_ms=keep_ms,
        epoch=epoch,
    )


def after(stored: Stored, commit: Commit) -> Stored:
    """What the store holds once the commit is made."""
    return Stored(commit.room, commit.expected_version + 1, stored.epoch)


def update_of(version: int, request: str) -> bytes:
    """The update of a step, with spaces, a line break and bytes of every kind in it."""
    return b"updated %d\n by  %s \x00\xff" % (version, request.encode())


async def advance(store: RoomStore, stored: Stored, steps: int) -> Stored:
    """Make so many steps, one after another."""
    for _ in range(steps):
        commit = next_commit(stored)
        await store.commit(commit)
        stored = after(stored, commit)
    return stored


def game_of(code: str) -> FinishedGame:
    """The game of a room that `finish` made."""
    return FinishedGame(code, "game-1")


async def finish(store: RoomStore, code: str, *, keep_ms: int | None = None) -> Stored:
    """A new room whose game is over at once."""
    stored = await store.create(make_room(code))
    commit = next_commit(stored, events=[b"all of " + code.encode()], ends=True, keep_ms=keep_ms)
    await store.commit(commit)
    return after(stored, commit)
