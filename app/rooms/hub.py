"""This process's viewers of rooms: the fan-out of updates to them, and the way back after missed ones.

The store tells it of every step of a watched room. A publish is a hint: a gap in the versions is filled from
the store.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from app.accounts.identity import Identity
from app.clock import Now, now_ms
from app.lines import Line
from app.rooms import wire
from app.rooms.backlog import Backlog
from app.rooms.closing import CloseCode
from app.rooms.meters import Meters, Resume
from app.rooms.outbox import Outbox
from app.rooms.store import RoomNotFound, RoomStore, Stored, StoreUnavailable

_log = logging.getLogger(__name__)
_RETRY_SECONDS = 0.5
_CONNECTION_BYTES = 8
_AUDITED_AT_ONCE = 256
_DRAIN_STEP_SECONDS = 0.05
_FAREWELL_SECONDS = 5.0  # for the handshakes of the last sockets that are closed


Hinted = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """The last state that a client has."""

    epoch: str
    version: int


@dataclass(slots=True, eq=False)
class Viewer:
    """One socket's place at a table. The client has got everything up to version `sure`, or it got lost.

    `connection` is the socket's name among all workers. `is_away`: the player's page is hidden. `line`: by
    which he is heard, where that can be told; `is_silent`: he isn't heard any more (silence.py).
    """

    code: str
    identity: Identity
    outbox: Outbox = field(default_factory=Outbox)
    sure: int = -1
    connection: str = field(default_factory=lambda: secrets.token_hex(_CONNECTION_BYTES))
    is_away: bool = False
    line: Line | None = None
    is_silent: bool = False


@dataclass(slots=True, eq=False)
class _Table:
    """A room that somebody here watches. `version` is the last that the viewers were told of, None before the
    first; `newest` is the highest heard of since then, beyond a gap."""

    code: str
    viewers: set[Viewer] = field(default_factory=set)
    version: int | None = None
    epoch: str | None = None
    newest: int = -1
    catching_up: asyncio.Task[None] | None = None


class Hub:
    """The viewers of this process, by room. It is the store's watcher.

    `hinted` is told of presence hints: the room, and the worker that gives the hint.
    """

    def __init__(
        self,
        store: RoomStore,
        meters: Meters | None = None,
        *,
        backlog: Backlog | None = None,
        now: Now = now_ms,
        hinted: Hinted = lambda _code, _worker: None,
    ) -> None:
        self.meters = meters or Meters()
        self.backlog = backlog or Backlog()
        self._store = store
        self._now = now
        self._hinted = hinted
        self._tables: dict[str, _Table] = {}
        self._is_empty = asyncio.Event()
        self._is_empty.set()
        self._is_draining = False

    def attach(self, viewer: Viewer) -> None:
        """Begin to tell a viewer of his room. Nothing reaches him before he is brought up to date."""
        table = self._tables.get(viewer.code)
        if table is None:
            table = self._tables[viewer.code] = _Table(viewer.code)
            self._store.watch(viewer.code)
        table.viewers.add(viewer)
        self._is_empty.clear()
        if self._is_draining:
            _take_leave(viewer)

    def detach(self, viewer: Viewer) -> None:
        """No longer tell him."""
        table = self._tables[viewer.code]
        table.viewers.discard(viewer)
        if table.viewers:
            return
        del self._tables[viewer.code]
        self._store.unwatch(viewer.code)
        if table.catching_up is not None:
            table.catching_up.cancel()
        if not self._tables:
            self._is_empty.set()

    async def bring_up_to_date(self, viewer: Viewer, seen: Seen | None = None) -> int:
        """Give a viewer what they miss after the state they have seen, or else a snapshot.

        How many characters that are. Raises RoomNotFound, StoreUnavailable.
        """
        viewer.outbox.begin()
        stored = await self._store.load(viewer.code)
        missing = await self._missing(stored, seen)
        self._count_resume(viewer, seen, missing)
        if seen is None or missing is None:
            viewer.sure = stored.version
            given = [wire.welcome(stored, viewer.identity, self._now())]
            viewer.outbox.finish(stored.version, given)
        else:
            viewer.sure = seen.version
            version = seen.version + len(missing)
            given = [*missing, wire.pong(version)]
            viewer.outbox.finish(version, given)
        self._heard(stored)
        return _size(given)

    async def answer_ping(self, viewer: Viewer, version: int, *, again: bool = True) -> int:
        """Say which version this viewer has been given, and give him again what he lacks of it.

        Messages come in order: what was sent after the last pong may still be under way to him. What was sent
        before is lacking, and is left to a later ping without `again`. How many characters are given again.
        Raises RoomNotFound, StoreUnavailable.
        """
        sure, viewer.sure = viewer.sure, viewer.outbox.version
        await viewer.outbox.answer(wire.pong(viewer.outbox.version))
        if version > viewer.outbox.version:
            self._catch_up(self._tables[viewer.code])
        elif version < sure and again:
            return await self._give_again(viewer, version)
        return 0

    def updated(self, code: str, version: int, update: bytes) -> None:
        """A step of a room, from the store."""
        table = self._tables.get(code)
        if table is not None:
            self._take(table, version, update)

    def relayed(self, code: str, message: bytes) -> None:
        """A passing message of a room, from the store."""
        table = self._tables.get(code)
        if table is not None:
            sender, text = wire.read_relayed(message)
            if text == wire.PRESENCE_HINT:
                self._hinted(code, sender)
                return
            for viewer in table.viewers:
                if viewer.identity.player != sender:
                    viewer.outbox.pass_on(text)

    def resynced(self) -> None:
        """The store may have missed updates of any room."""
        self.meters.resyncs += 1
        for table in self._tables.values():
            self._catch_up(table)

    def viewers(self) -> list[Viewer]:
        """All that there are now."""
        return [viewer for table in self._tables.values() for viewer in table.viewers]

    def queues(self) -> list[int]:
        """How many messages wait for each socket."""
        return [len(viewer.outbox) for viewer in self.viewers()]

    @property
    def watched(self) -> int:
        """How many rooms are watched here."""
        return len(self._tables)

    async def audit(self) -> None:
        """Compare what every table here was told with the store, and catch up where that is less.

        Raises StoreUnavailable.
        """
        codes = list(self._tables)
        for first in range(0, len(codes), _AUDITED_AT_ONCE):
            found = await self._store.versions(codes[first : first + _AUDITED_AT_ONCE])
            for code, newest in found.items():
                self._compare(code, newest)

    async def run_audits(self, seconds: float) -> None:
        """Audit from time to time, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.audit()
            except StoreUnavailable as error:
                _log.warning("the store can't say which versions its rooms have: %s", error)
            except Exception:  # noqa: BLE001 - the task must outlive whatever the store raises
                _log.exception("the rooms of this process can't be audited")

    @property
    def is_draining(self) -> bool:
        """Whether this worker takes leave of its viewers and takes no more."""
        return self._is_draining

    async def drain(self, seconds: float) -> None:
        """Say that the server restarts, and close every socket, spread over that time; wait for that."""
        self._is_draining = True
        viewers = self.viewers()
        _log.info("draining", extra={"sockets": len(viewers)})
        for viewer in viewers:
            viewer.outbox.pass_on(wire.notice("restarting"))
        steps = max(1, round(seconds / _DRAIN_STEP_SECONDS))
        for step in range(steps):
            for viewer in viewers[step::steps]:
                viewer.outbox.end(CloseCode.RESTART)
            if self._is_empty.is_set():
                break
            await asyncio.sleep(seconds / steps)
        with suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._is_empty.wait()
        _log.info("drained", extra={"sockets": len(self.queues())})

    def _count_resume(self, viewer: Viewer, seen: Seen | None, missing: list[str] | None) -> None:
        if seen is None:
            kind = Resume.FIRST if viewer.sure < 0 else Resume.COALESCED
        else:
            kind = Resume.SNAPSHOT if missing is None else Resume.UPDATES
        self.meters.resumes[kind] += 1

    async def _missing(self, stored: Stored, seen: Seen | None) -> list[str] | None:
        """The updates after a state that the client has seen, if the store has them all."""
        if seen is None or seen.epoch != stored.epoch or seen.version > stored.version:
            return None
        missing = await self._store.updates_since(stored.room.code, seen.version)
        return None if missing is None else [update.decode() for _, update in missing]

    async def _give_again(self, viewer: Viewer, version: int) -> int:
        missing = await self._store.updates_since(viewer.code, version)
        if missing is None:
            viewer.outbox.lose()
            return 0
        given = [update.decode() for _, update in missing]
        for update in given:
            await viewer.outbox.answer(update)
        return _size(given)

    def _compare(self, code: str, newest: tuple[str, int] | None) -> None:
        table = self._tables.get(code)
        if table is None or table.version is None:
            return
        if newest is None:
            _tell_expired(table)
        elif newest[0] != table.epoch or newest[1] > table.version:
            self._catch_up(table)

    def _heard(self, stored: Stored) -> None:
        """The room is at least there: who has heard less has missed something."""
        table = self._tables.get(stored.room.code)
        if table is None:
            return
        table.epoch = table.epoch or stored.epoch
        if table.version is None:
            table.version = stored.version
        elif table.version < stored.version:
            self._catch_up(table)

    def _take(self, table: _Table, version: int, update: bytes) -> None:
        if table.version is None or version == table.version + 1:
            table.version = version
            text = update.decode()
            is_followed = self.meters.fan_out(text)
            for viewer in table.viewers:
                viewer.outbox.offer(version, text)
                if is_followed and viewer.outbox.has_sent(version):
                    self.meters.sent(text)
        elif version > table.version:
            self.meters.gaps += 1
            table.newest = max(table.newest, version)
            self._catch_up(table)

    def _catch_up(self, table: _Table) -> None:
        if table.catching_up is None or table.catching_up.done():
            table.catching_up = asyncio.create_task(self._fill_gap(table))

    async def _fill_gap(self, table: _Table) -> None:
        """Ask the store for what is missing until nothing is."""
        # Begun by whichever socket was first to notice, on behalf of all.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(room=table.code)
        while True:
            try:
                await self._fill(table)
            except RoomNotFound:
                _tell_expired(table)
                return
            except StoreUnavailable as error:
                _log.warning("room %s: the store can't say what was missed: %s", table.code, error)
            else:
                if table.version is None or table.newest <= table.version:
                    return
                continue
            await asyncio.sleep(_RETRY_SECONDS)

    async def _fill(self, table: _Table) -> None:
        stored = await self._store.load(table.code)
        if table.version is None:
            return
        missing = None
        if stored.epoch == table.epoch:
            missing = await self._store.updates_since(table.code, table.version)
        if missing is None:
            table.epoch, table.version, table.newest = stored.epoch, stored.version, stored.version
            for viewer in table.viewers:
                viewer.outbox.lose()
            return
        for version, update in missing:
            self._take(table, version, update)


def _size(messages: list[str]) -> int:
    return sum(map(len, messages))


def _tell_expired(table: _Table) -> None:
    for viewer in table.viewers:
        viewer.outbox.pass_on(wire.notice("expired"))
        viewer.outbox.end(CloseCode.ROOM_GONE)


def _take_leave(viewer: Viewer) -> None:
    viewer.outbox.pass_on(wire.notice("restarting"))
    viewer.outbox.end(CloseCode.RESTART)
