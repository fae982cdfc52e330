"""What waits for all slow readers together: bounded, and the one that has been stuck longest goes first."""

import asyncio
from pathlib import Path

from app.rooms.backlog import BUFFERED_BYTES, Backlog
from app.rooms.closing import CloseCode
from app.rooms.limits import Limits
from app.rooms.meters import By
from app.rooms.outbox import Outbox
from tests.patience import PATIENCE_SECONDS
from tests.rooms.play import table_of
from tests.rooms.player import connected
from tests.rooms.serving import Rooms, serving

SMALL_BUFFER = 4096
MESSAGE = "a" * 1000
ROOM_FOR_TWO = 2 * BUFFERED_BYTES + 10 * len(MESSAGE)
DEAF = 16
PINGS = 50
MOST = 5 * BUFFERED_BYTES
ANSWER_BYTES = 100


def stuck_in(backlog: Backlog, cut: list[str], name: str) -> Outbox:
    """An outbox for which one message waits."""
    outbox = Outbox(backlog=backlog)
    outbox.abort = lambda: cut.append(name)
    outbox.pass_on(MESSAGE)
    return outbox


async def test_who_has_been_stuck_longest_is_cut_off_when_all_together_hold_too_much() -> None:
    backlog, cut = Backlog(ROOM_FOR_TWO), list[str]()
    first, second = stuck_in(backlog, cut, "first"), stuck_in(backlog, cut, "second")
    first.next()
    first.pass_on(MESSAGE)
    stuck_in(backlog, cut, "third")
    assert cut == ["second"], "the first has moved on meanwhile"
    assert (len(first), len(second)) == (1, 0)


async def test_one_that_loses_its_updates_is_as_stuck_as_before() -> None:
    backlog, cut = Backlog(ROOM_FOR_TWO), list[str]()
    first = stuck_in(backlog, cut, "first")
    stuck_in(backlog, cut, "second")
    first.lose()
    stuck_in(backlog, cut, "third")
    assert cut == ["first"]


async def test_what_is_sent_given_up_or_dropped_counts_no_more() -> None:
    backlog = Backlog()
    sent, given_up, dropped, lost = (stuck_in(backlog, [], "any") for _ in range(4))
    lost.begin()
    lost.finish(3, [MESSAGE])
    assert backlog.held == 4 * BUFFERED_BYTES + 5 * len(MESSAGE)
    lost.lose()
    given_up.forget()
    assert backlog.held == 4 * BUFFERED_BYTES + 2 * len(MESSAGE) + len(MESSAGE)
    sent.rest()
    sent.settle()
    for outbox in (given_up, dropped, lost):
        outbox.drop()
    assert backlog.held == 0


async def test_sockets_that_never_read_hold_no_more_than_the_bound_and_others_go_on(tmp_path: Path) -> None:
    limits = Limits(stuck_seconds=PATIENCE_SECONDS, player_messages_burst=1e6, catch_up_bytes_burst=1e9)
    async with (
        serving(tmp_path, limits=limits, send_buffer=SMALL_BUFFER) as rooms,
        table_of(rooms) as (lija, medo),
    ):
        rooms.hub.backlog = Backlog(MOST)
        held = [0]
        deaf = [asyncio.create_task(be_deaf(rooms, lija.code)) for _ in range(DEAF)]
        async with asyncio.timeout(PATIENCE_SECONDS):
            while rooms.hub.meters.closes[By.SERVER, CloseCode.TOO_SLOW] < DEAF // 2:
                held.append(held_by(rooms))
                await asyncio.sleep(0)
        await medo.see((await lija.act("roll", hold=[]))["version"])
        for each in deaf:
            each.cancel()
        await asyncio.wait(deaf)
        assert BUFFERED_BYTES < max(held) < 2 * MOST < DEAF * BUFFERED_BYTES
    assert rooms.hub.backlog.held == 0


def held_by(rooms: Rooms) -> int:
    """What the transports and outboxes of all sockets hold, in bytes."""
    viewers = rooms.hub.viewers()
    written = sum(viewer.line.transport.get_write_buffer_size() for viewer in viewers if viewer.line)
    return written + sum(rooms.hub.queues()) * ANSWER_BYTES


async def be_deaf(rooms: Rooms, code: str) -> None:
    """Ask for every update over and over, and never read an answer."""
    async with connected(rooms, "Zec", code, receive_buffer=SMALL_BUFFER) as deaf:
        await deaf.hello()
        deaf.socket.transport.pause_reading()
        try:
            for _ in range(PINGS):
                await deaf.send({"type": "ping", "version": 0})
            await asyncio.Event().wait()
        finally:
            deaf.socket.transport.abort()
