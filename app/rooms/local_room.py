"""A room as the local store keeps it in memory, and how it is read back from the rows of the journal."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from app.rooms.codec import decode_room, encode_room
from app.rooms.journal import Found
from app.rooms.journal_rows import Entry, EventRow, FinishedRow, RoomRow, step_row
from app.rooms.leases import worth_keeping
from app.rooms.room import Phase, Room
from app.rooms.store import (
    KEPT_REQUESTS,
    KEPT_UPDATES,
    LEASE_MS,
    Commit,
    FinishedGame,
    Lease,
    SeenLease,
    Stored,
)


class Head(Struct, frozen=True):
    """A room's newest state. The rest as in RoomRow."""

    stored: Stored
    log_from: int = 0
    recorded: str | None = None
    due: int | None = None
    keep_ms: int | None = None
    expires_at: int | None = None

    def after(self, commit: Commit, now: int) -> "Head":
        """The head that the commit makes."""
        before = self.stored
        is_next_game = commit.room.game_id != before.room.game_id
        return Head(
            Stored(commit.room, before.version + 1, before.epoch),
            log_from=before.version if is_next_game else self.log_from,
            recorded=self.recorded,
            due=commit.due,
            keep_ms=commit.keep_ms,
            expires_at=_end_of_life(now, commit.keep_ms),
        )

    def living_on(self, now: int) -> "Head":
        """The head with its life begun anew."""
        return replace(self, expires_at=_end_of_life(now, self.keep_ms))

    def without_timer(self) -> "Head":
        """The head with its timer cleared."""
        return replace(self, due=None)

    def with_recorded(self, game_id: str, now: int) -> "Head":
        """The head once the game is in the books. The room's life begins with that, if it plays no other."""
        if game_id != self.stored.room.game_id:
            return self
        return replace(self, recorded=game_id, expires_at=_end_of_life(now, self.keep_ms))

    def row(self) -> RoomRow:
        """The row that is written of it."""
        stored = self.stored
        return RoomRow(
            *(stored.room.code, stored.epoch, stored.version, self.log_from, self.recorded),
            *(self.due, self.keep_ms, self.expires_at, encode_room(stored.room)),
        )


def new_head(room: Room, epoch: str, keep_ms: int | None, now: int) -> Head:
    """The head of a room that is made now."""
    return Head(Stored(room, 0, epoch), keep_ms=keep_ms, expires_at=_end_of_life(now, keep_ms))


class Waiting(Struct, frozen=True):
    """A game in the outbox: its place, its room as it was, its log, and the versions that this log is of."""

    place: int
    room: Room
    log: list[bytes]
    log_from: int
    version: int

    def row(self) -> FinishedRow:
        """The row that is written of it."""
        room = self.room
        return FinishedRow(
            self.place, room.code, room.game_id, self.log_from, self.version, encode_room(room)
        )


@dataclass(slots=True)
class LocalRoom:
    """A room in memory: its head and what the port asks to keep. `writing` is a write of it under way,
    `waiting` are its games in the outbox, by id."""

    head: Head
    updates: deque[bytes] = field(default_factory=lambda: deque(maxlen=KEPT_UPDATES))
    versions: OrderedDict[str, int] = field(default_factory=OrderedDict)
    log: list[bytes] = field(default_factory=list)
    waiting: dict[str, Waiting] = field(default_factory=dict)
    leases: dict[str, SeenLease] = field(default_factory=dict)
    writing: asyncio.Future[None] | None = None

    def advance(self, head: Head, commit: Commit) -> None:
        """Take the step that the disk has now."""
        if head.log_from != self.head.log_from:
            self.log = []  # the old one may be waiting in the outbox
        self.head = head
        self.log.extend(commit.events)
        self.answer(commit.request, head.stored.version, commit.update)

    def answer(self, request: str, version: int, update: bytes) -> None:
        """Keep the answer and the update of a step."""
        self.updates.append(update)
        self.versions[request] = version
        if len(self.versions) > KEPT_REQUESTS:
            self.versions.popitem(last=False)

    def updates_since(self, version: int) -> list[tuple[int, bytes]] | None:
        """As the port says."""
        newest, kept = self.head.stored.version, self.updates
        missing = newest - version
        if not 0 <= missing <= len(kept):
            return None
        return list(enumerate(islice(kept, len(kept) - missing, None), start=version + 1))

    def is_expired(self, now: int) -> bool:
        """Whether nothing keeps it any more."""
        expires_at = self.head.expires_at
        return expires_at is not None and expires_at <= now and not self.waiting and self.writing is None

    def is_expected(self, commit: Commit) -> bool:
        """Whether the commit was decided on the newest state."""
        stored = self.head.stored
        return stored.version == commit.expected_version and commit.epoch in ("", stored.epoch)

    def is_to_live_on(self, now: int) -> bool:
        """Whether it is a lobby that has lived a quarter of its life: not every renewal is written."""
        head = self.head
        if head.stored.room.phase is not Phase.LOBBY or head.keep_ms is None or head.expires_at is None:
            return False
        return self.writing is None and (head.expires_at - now) * 4 <= head.keep_ms * 3

    def has_had(self, game_id: str) -> bool:
        """Whether the game has been in the outbox."""
        return game_id in self.waiting or game_id == self.head.recorded

    def log_wanted_after(self, head: Head, recorded: str = "") -> int:
        """The version after which events are still wanted, with this head and once that game is recorded."""
        waiting = (kept.log_from for game_id, kept in self.waiting.items() if game_id != recorded)
        return min([head.log_from, *waiting])

    def renew(self, lease: Lease, now: int) -> None:
        """Take a lease."""
        is_new = lease.connection not in self.leases
        seen = SeenLease(lease.player, lease.connection, lease.is_away, now + LEASE_MS)
        self.leases[lease.connection] = seen
        if is_new:
            self._keep_leases(now)

    def release(self, connection: str, now: int) -> None:
        """End a lease that is alive."""
        lease = self.leases.get(connection)
        if lease is not None and lease.until > now:
            self.leases[connection] = replace(lease, until=now)
            self._keep_leases(now)

    def _keep_leases(self, now: int) -> None:
        self.leases = {lease.connection: lease for lease in worth_keeping(self.leases.values(), now)}


def step_entry(room: LocalRoom, head: Head, commit: Commit, waiting: Waiting | None) -> Entry:
    """What the journal writes of a commit that makes that head of the room, and adds that to the outbox."""
    code, version = commit.room.code, head.stored.version
    is_next_game = head.log_from != room.head.log_from
    events = [EventRow(code, version, place, event) for place, event in enumerate(commit.events)]
    return Entry(
        head.row(),
        step_row(code, version, commit.request, commit.update),
        events,
        waiting.row() if waiting else None,
        trimmed=(code, room.log_wanted_after(head)) if is_next_game else None,
    )


def recorded_entry(room: LocalRoom, head: Head, game_id: str) -> Entry:
    """What the journal writes of a game in the outbox that is recorded."""
    trimmed = (head.stored.room.code, room.log_wanted_after(head, game_id))
    return Entry(head.row(), recorded=[room.waiting[game_id].place], trimmed=trimmed)


def rooms_from(found: Found) -> dict[str, LocalRoom]:
    """The rooms of a journal by code."""
    rooms = {row.code: LocalRoom(_head(row)) for row in found.rooms}
    for step in found.steps:
        rooms[step.code].answer(step.request, step.version, step.message)
    for row in found.finished:
        waiting = Waiting(row.place, decode_room(row.room), [], row.log_from, row.version)
        rooms[row.code].waiting[row.game_id] = waiting
    for event in found.events:
        for log in _logs_of(rooms[event.code], event.version):
            log.append(event.event)
    return rooms


def outbox_of(rooms: Iterable[LocalRoom]) -> dict[FinishedGame, int]:
    """The places of all games in the outbox, in their order."""
    places = {
        FinishedGame(waiting.room.code, game_id): waiting.place
        for room in rooms
        for game_id, waiting in room.waiting.items()
    }
    return dict(sorted(places.items(), key=lambda item: item[1]))


def _logs_of(room: LocalRoom, version: int) -> Iterable[list[bytes]]:
    """The logs that an event of that version is in."""
    if version > room.head.log_from:
        yield room.log
    for waiting in room.waiting.values():
        if waiting.log_from < version <= waiting.version:
            yield waiting.log


def _head(row: RoomRow) -> Head:
    stored = Stored(decode_room(row.room), row.version, row.epoch)
    return Head(stored, row.log_from, row.recorded, row.due, row.keep_ms, row.expires_at)


def _end_of_life(now: int, keep_ms: int | None) -> int | None:
    return None if keep_ms is None else now + keep_ms
