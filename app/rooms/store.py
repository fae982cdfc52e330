"""The port to where rooms live. The store is the truth; what it publishes is a hint.

A room changes only by `commit`: one atomic, versioned, idempotent step. Adapters: local_store, redis_store.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from app.rooms.room import Phase, Room


class Stored(Struct, frozen=True):
    """A room as the store holds it. `version` counts commits from 0 (the creation); `epoch` changes only when
    the store lost data, and then permits a lower version."""

    room: Room
    version: int
    epoch: str


class Commit(Struct, frozen=True):
    """One step of a room.

    `update` is the wire message of this step, encoded once; it names the version `expected_version + 1`.
    `events` are the game's events of this step, encoded one by one as JSON, appended to the game's log.
    `request` is unique for the room (player and request id).
    `is_finished` adds the room's game to the outbox in the same step, as it then is; a game that has been in
    it before is not added again.
    `due` sets the room's timer to that instant (milliseconds since 1970), None clears it.
    `keep_ms` is how long the room lives without another step, None for ever.
    `epoch` is the one that is expected, when it is said: after a loss of data a version may come again.
    """

    room: Room
    expected_version: int
    request: str
    update: bytes
    events: Sequence[bytes] = ()
    is_finished: bool = False
    due: int | None = None
    keep_ms: int | None = None
    epoch: str = ""


class Committed(Struct, frozen=True):
    """The step's version. `is_duplicate`: the request had been committed before, nothing changed now."""

    version: int
    is_duplicate: bool = False


class DueRoom(Struct, frozen=True):
    """A room whose timer is to fire. `due_at` is the instant that was set, in milliseconds since 1970.

    `outage_ms`: for so long no worker could ask for timers, while this one ran. The room is handed out for
    this, due or not, until a step sets another timer.
    """

    code: str
    due_at: int
    outage_ms: int = 0


class FinishedGame(Struct, frozen=True, order=True):
    """A game in the outbox."""

    code: str
    game_id: str


class Lease(Struct, frozen=True):
    """A player's connection to a room, said to be alive."""

    code: str
    player: str
    connection: str
    is_away: bool


class SeenLease(Struct, frozen=True):
    """A connection as the store knows it. It is, or was, alive until that instant (ms since 1970)."""

    player: str
    connection: str
    is_away: bool
    until: int


class StoreError(Exception):
    """Root of what a store raises.

    StoreError
    ├── RoomNotFound        no room has that code
    ├── RoomExists          the code of a new room is taken
    ├── Conflict            another step came first; carries the newest state
    └── StoreUnavailable    the store didn't answer in time; the step may or may not have been made
        └── StoreAway       it can't be reached, or is starting
    """


class RoomNotFound(StoreError):
    """No room has that code."""


class RoomExists(StoreError):
    """The code of a new room is taken."""


class Conflict(StoreError):
    """The room has another version than expected. Nothing changed."""

    def __init__(self, stored: Stored) -> None:
        super().__init__(f"room {stored.room.code} is at version {stored.version}")
        self.stored = stored


class StoreUnavailable(StoreError):
    """The store didn't answer in time."""


class StoreAway(StoreUnavailable):
    """The store can't be reached, or is starting: it may well be there soon."""


class Watcher(Protocol):
    """Who is told of what happens in rooms, by every adapter in the order of versions."""

    def updated(self, code: str, version: int, update: bytes) -> None:
        """A commit of a watched room, made by whichever worker."""

    def relayed(self, code: str, message: bytes) -> None:
        """A passing message of a watched room (`relay`)."""

    def resynced(self) -> None:
        """Updates may have been missed: ask `updates_since` for every watched room."""


class RoomStore(Protocol):
    """Where rooms live. Every method raises StoreUnavailable when the store doesn't answer."""

    async def open(self, watcher: Watcher) -> None:
        """Connect, recover what was stored, begin to tell `watcher`. Called once, first."""

    async def close(self) -> None:
        """Finish what was begun and disconnect. Called once, last."""

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        """A new room at version 0, which lives so long without a step. Raises RoomExists."""

    async def load(self, code: str) -> Stored:
        """The room's newest state. Raises RoomNotFound."""

    async def recent(self, code: str) -> Stored:
        """The room as this store saw it last. A step decided on it is safe, since `commit` checks; what is
        refused on it may be possible on what `load` gives. Raises RoomNotFound."""

    async def commit(self, commit: Commit) -> Committed:
        """One atomic step: a request seen before gives its stored answer; else version and epoch must be
        as expected (raises Conflict); else state, update, events, answer, timer, life and outbox are written,
        and the update published. Raises RoomNotFound."""

    async def answered(self, code: str, request: str) -> Committed | None:
        """The stored answer to a request, a duplicate; None when no step of the last 256 was by it. Raises
        RoomNotFound."""

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        """(version, update) of every step after `version`, oldest first; None when the store no longer keeps
        them all (it keeps the last 128). Raises RoomNotFound."""

    async def log(self, code: str) -> list[bytes]:
        """The events of the room's present game, oldest first, as committed. Raises RoomNotFound."""

    async def relay(self, code: str, message: bytes) -> None:
        """Tell every watcher of the room, now, without a version. May get lost."""

    def watch(self, code: str) -> None:
        """Begin to be told of a room."""

    def unwatch(self, code: str) -> None:
        """No longer be told of a room."""

    async def due(self, now: int, limit: int) -> list[DueRoom]:
        """Rooms whose timer is due: at most `limit`, those that wait longest, in the order of their instants.
        Each is handed out for 2 s to nobody else.

        A timer stays until a step sets or clears it, or `drop_timer`. When nobody has asked for more than 2 s
        (the store was away, or every worker), all rooms whose timers then ran come with `outage_ms`.
        """

    async def drop_timer(self, code: str, due_at: int) -> None:
        """Forget a timer of a room that is gone or has nothing to fire. One set since then stays."""

    async def unrecorded(self, limit: int) -> list[FinishedGame]:
        """Games that are finished and not recorded yet, oldest first."""

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        """A game in the outbox: its room as it was when it finished, and the game's log. Raises RoomNotFound
        when it isn't there (any more)."""

    async def mark_recorded(self, code: str, game_id: str) -> None:
        """The game is in the books: take it out of the outbox. Doing it twice is as once."""

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        """These connections are alive, for 30 s. A lobby lives on as if it had been made now. Those of rooms
        that are gone are passed over."""

    async def release(self, code: str, connection: str, now: int) -> None:
        """This connection has ended. Twice, or without a lease, is as once."""

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        """The leases of each room that has any: those alive now, and of every player the last that ended (of
        the last 64 players). Kept in memory alone: they may get lost with the store's process."""

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        """(epoch, version) of each room, None for one that is gone."""

    async def census(self) -> dict[Phase, int]:
        """How many rooms there are in each phase."""

    async def ping(self) -> None:
        """Return when the store answers, and takes what is written: a full one doesn't."""


KEPT_UPDATES = 128
KEPT_REQUESTS = 256
LEASE_MS = 30_000
FIRING_MS = 2_000  # a room whose timer is due is handed out for so long
OUTAGE_MS = 2_000  # a shorter silence isn't worth anybody's attention
MakeStore = Callable[[], RoomStore]
