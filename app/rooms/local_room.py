"""A room as the local store keeps it in memory, and how it is read back from the rows of the journal."""

import asyncio
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from itertools import islice

from app.rooms.codec import decode_room, encode_room
from app.rooms.journal import Found
from app.rooms.journal_rows import Entry, EventRow, RoomRow, step_row
from app.rooms.room import Phase
from app.rooms.store import KEPT_REQUESTS, KEPT_UPDATES, Commit, Stored


@dataclass(frozen=True, slots=True)
class Head:
    """A room's newest state. `log_from`, `finished` and `recorded_at` as in RoomRow."""

    stored: Stored
    log_from: int = 0
    finished: int | None = None
    recorded_at: int | None = None

    def after(self, commit: Commit, place: int) -> "Head":
        """The head that the commit makes; `place` is the next one in the outbox."""
        before = self.stored
        is_next_game = commit.room.game_id != before.room.game_id
        return Head(
            Stored(commit.room, before.version + 1, before.epoch),
            log_from=before.version if is_next_game else self.log_from,
            finished=self.finished or (place if commit.is_finished else None),
            recorded_at=self.recorded_at if commit.room.phase is Phase.FINISHED else None,
        )

    def recorded(self, now: int) -> "Head":
        """The head once its game is in the books. A room that plays on isn't counted as done."""
        is_done = self.stored.room.phase is Phase.FINISHED
        return Head(self.stored, log_from=self.log_from, recorded_at=now if is_done else None)

    def row(self) -> RoomRow:
        """The row that is written of it."""
        stored, encoded = self.stored, encode_room(self.stored.room)
        tail = (self.log_from, self.finished, self.recorded_at, encoded)
        return RoomRow(stored.room.code, stored.epoch, stored.version, *tail)


@dataclass(slots=True)
class LocalRoom:
    """A room in memory: its head and what the port asks to keep. `writing` is a write of it under way."""

    head: Head
    updates: deque[bytes] = field(default_factory=lambda: deque(maxlen=KEPT_UPDATES))
    versions: OrderedDict[str, int] = field(default_factory=OrderedDict)
    log: list[bytes] = field(default_factory=list)
    writing: asyncio.Future[None] | None = None

    def advance(self, head: Head, commit: Commit) -> None:
        """Take the step that the disk has now."""
        if head.log_from != self.head.log_from:
            self.log.clear()
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


def step_entry(head: Head, commit: Commit) -> Entry:
    """What the journal writes of a commit."""
    code, version = commit.room.code, head.stored.version
    events = [EventRow(code, version, place, event) for place, event in enumerate(commit.events)]
    return Entry(head.row(), step_row(code, version, commit.request, commit.update), events)


def rooms_from(found: Found) -> dict[str, LocalRoom]:
    """The rooms of a journal by code, those in the outbox in its order."""
    rooms = {row.code: LocalRoom(_head(row)) for row in found.rooms}
    for step in found.steps:
        rooms[step.code].answer(step.request, step.version, step.message)
    for event in found.events:
        rooms[event.code].log.append(event.event)
    return rooms


def _head(row: RoomRow) -> Head:
    stored = Stored(decode_room(row.room), row.version, row.epoch)
    return Head(stored, row.log_from, row.finished, row.recorded_at)
