"""All rooms of one process in memory, with what is listed of them: timers, lives, the outbox. No I/O."""

from collections import Counter
from dataclasses import dataclass, field

from msgspec.structs import replace

from app.rooms.journal_file import Found
from app.rooms.local_expiry import Expiry
from app.rooms.local_room import Head, LocalRoom, Waiting, outbox_of, room_from
from app.rooms.local_timers import Timers
from app.rooms.room import Phase
from app.rooms.store import Commit, FinishedGame

_LOOK_AGAIN_MS = 10_000


@dataclass(slots=True)
class LocalRooms:
    """`outbox` has the place of each game in it, oldest first. `asked_at` is when timers were asked for last,
    as the journal has it, 0 before that."""

    by_code: dict[str, LocalRoom] = field(default_factory=dict)
    outbox: dict[FinishedGame, int] = field(default_factory=dict)
    timers: Timers = field(default_factory=Timers)
    asked_at: int = 0
    _expiry: Expiry = field(default_factory=Expiry)
    _last_place: int = 0

    def living(self, code: str, now: int) -> LocalRoom | None:
        """The room, if it lives."""
        room = self.by_code.get(code)
        return None if room is None or room.is_expired(now) else room

    def kept(self, code: str) -> bytes | None:
        """A room, encoded for the journal."""
        room = self.by_code.get(code)
        return None if room is None else room.kept()

    def create(self, head: Head) -> None:
        """Take a new room."""
        room = self.by_code[head.stored.room.code] = LocalRoom(head)
        self.take(room, head)

    def advance(self, room: LocalRoom, head: Head, commit: Commit, waiting: Waiting | None) -> None:
        """Take a step, and the game that it adds to the outbox."""
        room.advance(head, commit)
        if waiting is not None:
            room.waiting[commit.room.game_id] = waiting
            self.outbox[FinishedGame(commit.room.code, commit.room.game_id)] = waiting.place
        self.take(room, head)

    def take(self, room: LocalRoom, head: Head) -> None:
        """Take a head, with its timer and life."""
        room.head = head
        self.timers.set(head.stored.room.code, head.due)
        self._expiry.set(head.stored.room.code, head.expires_at)

    def mark_recorded(self, room: LocalRoom, head: Head, game_id: str) -> None:
        """Take a game out of the outbox."""
        del room.waiting[game_id]
        del self.outbox[FinishedGame(head.stored.room.code, game_id)]
        self.take(room, head)

    def waiting(self, room: LocalRoom, head: Head, commit: Commit) -> Waiting | None:
        """The game that a step finishes, at the next place of the outbox; None when it has been there."""
        if not commit.is_finished or room.has_had(commit.room.game_id):
            return None
        self._last_place += 1
        before = room.log if head.log_from == room.head.log_from else []
        log = [*before, *commit.events]
        return Waiting(self._last_place, commit.room, log)

    def forget_expired(self, now: int) -> list[LocalRoom]:
        """Drop rooms whose life has ended, and say which; the journal still has to."""
        forgotten: list[LocalRoom] = []
        kept: list[LocalRoom] = []
        for code in self._expiry.due(now):
            room = self.by_code.get(code)
            if room is None:
                continue
            if room.is_expired(now):
                del self.by_code[code]
                self.timers.set(code, None)
                forgotten.append(room)
            else:
                kept.append(room)
        for room in kept:  # busy, waiting to be recorded, or its life was prolonged: look again
            self._look_again(room, now)
        return forgotten

    def recover(self, found: Found) -> dict[str, str]:
        """Take what the journal holds; of rooms that can't be read, by code, what is wrong with them."""
        broken: dict[str, str] = {}
        for code, kept in found.rooms.items():
            try:
                self.by_code[code] = room_from(kept)
            except (ValueError, LookupError, TypeError) as error:
                broken[code] = f"it is no room that this version reads: {error!r}"
        self.asked_at = found.asked_at or 0
        self.outbox = outbox_of(self.by_code.values())
        self._last_place = max(self.outbox.values(), default=0)
        for room in self.by_code.values():
            self.take(room, room.head)
        if len(self.timers):
            self.timers.asked_at = found.asked_at or None
        return broken

    def live_until(self, instant: int) -> None:
        """Let every room live so long at least. The file isn't told: the next start does the same."""
        for room in self.by_code.values():
            expires_at = room.head.expires_at
            if expires_at is not None and expires_at < instant:
                self.take(room, replace(room.head, expires_at=instant))

    def census(self) -> dict[Phase, int]:
        """How many rooms are in each phase."""
        counted = Counter(room.head.stored.room.phase for room in self.by_code.values())
        return {phase: counted[phase] for phase in Phase}

    def _look_again(self, room: LocalRoom, now: int) -> None:
        expires_at = room.head.expires_at
        if expires_at is not None:
            self._expiry.set(room.head.stored.room.code, max(expires_at, now + _LOOK_AGAIN_MS))
