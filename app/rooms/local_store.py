"""Rooms in the memory of one process, every step journalled to one file before it is acknowledged.

After kill -9 and a restart every room is as last acknowledged, with its timer, its life and the outbox;
leases are gone. Memory changes, and watchers hear of it, only when the disk has the step; the writes of one
room are made one after another.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from app.rooms.journal import BYTES_TO_FOLD, Journal
from app.rooms.journal_entries import Asked, Changed, Entry, Forgotten, Made
from app.rooms.leases import worth_keeping
from app.rooms.local_room import Head, LocalRoom, Waiting, new_head, recorded_entry, step_entry
from app.rooms.local_rooms import LocalRooms
from app.rooms.room import Phase, Room
from app.rooms.store import (
    Commit,
    Committed,
    Conflict,
    DueRoom,
    FinishedGame,
    Lease,
    RoomExists,
    RoomNotFound,
    SeenLease,
    Stored,
    StoreUnavailable,
    Watcher,
)

COMING_BACK_MS = 300_000  # so long every room lives after a start: its players may be coming back
_ASKED_EVERY_MS = 500  # so exactly is it known after a restart how long nobody was there


class LocalStore:
    """The room store of a single process. `clock` gives seconds since 1970. When `bytes_to_fold` of entries
    are in the file, it begins to keep the rooms in their place."""

    def __init__(
        self, path: Path, *, clock: Callable[[], float] = time.time, bytes_to_fold: int = BYTES_TO_FOLD
    ) -> None:
        self._path = path
        self._clock = clock
        self._rooms = LocalRooms()
        self._journal = Journal(path, self._rooms, bytes_to_fold)
        self._watcher: Watcher | None = None
        self._watched: set[str] = set()
        self._creating: dict[str, asyncio.Future[None]] = {}

    async def open(self, watcher: Watcher) -> None:
        self._watcher = watcher
        await self._journal.open()
        self._rooms.live_until(self._now() + COMING_BACK_MS)

    async def close(self) -> None:
        await self._journal.close()

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        while (written := self._creating.get(room.code)) is not None:
            await asyncio.wait([written])
        now = self._now()
        self._forget_expired(now)
        if room.code in self._rooms.by_code:
            raise RoomExists(f"there is a room {room.code} already")
        head = new_head(room, secrets.token_hex(8), keep_ms, now)
        then = partial(self._created, head)
        written = self._creating[room.code] = self._journal.write(Made(head.row(), head.encoded), then)
        await asyncio.shield(written)
        return head.stored

    async def load(self, code: str) -> Stored:
        return self._room(code).head.stored

    async def recent(self, code: str) -> Stored:
        return self._room(code).head.stored

    async def commit(self, commit: Commit) -> Committed:
        room = self._room(commit.room.code)
        if room.is_writing:
            room = await self._settled(commit.room.code)
        answered = room.versions.get(commit.request)
        if answered is not None:
            return Committed(answered, is_duplicate=True)
        if not room.is_expected(commit):
            raise Conflict(room.head.stored)
        head = room.head.after(commit, self._now())
        waiting = self._rooms.waiting(room, head, commit)
        if commit.due is not None and not len(self._rooms.timers):
            self._note_asked(0)
        entry = step_entry(room, head, commit, waiting)
        await self._write(room, entry, partial(self._advance, room, head, commit, waiting))
        return Committed(head.stored.version)

    async def answered(self, code: str, request: str) -> Committed | None:
        version = (await self._settled(code)).versions.get(request)
        return None if version is None else Committed(version, is_duplicate=True)

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        return self._room(code).updates_since(version)

    async def log(self, code: str) -> list[bytes]:
        return list(self._room(code).log)

    async def relay(self, code: str, message: bytes) -> None:
        self._require_open()
        if self._watcher is not None and code in self._watched:
            self._watcher.relayed(code, message)

    def watch(self, code: str) -> None:
        self._watched.add(code)

    def unwatch(self, code: str) -> None:
        self._watched.discard(code)

    async def due(self, now: int, limit: int) -> list[DueRoom]:
        self._require_open()
        timers = self._rooms.timers
        if len(timers) and now - self._rooms.asked_at >= _ASKED_EVERY_MS:
            self._note_asked(now)
        self._forget_expired(self._now())
        self._journal.tidy()
        return timers.due(now, limit)

    async def drop_timer(self, code: str, due_at: int) -> None:
        self._require_open()
        room = self._rooms.by_code.get(code)
        while room is not None and room.is_writing:
            await room.settled()
            room = self._rooms.by_code.get(code)
        if room is not None and room.head.due == due_at:
            head = room.head.without_timer()
            await self._write(room, Changed(head.row()), partial(self._rooms.take, room, head))

    async def unrecorded(self, limit: int) -> list[FinishedGame]:
        self._require_open()
        return list(islice(self._rooms.outbox, limit))

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        waiting = self._room(code).waiting.get(game_id)
        if waiting is None:
            raise RoomNotFound(f"room {code} has no game {game_id} to be recorded")
        return waiting.room, list(waiting.log)

    async def mark_recorded(self, code: str, game_id: str) -> None:
        try:
            room = await self._settled(code)
        except RoomNotFound:
            return
        if game_id in room.waiting:
            head = room.head.with_recorded(game_id, self._now())
            entry = recorded_entry(room, head, game_id)
            await self._write(room, entry, partial(self._rooms.mark_recorded, room, head, game_id))

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        self._require_open()
        for lease in leases:
            if (room := self._living(lease.code)) is not None:
                room.renew(lease, now)
                if room.is_to_live_on(self._now()):
                    head = room.head.living_on(self._now())
                    self._write_aside(room, Changed(head.row()), partial(self._rooms.take, room, head))

    async def release(self, code: str, connection: str, now: int) -> None:
        self._require_open()
        if (room := self._living(code)) is not None:
            room.release(connection, now)

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        self._require_open()
        rooms = {code: room for code in codes if (room := self._living(code)) is not None and room.leases}
        return {code: worth_keeping(room.leases.values(), now) for code, room in rooms.items()}

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        self._require_open()
        rooms = {code: self._living(code) for code in codes}
        return {
            code: None if room is None else (room.head.stored.epoch, room.head.stored.version)
            for code, room in rooms.items()
        }

    async def census(self) -> dict[Phase, int]:
        self._require_open()
        self._forget_expired(self._now())
        return self._rooms.census()

    async def ping(self) -> None:
        self._require_open()
        if self._journal.is_failing:  # what can be written again is known only by writing
            await self._journal.write(Asked(self._rooms.asked_at), _do_nothing)

    def _require_open(self) -> None:
        if not self._journal.is_open:
            raise StoreUnavailable(f"{self._path} is closed")

    def _living(self, code: str) -> LocalRoom | None:
        return self._rooms.living(code, self._now())

    def _room(self, code: str) -> LocalRoom:
        if not self._journal.is_open:
            raise StoreUnavailable(f"{self._path} is closed")
        room = self._rooms.by_code.get(code)
        if room is None or room.is_expired(int(self._clock() * 1000)):
            raise RoomNotFound(f"there is no room {code}")
        return room

    async def _settled(self, code: str) -> LocalRoom:
        """The room once no write of it is under way."""
        while (room := self._room(code)).is_writing:
            await room.settled()
        return room

    def _write(self, room: LocalRoom, entry: Entry, then: Callable[[], None]) -> asyncio.Future[None]:
        """Write, then change memory, whether or not somebody still waits."""
        written = self._journal.write(entry, partial(_written, room, then))
        room.is_writing = True
        return written

    def _write_aside(self, room: LocalRoom, entry: Entry, then: Callable[[], None]) -> None:
        """Write what nobody waits for, and what does no harm when it is lost."""
        self._journal.write_aside(entry, partial(_written, room, then))
        room.is_writing = True

    def _note_asked(self, now: int) -> None:
        self._rooms.asked_at = now
        self._journal.write_aside(Asked(now))

    def _created(self, head: Head, error: StoreUnavailable | None) -> None:
        del self._creating[head.stored.room.code]
        if error is None:
            self._rooms.create(head)

    def _advance(self, room: LocalRoom, head: Head, commit: Commit, waiting: Waiting | None) -> None:
        self._rooms.advance(room, head, commit, waiting)
        if self._watcher is not None and commit.room.code in self._watched:
            self._watcher.updated(commit.room.code, head.stored.version, commit.update)

    def _forget_expired(self, now: int) -> None:
        """The file may learn of it later: what has expired is not there, whatever it says."""
        if forgotten := self._rooms.forget_expired(now):
            self._journal.write_aside(Forgotten([room.head.stored.room.code for room in forgotten]))
            self._journal.waste(sum(room.size() for room in forgotten))

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _do_nothing(_error: StoreUnavailable | None) -> None:
    """Nothing follows."""


def _written(room: LocalRoom, then: Callable[[], None], error: StoreUnavailable | None) -> None:
    room.written()
    if error is None:
        then()
