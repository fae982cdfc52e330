"""The file behind the local store: SQLite, written by one thread, everything that waits as one row.

An entry is acknowledged when the disk has it. The file belongs to one process at a time, by a lock on another
file, so that this one can be read and backed up while it is in use.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple, Protocol

from msgspec import Struct

from app.private_files import keep_private, make_private_folder
from app.rooms.journal_entries import Entry, Forgotten, Stepped, codes_of
from app.rooms.journal_file import Drop, Found, Keep, drop, keep, write_batch
from app.rooms.journal_folding import Folding
from app.rooms.journal_format import WrongFile
from app.rooms.journal_opening import Opened, connect, open_file
from app.rooms.journal_seen import Seen
from app.rooms.store import StoreUnavailable

BYTES_TO_FOLD = 16 * 1024 * 1024
# Where so many came while a batch was written the server is busy: to be asked less often for the disk then
# leaves it a tenth more of its processor, and far from that nobody waits for it.
_MANY = 8
_GATHER_SECONDS = 0.01
_log = logging.getLogger(__name__)


class Memory(Protocol):
    """What all acknowledged entries have made, which the journal keeps in their place."""

    asked_at: int

    def kept(self, code: str) -> bytes | None:
        """A room as it is now, encoded; None when it is gone."""

    def recover(self, found: Found) -> Mapping[str, str]:
        """Take what the file holds; of rooms that can't be taken, by code, what is wrong with them."""


Then = Callable[[StoreUnavailable | None], None]


class _Waiting(Struct, frozen=True):
    entry: Entry
    then: Then | None
    written: asyncio.Future[None] | None


class _Batch(NamedTuple):
    waiting: Sequence[_Waiting]
    number: int
    size: int


class Journal:
    """A journal file, open from `open` to `close`."""

    def __init__(self, path: Path, memory: Memory, bytes_to_fold: int = BYTES_TO_FOLD) -> None:
        self._path = path
        self._memory = memory
        self._bytes_to_fold = bytes_to_fold
        self._queue: SimpleQueue[_Waiting | Keep | Drop | None] = SimpleQueue()
        self._opened = ExitStack()
        self._writer: Thread | None = None
        self._seen: Seen | None = None
        self.is_failing = False  # whether what was written last couldn't be
        self._folding = Folding(Found(), bytes_to_fold)
        self._is_folding = False

    @property
    def is_open(self) -> bool:
        """Whether entries are taken."""
        return self._writer is not None

    async def open(self) -> None:
        """Take the file for this process and read it into memory. Raises StoreUnavailable with the reason."""
        loop = asyncio.get_running_loop()
        connection, found, self._seen = await asyncio.to_thread(self._connect)
        self._folding = Folding(found, self._bytes_to_fold)
        args = (loop, connection, found.written)
        self._writer = Thread(target=self._work, args=args, name="journal", daemon=True)
        self._writer.start()

    def write(self, entry: Entry, then: Then) -> asyncio.Future[None]:
        """Done when the disk has the entry; StoreUnavailable when it didn't get it.

        Whether or not somebody still waits for that, `then` is called before it, with the failure if there is
        one: for each entry in its turn.
        """
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(_Waiting(entry, then, written))
        return written

    def write_aside(self, entry: Entry, then: Then | None = None) -> None:
        """Write what nobody waits for."""
        self._put(_Waiting(entry, then, None))

    def waste(self, size: int) -> None:
        """So many bytes of the file are of no use to anybody, once what is written now is."""
        self._folding.waste(size)

    def tidy(self) -> None:
        """Go on with keeping rooms in place of their entries; called now and then."""
        self._folding.go_on()
        self._fold()

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        writer, self._writer = self._writer, None
        if writer is not None:
            self._queue.put(None)
            await asyncio.to_thread(writer.join)
        seen, self._seen = self._seen, None
        if seen is not None:
            seen.close()

    def _put(self, waiting: _Waiting) -> None:
        if self._writer is None:
            raise StoreUnavailable(f"{self._path} is closed")
        self._queue.put(waiting)

    def _connect(self) -> Opened:
        try:
            with ExitStack() as opened:
                opened.enter_context(closing(self._lock()))
                file = open_file(self._path, self._memory.recover)
                opened.enter_context(closing(file.connection))
                self._opened = opened.pop_all()
                return file
        except (WrongFile, sqlite3.Error, OSError) as error:
            raise StoreUnavailable(
                f"{self._path} can't be used for rooms: {error}. Restore a backup (docs/operating.md), "
                "or move the file away to begin without rooms"
            ) from error

    def _lock(self) -> sqlite3.Connection:
        """A second database kept locked: the system gives it free when this process ends, however it ends."""
        make_private_folder(self._path.parent)
        path = self._path.with_name(f"{self._path.name}.lock")
        keep_private(path)
        lock = connect(path, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            raise StoreUnavailable(
                f"{self._path} is in use by another process; several processes share rooms through Redis"
            ) from error
        return lock

    def _work(self, loop: asyncio.AbstractEventLoop, connection: sqlite3.Connection, number: int) -> None:
        """What the thread does: write all that waits, gather more if that was much, fold a piece, until the
        journal closes. `number` is of the last batch in the file."""
        with self._opened:
            is_open = True
            while is_open:
                waiting, fold, is_open = self._take()
                if waiting:
                    size, failure = self._try(_write, connection, number + 1, waiting)
                    number += failure is None
                    loop.call_soon_threadsafe(self._acknowledge, _Batch(waiting, number, size), failure)
                    if len(waiting) >= _MANY and is_open:
                        time.sleep(_GATHER_SECONDS)
                if fold is not None:
                    _, failure = self._try(_fold, connection, fold)
                    loop.call_soon_threadsafe(self._folded, fold, failure)

    def _take(self) -> tuple[list[_Waiting], Keep | Drop | None, bool]:
        """All that waits, at least one thing; False when that is all that will come."""
        waiting: list[_Waiting] = []
        fold: Keep | Drop | None = None
        taken = self._queue.get()
        try:
            while taken is not None:
                if isinstance(taken, _Waiting):
                    waiting.append(taken)
                else:
                    fold = taken
                taken = self._queue.get_nowait()
        except Empty:
            return waiting, fold, True
        return waiting, fold, False

    def _try(self, write: Callable[..., int], *args: object) -> tuple[int, str | None]:
        """What that wrote, and why it couldn't."""
        try:
            return write(*args), None
        except sqlite3.Error as error:
            return 0, f"{self._path} can't be written: {error}"
        except Exception as error:  # noqa: BLE001 - a defect: without this thread nobody would be answered
            _log.exception("what was to be written to %s can't be", self._path)
            return 0, f"{self._path} can't be written: {error!r}"

    def _acknowledge(self, batch: _Batch, failure: str | None) -> None:
        self.is_failing = failure is not None
        if failure is None and self._seen is not None:
            self._seen.reached(batch.number)
        for waiting in batch.waiting:
            _end(waiting, None if failure is None else StoreUnavailable(failure))
        if failure is None:
            for waiting in batch.waiting:
                note(self._folding, waiting.entry)
            self._folding.wrote(batch.number, batch.size)
            self._fold()

    def _fold(self) -> None:
        if self._writer is not None and not self._is_folding:
            work = self._folding.next(self._memory.kept, self._memory.asked_at)
            if work is not None:
                self._is_folding = True
                self._queue.put(work)

    def _folded(self, work: Keep | Drop, failure: str | None) -> None:
        self._is_folding = False
        if failure is None:
            self._folding.done(work)


def note(folding: Folding, entry: Entry) -> None:
    """Tell which rooms an entry that is written is of."""
    if isinstance(entry, Stepped):
        folding.stepped(entry.row.code)
    elif isinstance(entry, Forgotten):
        folding.forgot(entry.codes)
    else:
        folding.changed(codes_of(entry))


def _end(waiting: _Waiting, error: StoreUnavailable | None) -> None:
    written = waiting.written
    # Whoever waits for it goes on in the loop's next turn, and is the first there: after `then`, but before
    # anything that `then` leaves for later.
    if written is not None and not written.done():
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
    if waiting.then is not None:
        try:
            waiting.then(error)
        except Exception:  # noqa: BLE001 - a defect there keeps nobody else from an answer
            _log.exception("what follows from something written failed")


def _write(connection: sqlite3.Connection, number: int, waiting: Sequence[_Waiting]) -> int:
    return write_batch(connection, number, [waits.entry for waits in waiting])


def _fold(connection: sqlite3.Connection, work: Keep | Drop) -> int:
    if isinstance(work, Keep):
        keep(connection, work)
    else:
        drop(connection, work)
    return 0
