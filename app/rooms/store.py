"""The port to where rooms live. The store is the truth; what it publishes is a hint.

A room changes only by `commit`: one atomic, versioned, idempotent step. Adapters: local_store, redis_store.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.rooms.room import Room


@dataclass(frozen=True, slots=True)
class Stored:
    """A room as the store holds it. `version` counts commits from 0 (the creation); `epoch` changes only when
    the store lost data, and then permits a lower version."""

    room: Room
    version: int
    epoch: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One step of a room.

    `update` is the wire message of this step, encoded once; it names the version `expected_version + 1`.
    `events` are the game's events of this step, encoded one by one as JSON, appended to the game's log.
    `request` is unique for the room (player and request id).
    `is_finished` adds the room to the outbox of finished games in the same step.
    """

    room: Room
    expected_version: int
    request: str
    update: bytes
    events: Sequence[bytes] = ()
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class Committed:
    """The step's version. `is_duplicate`: the request had been committed before, nothing changed now."""

    version: int
    is_duplicate: bool = False


class StoreError(Exception):
    """Root of what a store raises.

    StoreError
    ├── RoomNotFound        no room has that code
    ├── RoomExists          the code of a new room is taken
    ├── Conflict            another step came first; carries the newest state
    └── StoreUnavailable    the store didn't answer in time; the step may or may not have been made
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

    async def create(self, room: Room) -> Stored:
        """A new room at version 0. Raises RoomExists."""

    async def load(self, code: str) -> Stored:
        """The room's newest state. Raises RoomNotFound."""

    async def commit(self, commit: Commit) -> Committed:
        """One atomic step: a request seen before gives its stored answer; else the version must be as
        expected (raises Conflict); else state, update, events, answer and outbox are written, and the update
        published. Raises RoomNotFound."""

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

    async def unrecorded(self, limit: int) -> list[str]:
        """Codes of rooms whose finished game isn't recorded yet, oldest first."""

    async def mark_recorded(self, code: str) -> None:
        """The room's finished game is in the books: take it out of the outbox. Doing it twice is as once."""

    async def ping(self) -> None:
        """Return when the store answers."""


KEPT_UPDATES = 128
KEPT_REQUESTS = 256
KEPT_RECORDED_SECONDS = 48 * 3600  # a finished room, after its game was recorded
MakeStore = Callable[[], RoomStore]
