"""A clock that leaves out what the machine's clock jumps, and the rooms that go on by it."""

from pathlib import Path

import pytest

from app.clock import SteadyClock
from app.rooms.local_store import COMING_BACK_MS, LocalStore
from app.rooms.meters import Meters
from app.rooms.room import Phase
from app.rooms.schedule import KEEP_MS
from app.rooms.store import DueRoom, Lease, RoomNotFound
from tests.contract.listener import Listener
from tests.contract.samples import CODE, make_lobby, make_room, next_commit

NOW = 1_700_000_000_000
HOUR = 3_600_000
DAY = 24 * HOUR


class Machine:
    """A wall clock in milliseconds and a stopwatch in seconds."""

    def __init__(self) -> None:
        self.now, self.seconds = NOW, 5.0

    def wall(self) -> int:
        return self.now

    def stopwatch(self) -> float:
        return self.seconds

    def pass_by(self, ms: int) -> None:
        self.now += ms
        self.seconds += ms / 1000


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def clock(machine: Machine) -> SteadyClock:
    return SteadyClock(machine.wall, machine.stopwatch)


@pytest.mark.parametrize("jump", [HOUR, 3 * DAY, -HOUR, 2_001, -2_001])
def test_a_jump_is_left_out_and_told_once(
    machine: Machine, clock: SteadyClock, caplog: pytest.LogCaptureFixture, jump: int
) -> None:
    machine.pass_by(500)
    assert clock() == NOW + 500
    machine.now += jump
    machine.pass_by(250)
    assert [clock() for _ in range(3)] == [NOW + 750] * 3
    machine.pass_by(DAY)
    assert clock() == NOW + 750 + DAY
    assert clock.wall_of(clock()) == machine.now
    told = [record.message for record in caplog.records]
    assert len(told) == 1
    assert told[0].startswith(f"the clock of this machine jumped by {jump / 1000:.1f} s: ")


def test_a_correction_is_followed(machine: Machine, clock: SteadyClock) -> None:
    machine.now += 1_500
    assert clock() == NOW + 1_500


async def opened(path: Path, clock: SteadyClock) -> LocalStore:
    store = LocalStore(path, clock=lambda: clock() / 1000)
    await store.open(Listener())
    return store


async def test_rooms_outlive_a_jump_and_end_when_their_time_has_passed(
    tmp_path: Path, machine: Machine, clock: SteadyClock
) -> None:
    store = await opened(tmp_path / "rooms.db", clock)
    await store.create(make_lobby("LOBBY"), KEEP_MS[Phase.LOBBY])
    await store.create(make_room("GAME"), KEEP_MS[Phase.PLAYING])
    for jump in (HOUR, 3 * DAY, -5 * DAY):
        machine.now += jump
        await store.due(clock(), 9)
        assert (await store.versions(["LOBBY", "GAME"])).keys() == {"LOBBY", "GAME"}
        await store.load("LOBBY")
        await store.load("GAME")
    machine.pass_by(KEEP_MS[Phase.LOBBY])
    with pytest.raises(RoomNotFound):
        await store.load("LOBBY")
    await store.load("GAME")
    await store.close()


async def test_a_timer_fires_after_its_time_whatever_the_clock_did(
    tmp_path: Path, machine: Machine, clock: SteadyClock
) -> None:
    store = await opened(tmp_path / "rooms.db", clock)
    due = clock() + 1_000
    await store.commit(next_commit(await store.create(make_room()), due=due))
    assert await store.due(clock(), 9) == []
    machine.now -= HOUR
    machine.pass_by(1_000)
    assert await store.due(clock(), 9) == [DueRoom(CODE, due)]
    await store.close()


async def test_no_room_ends_while_somebody_is_there(tmp_path: Path, machine: Machine) -> None:
    store = LocalStore(tmp_path / "rooms.db", clock=lambda: machine.now / 1000)
    await store.open(Listener())
    await store.create(make_room(), HOUR)
    machine.now += HOUR - 1
    await store.renew([Lease(CODE, "ana", "1", is_away=False)], machine.now)
    machine.now += 1
    await store.due(machine.now, 9)
    await store.load(CODE)
    machine.now += 30_000
    with pytest.raises(RoomNotFound):
        await store.load(CODE)
    await store.close()


async def test_after_a_start_every_room_waits_for_its_players_to_come_back(
    tmp_path: Path, machine: Machine, clock: SteadyClock
) -> None:
    store = await opened(tmp_path / "rooms.db", clock)
    await store.create(make_room(), HOUR)
    await store.close()
    machine.now += 3 * DAY
    clock = SteadyClock(machine.wall, machine.stopwatch)
    store = await opened(tmp_path / "rooms.db", clock)
    machine.pass_by(COMING_BACK_MS - 1)
    await store.due(clock(), 9)
    await store.load(CODE)
    machine.pass_by(1)
    with pytest.raises(RoomNotFound):
        await store.load(CODE)
    await store.close()


def test_how_late_frames_are_is_told_by_the_clock_that_updates_are_told_by(
    machine: Machine, clock: SteadyClock
) -> None:
    meters = Meters(clock)
    machine.now += HOUR
    update = f'{{"type":"update","version":1,"at":{clock()}}}'
    assert any(meters.fan_out(update) for _ in range(16))
    machine.pass_by(50)
    meters.sent(update)
    assert meters.frames.sum == pytest.approx(0.05)
