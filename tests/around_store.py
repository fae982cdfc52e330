"""A room store around another, for tests that have it do something else in one place.

Not a subclass of the local store: where that is compiled (`dev.py compile`) it can't have any.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.rooms.local_store import LocalStore
from app.rooms.room import Phase, Room
from app.rooms.store import (
    Commit,
    Committed,
    DueRoom,
    FinishedGame,
    Lease,
    RoomStore,
    SeenLease,
    Stored,
    Watcher,
)


class AroundStore:
    """A local store in that file, or another store, asked for everything."""

    def __init__(
        self, path: Path, clock: Callable[[], float] = time.time, inner: RoomStore | None = None
    ) -> None:
        self._inner: RoomStore = inner or LocalStore(path, clock=clock)

    async def open(self, watcher: Watcher) -> None:
        await self._inner.open(watcher)

    async def close(self) -> None:
        await self._inner.close()

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        return await self._inner.create(room, keep_ms)

    async def load(self, code: str) -> Stored:
        return await self._inner.load(code)

    async def recent(self, code: str) -> Stored:
        return await self._inner.recent(code)

    async def commit(self, commit: Commit) -> Committed:
        return await self._inner.commit(commit)

    async def answered(self, code: str, request: str) -> Committed | None:
        return await self._inner.answered(code, request)

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        return await self._inner.updates_since(code, version)

    async def log(self, code: str) -> list[bytes]:
        return await self._inner.log(code)

    async def relay(self, code: str, message: bytes) -> None:
        await self._inner.relay(code, message)

    def watch(self, code: str) -> None:
        self._inner.watch(code)

    def unwatch(self, code: str) -> None:
        self._inner.unwatch(code)

    async def due(self, now: int, limit: int) -> list[DueRoom]:
        return await self._inner.due(now, limit)

    async def drop_timer(self, code: str, due_at: int) -> None:
        await self._inner.drop_timer(code, due_at)

    async def unrecorded(self, limit: int) -> list[FinishedGame]:
        return await self._inner.unrecorded(limit)

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        return await self._inner.finished(code, game_id)

    async def mark_recorded(self, code: str, game_id: str) -> None:
        await self._inner.mark_recorded(code, game_id)

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        await self._inner.renew(leases, now)

    async def release(self, code: str, connection: str, now: int) -> None:
        await self._inner.release(code, connection, now)

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        return await self._inner.leases_of(codes, now)

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        return await self._inner.versions(codes)

    async def census(self) -> dict[Phase, int]:
        return await self._inner.census()

    async def ping(self) -> None:
        await self._inner.ping()
