"""What the local store's journal is made of: entries, each a change of one room, and rooms as they are kept.

A room is what `apply` makes of its entries, in their order. Pure.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import Struct, field
from msgspec.msgpack import Decoder, Encoder

from app.rooms.store import KEPT_REQUESTS, KEPT_UPDATES

_T = TypeVar("_T")


class RoomRow(Struct, frozen=True, array_like=True, gc=False):
    """A room's newest state, without the room. `log_from` is the version before its present game began,
    `recorded` the id of its last game that was recorded. Instants are milliseconds since 1970: `due` of its
    timer, `expires_at` the end of its life."""

    code: str
    epoch: str
    version: int
    log_from: int
    recorded: str | None
    due: int | None
    keep_ms: int | None
    expires_at: int | None


class Made(Struct, frozen=True, array_like=True, gc=False, tag=1):
    """A new room, encoded. Nothing is left of one that had its code before."""

    row: RoomRow
    room: bytes


class Stepped(Struct, frozen=True, array_like=True, gc=False, tag=2):
    """One step of a room, which begins, encoded, with the first `same` bytes of what it was before, and ends
    with `rest`. `place` is that in the outbox of the game that it finishes."""

    row: RoomRow
    same: int
    rest: bytes
    request: str
    update: bytes
    events: Sequence[bytes] = ()
    place: int | None = None


class Changed(Struct, frozen=True, array_like=True, gc=False, tag=3):
    """A room's timer or life is another. `recorded_place`: the game at that place has left the outbox."""

    row: RoomRow
    recorded_place: int | None = None


class Forgotten(Struct, frozen=True, array_like=True, gc=False, tag=4):
    """Rooms that are no more."""

    codes: Sequence[str]


class Asked(Struct, frozen=True, array_like=True, gc=False, tag=5):
    """When timers were asked for last; 0 before that."""

    instant: int


Entry = Made | Stepped | Changed | Forgotten | Asked


class KeptGame(Struct, frozen=True, array_like=True):
    """A game in the outbox at its place: its room as it was, and its log."""

    place: int
    room: bytes
    log: list[bytes]


class KeptRoom(Struct, array_like=True):
    """All that is kept of a room: its state, the last requests with the versions of their steps, the last
    updates, its present game's log, and its games in the outbox."""

    row: RoomRow
    room: bytes
    requests: list[tuple[str, int]] = field(default_factory=list)
    updates: list[bytes] = field(default_factory=list)
    log: list[bytes] = field(default_factory=list)
    games: list[KeptGame] = field(default_factory=list)


encode_entries = Encoder().encode
decode_entries = Decoder(list[Entry]).decode
encode_kept = Encoder().encode
decode_kept = Decoder(KeptRoom).decode


def codes_of(entry: Entry) -> Sequence[str]:
    """The rooms that an entry is of."""
    if isinstance(entry, Asked):
        return ()
    return entry.codes if isinstance(entry, Forgotten) else (entry.row.code,)


def apply(rooms: dict[str, KeptRoom], entry: Entry, *, skipped: Iterable[str] = ()) -> None:
    """Change the rooms as the entry says, but those that are to be skipped."""
    for code in codes_of(entry):
        if code not in skipped:
            _apply(rooms, code, entry)


def _apply(rooms: dict[str, KeptRoom], code: str, entry: Entry) -> None:
    kept = rooms.get(code)
    if isinstance(entry, Made):
        rooms[code] = KeptRoom(entry.row, entry.room)
    elif kept is None:
        return  # it is forgotten later on, and what was kept of it is gone already
    elif isinstance(entry, Stepped):
        _step(kept, entry)
    elif isinstance(entry, Changed):
        kept.row = entry.row
        kept.games = [game for game in kept.games if game.place != entry.recorded_place]
    elif isinstance(entry, Forgotten):
        del rooms[code]


def _step(kept: KeptRoom, step: Stepped) -> None:
    if step.row.version != kept.row.version + 1:
        raise ValueError(f"room {step.row.code} has no step before version {step.row.version}")
    if step.row.log_from != kept.row.log_from:
        kept.log = []
    kept.row = step.row
    kept.room = kept.room[: step.same] + step.rest
    kept.log.extend(step.events)
    _add(kept.requests, (step.request, step.row.version), KEPT_REQUESTS)
    _add(kept.updates, step.update, KEPT_UPDATES)
    if step.place is not None:
        kept.games.append(KeptGame(step.place, kept.room, list(kept.log)))


def _add(items: list[_T], item: _T, kept: int) -> None:
    """Add to the last so many, and a few before them."""
    items.append(item)
    if len(items) > 2 * kept:
        del items[:-kept]
