"""What many rooms, and a client that never reads, leave behind: nothing that grows."""

import asyncio
import gc
import logging
import sys
from pathlib import Path

import pytest

from app.rooms.hub import Viewer
from app.rooms.limits import Limits
from app.rooms.local_store import LocalStore
from app.rooms.outbox import LIMIT
from tests.rooms.player import Player, at_table, connected
from tests.rooms.serving import Rooms, make_rooms, serving
from tests.rooms.tables import NAMES, identity

_LOBBY_MS = 30 * 60 * 1000
_AT_ONCE = 1000
_SMALL_BUFFER = 4096
_STEPS = 600


class Clock:
    """Seconds since 1970, moved on by hand."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now


async def open_and_close(rooms: Rooms, clock: Clock, count: int) -> None:
    """Make that many rooms, look at each through a viewer, and let their time run out.

    Nobody waits for the journal to forget them: one more room is written after that, and then goes too.
    """
    for _ in range(count // _AT_ONCE):
        codes = await asyncio.gather(*(rooms.make() for _ in range(_AT_ONCE)))
        viewers = [Viewer(code, identity(NAMES[0])) for code in codes]
        for viewer in viewers:
            rooms.hub.attach(viewer)
        await asyncio.gather(*(rooms.hub.bring_up_to_date(viewer) for viewer in viewers))
        for viewer in viewers:
            rooms.hub.detach(viewer)
        await let_end(rooms, clock)
    await rooms.make()
    await let_end(rooms, clock)


async def let_end(rooms: Rooms, clock: Clock) -> None:
    """Let the time of all rooms run out, and sweep them as the workers do all the time."""
    clock.now += _LOBBY_MS / 1000 + 1
    await rooms.store.due(int(clock.now * 1000), 1)


async def test_ten_thousand_rooms_opened_and_closed_leave_memory_and_subscriptions_flat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # The test run would keep a line about each room, where a test before has begun to log them.
    caplog.set_level(logging.WARNING)
    clock = Clock()
    store = LocalStore(tmp_path / "rooms.db", clock=clock)
    rooms = make_rooms(store)
    await store.open(rooms.hub)
    try:
        await open_and_close(rooms, clock, 3000)
        gc.collect()
        blocks = sys.getallocatedblocks()
        await open_and_close(rooms, clock, 7000)
        gc.collect()
        grown = sys.getallocatedblocks() - blocks
        assert grown < 7000, "less than one object a room"
        assert sum((await store.census()).values()) == 0
        assert rooms.hub.watched == 0
    finally:
        await store.close()


async def test_a_client_that_never_reads_costs_bounded_memory_and_disturbs_nobody(tmp_path: Path) -> None:
    limits = Limits(stuck_seconds=30, messages_burst=1e6, player_messages_burst=1e6)
    async with (
        serving(tmp_path, limits=limits, send_buffer=_SMALL_BUFFER) as rooms,
        at_table(rooms, "Lija", await rooms.make()) as lija,
        connected(rooms, "Zec", lija.code, receive_buffer=_SMALL_BUFFER) as deaf,
    ):
        await deaf.hello()
        deaf.socket.transport.pause_reading()
        await lija.must("join", text="x")
        longest = await toggle(lija, rooms)
        assert LIMIT // 2 < longest <= LIMIT
        assert max(rooms.hub.queues()) < longest, "what waited was dropped for one snapshot"
        first, last = lija.versions[0], lija.versions[-1]
        assert lija.versions == list(range(first, last + 1)), "nothing is missing where somebody reads"
        assert last > _STEPS
        deaf.socket.transport.abort()


async def toggle(player: Player, rooms: Rooms) -> int:
    """Step after step, each of which every viewer is told of. The most messages that ever waited for one."""
    longest = 0
    for step in range(_STEPS):
        await player.must("ready", ready=step % 2 == 0)
        longest = max(longest, *rooms.hub.queues())
    return longest
