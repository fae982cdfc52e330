"""Rooms in the memory of one process, every step journalled to one file before it is acknowledged.

After kill -9 and a restart every room is as last acknowledged. Memory changes, and watchers hear of it, only
when the disk has the step; the writes of one room are made one after another.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from functools import partial
from itertools import islice, takewhile
from pathlib import Path

from app.rooms.journal import Found, Journal
from app.rooms.journal_rows import Entry
from app.rooms.local_room import Head, LocalRoom, rooms_from, step_entry
from app.rooms.room import Room
from app.rooms.store import (
    KEPT_RECORDED_SECONDS,
    Commit,
    Committed,
    Conflict,
    RoomExists,
    RoomNotFound,
    Stored,
    StoreUnavailable,
    Watcher,
)


class LocalStore:
    """The room store of a single process. `clock` gives seconds since 1970."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._journal = Journal(path)
        self._watcher: Watcher | None = None
        self._watched: set[str] = set()
        self._rooms: dict[str, LocalRoom] = {}
        self._creating: dict[str, asyncio.Future[None]] = {}
        self._outbox: dict[str, int] = {}  # oldest first; the place of each
        self._recorded: dict[str, int] = {}  # oldest first; when, in milliseconds
        self._last_place = 0

    async def open(self, watcher: Watcher) -> None:
        self._watcher = watcher
        found = await self._journal.open()
        try:
            await self._recover(found)
        except BaseException:
            await self._journal.close()
            raise

    async def close(self) -> None:
        await self._journal.close()

    async def create(self, room: Room) -> Stored:
        while (written := self._creating.get(room.code)) is not None:
            await asyncio.wait([written])
        if room.code in self._rooms:
            raise RoomExists(f"there is a room {room.code} already")
        head = Head(Stored(room, 0, secrets.token_hex(8)))
        written = self._journal.write(Entry(head.row(), forgotten=self._forget_expired()))
        self._creating[room.code] = written
        written.add_done_callback(partial(self._created, head))
        await asyncio.shield(written)
        return head.stored

    async def load(self, code: str) -> Stored:
        return self._room(code).head.stored

    async def commit(self, commit: Commit) -> Committed:
        room = await self._settled(commit.room.code)
        answered = room.versions.get(commit.request)
        if answered is not None:
            return Committed(answered, is_duplicate=True)
        if room.head.stored.version != commit.expected_version:
            raise Conflict(room.head.stored)
        self._last_place += commit.is_finished
        head = room.head.after(commit, self._last_place)
        await self._write(room, step_entry(head, commit), partial(self._advance, room, head, commit))
        return Committed(head.stored.version)

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        return self._room(code).updates_since(version)

    async def log(self, code: str) -> list[bytes]:
        return list(self._room(code).log)

    async def relay(self, code: str, message: bytes) -> None:
        await self.ping()
        if self._watcher is not None and code in self._watched:
            self._watcher.relayed(code, message)

    def watch(self, code: str) -> None:
        self._watched.add(code)

    def unwatch(self, code: str) -> None:
        self._watched.discard(code)

    async def unrecorded(self, limit: int) -> list[str]:
        await self.ping()
        return list(islice(self._outbox, limit))

    async def mark_recorded(self, code: str) -> None:
        try:
            room = await self._settled(code)
        except RoomNotFound:
            return
        if room.head.finished is not None:
            head = room.head.recorded(self._now())
            await self._write(room, Entry(head.row()), partial(self._take_head, room, head))

    async def ping(self) -> None:
        if not self._journal.is_open:
            raise StoreUnavailable(f"{self._path} is closed")

    async def _recover(self, found: Found) -> None:
        try:
            self._rooms = await asyncio.to_thread(rooms_from, found)
        except (ValueError, LookupError, TypeError) as error:
            raise StoreUnavailable(f"{self._path} holds a room that can't be read: {error!r}") from error
        for room in sorted(self._rooms.values(), key=_by_age):
            self._list(room.head)
        if expired := self._forget_expired():
            await self._journal.write(Entry(forgotten=expired))

    def _room(self, code: str) -> LocalRoom:
        if not self._journal.is_open:
            raise StoreUnavailable(f"{self._path} is closed")
        room = self._rooms.get(code)
        if room is None:
            raise RoomNotFound(f"there is no room {code}")
        return room

    async def _settled(self, code: str) -> LocalRoom:
        """The room once no write of it is under way."""
        while (room := self._room(code)).writing is not None:
            await asyncio.wait([room.writing])
        return room

    async def _write(self, room: LocalRoom, entry: Entry, then: Callable[[], None]) -> None:
        """Write, then change memory, whether or not the caller still waits."""
        written = room.writing = self._journal.write(entry)
        written.add_done_callback(partial(self._written, room, then))
        await asyncio.shield(written)

    def _written(self, room: LocalRoom, then: Callable[[], None], written: asyncio.Future[None]) -> None:
        room.writing = None
        if written.exception() is None:
            then()

    def _created(self, head: Head, written: asyncio.Future[None]) -> None:
        code = head.stored.room.code
        del self._creating[code]
        if written.exception() is None:
            self._rooms[code] = LocalRoom(head)

    def _advance(self, room: LocalRoom, head: Head, commit: Commit) -> None:
        room.advance(head, commit)
        self._list(head)
        if self._watcher is not None and commit.room.code in self._watched:
            self._watcher.updated(commit.room.code, head.stored.version, commit.update)

    def _take_head(self, room: LocalRoom, head: Head) -> None:
        room.head = head
        self._list(head)

    def _list(self, head: Head) -> None:
        """Have the room in the outbox and among the recorded, or not, as its head says."""
        _keep(self._outbox, head.stored.room.code, head.finished)
        _keep(self._recorded, head.stored.room.code, head.recorded_at)
        self._last_place = max(self._last_place, head.finished or 0)

    def _forget_expired(self) -> list[str]:
        """Drop rooms whose recorded game has been kept long enough; the journal still has to."""
        latest = self._now() - KEPT_RECORDED_SECONDS * 1000
        expired = list(takewhile(lambda code: self._recorded[code] <= latest, self._recorded))
        expired = [code for code in expired if self._rooms[code].writing is None]
        for code in expired:
            del self._rooms[code], self._recorded[code]
        return expired

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _keep(listed: dict[str, int], code: str, value: int | None) -> None:
    if value is None:
        listed.pop(code, None)
    else:
        listed.setdefault(code, value)


def _by_age(room: LocalRoom) -> tuple[int, int]:
    return room.head.finished or 0, room.head.recorded_at or 0
