"""The presence of those at this process's tables: their leases kept alive, the tables told who is there.

One task does it in batches, so that a thousand sockets that come at once are one question to the store. What
happens at other workers is heard of by hints, and by reading all leases from time to time.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from app.clock import Now
from app.rooms import wire
from app.rooms.adjudication import call_out, pass_host
from app.rooms.commands import CallOut, PassHost
from app.rooms.hub import Viewer
from app.rooms.presence import Attendance, Leases, Presence, Sight, attend, next_look, sight_of
from app.rooms.refusals import RoomRefusal
from app.rooms.room import Room
from app.rooms.service import RoomService
from app.rooms.silence import listen
from app.rooms.store import Conflict, Lease, RoomNotFound, RoomStore, SeenLease, StoreUnavailable
from app.rooms.timing import Timing

T = TypeVar("T")
_log = logging.getLogger(__name__)
_AT_ONCE = 64
_GATHERED = 0.05  # of the time between two looks: so long what happens is gathered before it is dealt with


@dataclass(frozen=True, slots=True)
class _People:
    """Whose absence matters: the players with a seat, and their names by player, and the host."""

    names: Mapping[str, str]
    host: str


@dataclass(slots=True, eq=False)
class _Table:
    """A room with viewers here. `people` is None while it isn't known who is seated.

    `newcomers` haven't been told who is there; `text` is what the others were told. `look_at` is the instant
    of the next look, None for none.
    """

    code: str
    known: Leases
    viewers: dict[str, Viewer] = field(default_factory=dict)
    newcomers: list[Viewer] = field(default_factory=list)
    people: _People | None = None
    shown: Attendance | None = None
    text: str = ""
    look_at: int | None = None


class Presences:
    """Who is at the tables of this process."""

    def __init__(self, store: RoomStore, service: RoomService, *, now: Now, timing: Timing) -> None:
        self._store = store
        self._service = service
        self._now = now
        self._timing = timing
        self._worker = secrets.token_hex(8)
        self._tables: dict[str, _Table] = {}
        self._changed: dict[str, Viewer] = {}  # by connection: whose lease is to be written now
        self._ended: dict[str, str] = {}  # by connection: the room in which its lease is to be ended
        self._to_hint: set[str] = set()
        self._to_read: set[str] = set()
        self._next_round = 0.0  # when all leases are to be renewed, on the loop's clock
        self._next_scan = 0.0  # when tables that are due are to be looked for, on the loop's clock
        self._judge_from = 0  # the instant from which those who are gone have consequences
        self._woken = asyncio.Event()

    def enter(self, viewer: Viewer) -> None:
        """A socket is at its table now: it is told who is there, and the others of it."""
        table = self._tables.get(viewer.code)
        if table is None:
            table = self._tables[viewer.code] = _Table(viewer.code, Leases(known_since=self._now()))
        table.viewers[viewer.connection] = viewer
        table.newcomers.append(viewer)
        self._change(viewer)

    def leave(self, viewer: Viewer) -> None:
        """A socket is at its table no more."""
        table = self._tables.get(viewer.code)
        if table is None or table.viewers.pop(viewer.connection, None) is None:
            return
        if not table.viewers:
            del self._tables[viewer.code]
        self._changed.pop(viewer.connection, None)
        self._ended[viewer.connection] = viewer.code
        self._note(viewer.code)

    def set_away(self, viewer: Viewer, *, is_away: bool) -> None:
        """The viewer's page is hidden, or seen again."""
        if viewer.is_away != is_away:
            viewer.is_away = is_away
            self._change(viewer)

    def tell(self, viewer: Viewer) -> None:
        """Say again who is at the table, after a snapshot."""
        table = self._tables.get(viewer.code)
        if table is not None and table.text:
            viewer.outbox.pass_on(table.text)

    def hinted(self, code: str, worker: str) -> None:
        """Who sits or looks on at a table has changed, says a worker."""
        table = self._tables.get(code)
        if worker != self._worker and table is not None:
            table.people = None
            self._to_read.add(code)
            self._woken.set()

    async def run(self) -> None:
        """Keep leases alive and tables told, until cancelled."""
        while True:
            await self._wait()
            try:
                await self.work()
            except StoreUnavailable as error:
                self._distrust()
                _log.warning("the store doesn't answer about who is at the tables: %s", error)
                await asyncio.sleep(self._timing.look)
            except Exception:  # noqa: BLE001 - tables are to be told on, whatever defect one of them has
                _log.exception("who is at the tables can't be told")
                await asyncio.sleep(self._timing.look)

    async def work(self) -> None:
        """Do what is to be done now. Raises StoreUnavailable: what couldn't be done stays to be done."""
        self._listen()
        await self._renew()
        await self._release()
        await self._hint()
        changed = await self._read()
        for at, table in enumerate([*changed, *self._due()]):
            await self._look_without_fail(table)
            if at % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)

    def _listen(self) -> None:
        """Treat who isn't heard any more as if his socket had ended, until he is heard again."""
        clock = asyncio.get_running_loop().time()
        if clock < self._next_scan:
            return
        for viewer in listen(self._everybody(), clock, self._timing):
            if viewer.is_silent:
                self._changed.pop(viewer.connection, None)
                self._ended[viewer.connection] = viewer.code
                self._note(viewer.code)
            else:
                self._ended.pop(viewer.connection, None)
                self._change(viewer)

    def _distrust(self) -> None:
        """Leases may have run out while the store was away, or be forgotten.

        Once it is back all are renewed before any is judged, those of other workers too.
        """
        self._next_round = 0.0
        now = self._now()
        self._judge_from = now + self._timing.patience.worse
        for table in self._tables.values():
            table.known = replace(table.known, known_since=now)

    def _due(self) -> list[_Table]:
        """Tables at which time alone may have changed something; asked for from time to time."""
        clock = asyncio.get_running_loop().time()
        if clock < self._next_scan:
            return []
        self._next_scan = clock + self._timing.look
        now = self._now()
        return [
            table for table in self._tables.values() if table.look_at is not None and table.look_at <= now
        ]

    def _change(self, viewer: Viewer) -> None:
        self._changed[viewer.connection] = viewer
        self._note(viewer.code)

    def _note(self, code: str) -> None:
        self._to_hint.add(code)
        self._to_read.add(code)
        self._woken.set()

    async def _wait(self) -> None:
        """Until something happens, or time alone may have changed something."""
        try:
            async with asyncio.timeout(self._timing.look):
                await self._woken.wait()
        except TimeoutError:
            return
        # What comes together is done together, and nobody can make it happen all the time.
        await asyncio.sleep(self._timing.look * _GATHERED)
        self._woken.clear()

    async def _renew(self) -> None:
        clock = asyncio.get_running_loop().time
        is_round = clock() >= self._next_round
        wanted = self._everybody() if is_round else self._changed.values()
        viewers = [viewer for viewer in wanted if not viewer.is_silent]
        for part in _parts(viewers):
            await self._renew_some(part)
            await asyncio.sleep(0)  # others have to be served too
        if is_round:
            self._next_round = clock() + self._timing.renew
            self._to_read.update(self._tables)

    async def _renew_some(self, viewers: Sequence[Viewer]) -> None:
        leases = [Lease(one.code, one.identity.player, one.connection, one.is_away) for one in viewers]
        await self._store.renew(leases, self._now())
        for viewer, lease in zip(viewers, leases, strict=True):
            if viewer.is_away == lease.is_away:
                self._changed.pop(viewer.connection, None)

    def _everybody(self) -> Iterable[Viewer]:
        return (viewer for table in self._tables.values() for viewer in table.viewers.values())

    async def _release(self) -> None:
        for connection, code in list(self._ended.items()):
            await self._store.release(code, connection, self._now())
            del self._ended[connection]

    async def _hint(self) -> None:
        for code in list(self._to_hint):
            await self._store.relay(code, wire.presence_hint(self._worker))
            self._to_hint.discard(code)

    async def _read(self) -> list[_Table]:
        """Read leases anew where they may have changed; the tables at which they have."""
        changed = []
        for codes in _parts([code for code in self._to_read if code in self._tables]):
            leases = await self._store.leases_of(codes, self._now())
            for code in codes:
                self._to_read.discard(code)
                table = self._tables.get(code)
                if table is not None and self._has_changed(table, tuple(leases.get(code, ()))):
                    table.look_at = self._now()  # also when the store fails before its look
                    changed.append(table)
            await asyncio.sleep(0)
        self._to_read.intersection_update(self._tables)
        return changed

    def _has_changed(self, table: _Table, leases: tuple[SeenLease, ...]) -> bool:
        """Take the leases that were read; whether the table is to be looked at now."""
        before, table.known = table.known.leases, replace(table.known, leases=leases)
        if table.people is None or table.newcomers:
            return True
        now = self._now()
        # Those that were merely renewed need no look: that of before comes early enough.
        return _essence(before, now) != _essence(leases, now)

    async def _look_without_fail(self, table: _Table) -> None:
        """Look at a table. Whatever is wrong with it, the others have their look. Raises StoreUnavailable."""
        try:
            await self._look(table)
        except StoreUnavailable:
            raise
        except RoomNotFound:
            table.look_at = None  # the hub tells its viewers
        except Exception:  # noqa: BLE001 - the others must be looked at
            table.look_at = self._now() + self._timing.patience.worse
            _log.exception("who is at a table can't be told", extra={"room": table.code})

    async def _look(self, table: _Table) -> None:
        people = table.people or _people_of((await self._store.load(table.code)).room)
        table.people = people
        now, patience = self._now(), self._timing.patience
        table.shown = attend(table.shown, people.names, table.known, now, patience=patience)
        self._show(table, wire.presence(people.names, table.shown))
        table.look_at = next_look(table.shown, table.known, now, patience)
        if any(self._see(table, player).presence is Presence.GONE for player in (*people.names, people.host)):
            await self._adjudicate(table)
            again = now + patience.gone // 12
            table.look_at = again if table.look_at is None else min(table.look_at, again)

    def _show(self, table: _Table, text: str) -> None:
        """Tell everybody what is new, and newcomers all the same."""
        told = table.viewers.values() if text != table.text else table.newcomers
        for viewer in told:
            viewer.outbox.pass_on(text)
        table.text = text
        table.newcomers = []

    def _see(self, table: _Table, player: str) -> Sight:
        return sight_of(player, table.known, self._now(), self._timing.patience)

    async def _adjudicate(self, table: _Table) -> None:
        """Make the offer to the others, or pass the host role on, where it is time. Others may be first."""
        if self._now() < self._judge_from:
            return
        stored = await self._store.load(table.code)

        def see(player: str) -> Sight:
            return self._see(table, player)

        onlookers = [
            (viewer.identity.player, viewer.identity.name)
            for viewer in table.viewers.values()
            if not viewer.is_away and not viewer.is_silent
        ]
        gone_ms = self._timing.patience.gone
        command: CallOut | PassHost | None = call_out(stored.room, see, self._now(), gone_ms)
        command = command or pass_host(stored.room, see, onlookers)
        if command is not None:
            try:
                await self._service.carry_out_on(stored, command)
            except (Conflict, RoomRefusal) as error:
                _log.info("room %s has changed meanwhile: %s", table.code, error, extra={"room": table.code})


def _parts(whole: Sequence[T]) -> Iterator[Sequence[T]]:
    """Parts that a store is asked about at once, so that nobody has to wait for all of them."""
    return (whole[first : first + _AT_ONCE] for first in range(0, len(whole), _AT_ONCE))


def _essence(leases: Iterable[SeenLease], now: int) -> set[tuple[str, bool, bool]]:
    return {(lease.connection, lease.is_away, lease.until > now) for lease in leases}


def _people_of(room: Room) -> _People:
    names: dict[str, str] = {}
    for seat in room.seats:
        if seat.is_present:
            names.setdefault(seat.player, seat.name)  # of several seats the first isn't lent to another
    return _People(names, room.host)
