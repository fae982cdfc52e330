"""The file behind the local store: SQLite, written by one thread, everything that waits in one transaction.

An entry is acknowledged when the disk has it. The file belongs to one process at a time, by a lock on another
file, so that this one can be read and backed up while it is in use.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from app.rooms.journal_format import WrongFile, prepare
from app.rooms.journal_rows import (
    Entry,
    EventRow,
    FinishedRow,
    RoomRow,
    StepRow,
    read_asked_at,
    read_events,
    read_finished,
    read_rooms,
    read_steps,
    write_entries,
)
from app.rooms.store import StoreUnavailable

_CACHED_STATEMENTS = 512
_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """What the file holds, each room's rows oldest first. `asked_at` as in Entry."""

    rooms: list[RoomRow]
    steps: list[StepRow]
    events: list[EventRow]
    finished: list[FinishedRow]
    asked_at: int | None


class _Waiting(NamedTuple):
    entry: Entry
    written: asyncio.Future[None]


class Journal:
    """A journal file, open from `open` to `close`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._opened = ExitStack()
        self._writer: Thread | None = None

    @property
    def is_open(self) -> bool:
        """Whether entries are taken."""
        return self._writer is not None

    async def open(self) -> Found:
        """Take the file for this process and read it. Raises StoreUnavailable with the reason."""
        loop = asyncio.get_running_loop()
        connection, found = await asyncio.to_thread(self._connect)
        self._writer = Thread(target=self._work, args=(connection, loop), name="journal", daemon=True)
        self._writer.start()
        return found

    def write(self, entry: Entry) -> asyncio.Future[None]:
        """Done when the disk has the entry; StoreUnavailable when it didn't get it. Not to be cancelled."""
        if self._writer is None:
            raise StoreUnavailable(f"{self._path} is closed")
        written = asyncio.get_running_loop().create_future()
        self._queue.put(_Waiting(entry, written))
        return written

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        writer, self._writer = self._writer, None
        if writer is not None:
            self._queue.put(None)
            await asyncio.to_thread(writer.join)

    def _connect(self) -> tuple[sqlite3.Connection, Found]:
        try:
            with ExitStack() as opened:
                opened.enter_context(closing(self._lock()))
                connection = opened.enter_context(closing(_connection(self._path, timeout=5)))
                prepare(connection)
                found = Found(
                    rooms=list(read_rooms(connection)),
                    steps=list(read_steps(connection)),
                    events=list(read_events(connection)),
                    finished=list(read_finished(connection)),
                    asked_at=read_asked_at(connection),
                )
                self._opened = opened.pop_all()
                return connection, found
        except (WrongFile, sqlite3.Error, OSError) as error:
            raise StoreUnavailable(f"{self._path} can't be used for rooms: {error}") from error

    def _lock(self) -> sqlite3.Connection:
        """A second database kept locked: the system gives it free when this process ends, however it ends."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = _connection(self._path.with_name(f"{self._path.name}.lock"), timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            raise StoreUnavailable(
                f"{self._path} is in use by another process; several processes share rooms through Redis"
            ) from error
        return lock

    def _work(self, connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop) -> None:
        with self._opened:
            while batch := self._next_batch():
                loop.call_soon_threadsafe(_acknowledge, batch, self._write(connection, batch))

    def _next_batch(self) -> list[_Waiting]:
        """Everything that waits, at least one; nothing when the journal closes."""
        batch: list[_Waiting] = []
        waiting = self._queue.get()
        try:
            while waiting is not None:
                batch.append(waiting)
                waiting = self._queue.get_nowait()
            if batch:  # these are written first, then the end is found again
                self._queue.put(None)
        except Empty:
            pass
        return batch

    def _write(self, connection: sqlite3.Connection, batch: Sequence[_Waiting]) -> str | None:
        try:
            write_entries(connection, [waiting.entry for waiting in batch])
        except sqlite3.Error as error:
            return f"{self._path} can't be written: {error}"
        except Exception as error:  # noqa: BLE001 - a defect: without this thread nobody would be answered
            _log.exception("what was to be written to %s can't be", self._path)
            return f"{self._path} can't be written: {error!r}"
        return None


def _connection(path: Path, *, timeout: float) -> sqlite3.Connection:
    return sqlite3.connect(
        path,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_CACHED_STATEMENTS,
    )


def _acknowledge(batch: Sequence[_Waiting], failure: str | None) -> None:
    for waiting in batch:
        if failure is None:
            waiting.written.set_result(None)
        else:
            waiting.written.set_exception(StoreUnavailable(failure))
