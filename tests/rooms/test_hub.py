"""The way back after missed updates: a gap, a resync, a store that lost data."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from app.rooms.closing import Close, CloseCode
from app.rooms.commands import Join, MarkReady
from app.rooms.hub import Hub, Viewer
from app.rooms.service import RoomService
from app.rooms.store import RoomNotFound, Stored, StoreUnavailable, Watcher
from tests.around_store import AroundStore
from tests.patience import PATIENCE_SECONDS
from tests.rooms.outboxes import next_of
from tests.rooms.player import at_table
from tests.rooms.serving import serving_from
from tests.rooms.tables import NAMES, NOW, identity
from tests.rooms.test_service import asked
from tests.values import replace


class LossyStore(AroundStore):
    """A store whose news get lost while `is_silent`; it may be away, have lost data, or the room."""

    is_silent = False
    failures = 0
    epoch: str | None = None
    is_gone = False
    watched = 0

    def watch(self, code: str) -> None:
        self.watched += 1
        super().watch(code)

    def unwatch(self, code: str) -> None:
        self.watched -= 1
        super().unwatch(code)

    async def open(self, watcher: Watcher) -> None:
        await super().open(_Ear(self, watcher))

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        found = await super().versions(codes)
        if self.is_gone:
            return dict.fromkeys(found)
        return {code: (self.epoch or was[0], was[1]) if was else None for code, was in found.items()}

    async def load(self, code: str) -> Stored:
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("away")
        if self.is_gone:
            raise RoomNotFound(code)
        stored = await super().load(code)
        return replace(stored, epoch=self.epoch) if self.epoch else stored


class _Ear:
    """Hears what the store tells, and passes on what isn't lost."""

    def __init__(self, store: LossyStore, watcher: Watcher) -> None:
        self._store = store
        self._watcher = watcher

    def updated(self, code: str, version: int, update: bytes) -> None:
        if not self._store.is_silent:
            self._watcher.updated(code, version, update)

    def relayed(self, code: str, message: bytes) -> None:
        self._watcher.relayed(code, message)

    def resynced(self) -> None:
        self._watcher.resynced()


class Table:
    """A room with its host, a viewer of it, and the store under both."""

    def __init__(self, store: LossyStore, hub: Hub, code: str) -> None:
        self.store = store
        self.hub = hub
        self.viewer = Viewer(code, identity("Medo"))
        self._service = RoomService(store, now=lambda: NOW, draw=bytes, on_finished=lambda: None)
        self._requests = 0

    async def change(self) -> None:
        """One more version of the room."""
        self._requests += 1
        ready = MarkReady(ready=bool(self._requests % 2))
        await self._service.carry_out(asked(self.viewer.code, "Lija", f"r{self._requests}", ready))

    async def next_version(self) -> int:
        """The version of the next message to the viewer."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            message = await next_of(self.viewer.outbox)
        assert message is not None
        return int(json.loads(message)["version"])


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """A viewer of a room at version 1, brought up to date."""
    store = LossyStore(tmp_path / "rooms.db")
    hub = Hub(store)
    await store.open(hub)
    service = RoomService(store, now=lambda: NOW, draw=bytes, on_finished=lambda: None)
    code = (await service.create(identity("Lija"), "papir", 8)).room.code
    await service.carry_out(asked(code, "Lija", "join", Join("x")))
    table = Table(store, hub, code)
    hub.attach(table.viewer)
    await hub.bring_up_to_date(table.viewer)
    assert await table.next_version() == 1
    yield table
    hub.detach(table.viewer)
    await store.close()


async def test_every_update_is_passed_on_in_order(table: Table) -> None:
    for _ in range(3):
        await table.change()
    assert [await table.next_version() for _ in range(3)] == [2, 3, 4]


async def test_a_gap_is_filled_from_the_store(table: Table) -> None:
    table.store.is_silent = True
    for _ in range(3):
        await table.change()
    table.store.is_silent = False
    await table.change()
    assert [await table.next_version() for _ in range(4)] == [2, 3, 4, 5]


async def test_what_was_missed_before_a_resync_is_asked_for(table: Table) -> None:
    table.store.is_silent = True
    for _ in range(2):
        await table.change()
    table.hub.resynced()
    assert [await table.next_version() for _ in range(2)] == [2, 3]


async def test_a_resync_without_a_loss_sends_nothing(table: Table) -> None:
    table.hub.resynced()
    await table.change()
    assert await table.next_version() == 2
    assert not table.viewer.outbox.is_lost


async def test_a_store_that_is_away_is_asked_again(table: Table) -> None:
    table.store.is_silent = True
    await table.change()
    table.store.failures = 1
    table.hub.resynced()
    assert await table.next_version() == 2


async def test_more_missed_than_the_store_keeps_makes_a_snapshot_due(table: Table) -> None:
    table.store.is_silent = True
    for _ in range(130):
        await table.change()
    table.hub.resynced()
    assert await next_of(table.viewer.outbox) is None
    await table.hub.bring_up_to_date(table.viewer)
    assert await table.next_version() == 131


async def test_a_store_that_lost_data_makes_a_snapshot_due(table: Table) -> None:
    table.store.epoch = "new"
    table.hub.resynced()
    assert await next_of(table.viewer.outbox) is None
    await table.hub.bring_up_to_date(table.viewer)
    assert json.loads(await next_of(table.viewer.outbox) or "")["epoch"] == "new"
    await table.change()
    assert await table.next_version() == 2


async def test_a_room_that_is_gone_tells_and_closes_its_sockets(table: Table) -> None:
    table.store.is_gone = True
    table.hub.resynced()
    await expect_the_end(table)


async def test_an_audit_finds_a_room_that_has_expired(table: Table) -> None:
    await table.hub.audit()
    assert not len(table.viewer.outbox)
    table.store.is_gone = True
    await table.hub.audit()
    await expect_the_end(table)


async def expect_the_end(table: Table) -> None:
    """The viewer is told that the room has expired, and closed."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await next_of(table.viewer.outbox) == '{"type":"notice","code":"expired"}'
        with pytest.raises(Close) as close:
            await next_of(table.viewer.outbox)
    assert close.value.code is CloseCode.ROOM_GONE


async def test_an_audit_finds_what_nobody_was_told_of(table: Table) -> None:
    table.store.is_silent = True
    for _ in range(2):
        await table.change()
    await table.hub.audit()
    assert [await table.next_version() for _ in range(2)] == [2, 3]


async def test_an_audit_finds_that_the_store_has_lost_data(table: Table) -> None:
    table.store.epoch = "new"
    await table.hub.audit()
    assert await next_of(table.viewer.outbox) is None


async def test_audits_go_on_when_the_store_was_away(table: Table) -> None:
    await table.store.close()
    auditing = asyncio.create_task(table.hub.run_audits(0.001))
    await asyncio.wait([auditing], timeout=0.05)
    assert not auditing.done()
    auditing.cancel()


async def test_a_newcomer_who_is_ahead_of_what_was_heard_makes_the_hub_catch_up(table: Table) -> None:
    table.store.is_silent = True
    await table.change()
    newcomer = Viewer(table.viewer.code, identity("Zec"))
    table.hub.attach(newcomer)
    await table.hub.bring_up_to_date(newcomer)
    assert await table.next_version() == 2
    table.hub.detach(newcomer)


async def test_a_client_that_is_ahead_of_what_was_heard_makes_the_hub_catch_up(table: Table) -> None:
    table.store.is_silent = True
    await table.change()
    await table.hub.answer_ping(table.viewer, 2)
    assert [await table.next_version() for _ in range(2)] == [1, 2]  # the pong, then the update


async def test_before_a_restart_viewers_are_told_at_once_and_closed_one_after_the_other(table: Table) -> None:
    clock = asyncio.get_running_loop().time
    told: list[float] = []
    closed: list[float] = []
    codes: set[CloseCode] = set()

    async def look_on(viewer: Viewer) -> None:
        try:
            while await next_of(viewer.outbox) == '{"type":"notice","code":"restarting"}':
                told.append(clock())
        except Close as close:
            closed.append(clock())
            codes.add(close.code)
        table.hub.detach(viewer)

    viewers = [Viewer(table.viewer.code, identity(name)) for name in NAMES]
    for viewer in viewers:
        table.hub.attach(viewer)
    table.hub.detach(table.viewer)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.gather(table.hub.drain(0.4), *(look_on(viewer) for viewer in viewers))
    table.hub.attach(table.viewer)
    assert max(told) < closed[1]
    assert codes == {CloseCode.RESTART}
    assert closed[-1] - closed[0] > 0.3
    assert len(told) == len(closed) == len(NAMES)


async def test_a_room_without_viewers_is_no_longer_followed(table: Table) -> None:
    other = Viewer(table.viewer.code, identity("Zec"))
    table.hub.attach(other)
    table.hub.detach(table.viewer)
    table.hub.detach(other)
    assert table.store.watched == 0
    table.hub.attach(table.viewer)
    assert table.store.watched == 1


async def test_a_snapshot_in_place_of_what_was_missed_reaches_the_client(tmp_path: Path) -> None:
    store = LossyStore(tmp_path / "rooms.db")
    async with serving_from(store) as rooms, at_table(rooms, "Lija", await rooms.make()) as lija:
        await lija.must("join", text="x")
        store.is_silent = True
        for _ in range(130):
            await lija.command("ready", ready=True)
        rooms.hub.resynced()
        await lija.receive_until(type="welcome")
        assert lija.version == 131
        store.is_silent = False
        await lija.must("ready", ready=False)
