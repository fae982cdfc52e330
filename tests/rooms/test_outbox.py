"""What waits for one socket: no gap, no double, bounded."""

import asyncio

import pytest

from app.rooms.closing import Close, CloseCode
from app.rooms.outbox import Due, Outbox


def open_at(version: int, limit: int = 4) -> Outbox:
    """An outbox whose client has been brought to a version."""
    outbox = Outbox(limit)
    outbox.begin()
    outbox.finish(version, [])
    return outbox


def taken(outbox: Outbox) -> list[str | None]:
    """All that can be taken out without waiting; None, once, when a snapshot is due."""
    messages: list[str | None] = []
    while (message := outbox.next()) is not Due.NOTHING:
        if message is Due.SNAPSHOT:
            return [*messages, None]
        messages.append(message)
    return messages


async def test_updates_come_out_in_order() -> None:
    outbox = open_at(3)
    outbox.offer(4, "four")
    outbox.offer(5, "five")
    assert taken(outbox) == ["four", "five"]


async def test_an_update_that_is_there_already_is_dropped() -> None:
    outbox = open_at(3)
    outbox.offer(3, "three")
    outbox.offer(4, "four")
    outbox.offer(4, "four again")
    assert taken(outbox) == ["four"]


async def test_updates_that_come_while_a_snapshot_is_made_follow_it() -> None:
    outbox = Outbox()
    outbox.begin()
    for version in (4, 5, 6):
        outbox.offer(version, str(version))
    outbox.finish(5, ["snapshot of 5"])
    outbox.offer(7, "7")
    assert taken(outbox) == ["snapshot of 5", "6", "7"]


async def test_after_a_gap_a_snapshot_is_due() -> None:
    outbox = open_at(3)
    outbox.offer(5, "five")
    outbox.offer(4, "four")
    assert taken(outbox) == [None]


async def test_a_full_outbox_has_a_snapshot_in_place_of_its_updates_and_keeps_answers() -> None:
    outbox = open_at(0)
    await outbox.answer("ok")
    for version in range(1, 10):
        outbox.offer(version, str(version))
    assert taken(outbox) == ["ok", None]
    outbox.begin()
    outbox.offer(10, "10")
    outbox.finish(9, ["snapshot of 9"])
    assert taken(outbox) == ["snapshot of 9", "10"]


async def test_too_many_updates_while_a_snapshot_is_made_make_another_one_due() -> None:
    outbox = Outbox(limit=2)
    outbox.begin()
    for version in range(1, 6):
        outbox.offer(version, str(version))
    outbox.finish(2, ["snapshot of 2"])
    assert taken(outbox)[-1] is None


async def test_an_answer_waits_for_room() -> None:
    outbox = open_at(0, limit=1)
    await outbox.answer("first")
    waiting = asyncio.ensure_future(outbox.answer("second"))
    assert outbox.next() == "first"
    await waiting
    assert outbox.next() == "second"


async def test_a_passing_message_is_dropped_when_full() -> None:
    outbox = open_at(0, limit=1)
    await outbox.answer("ok")
    outbox.pass_on("holding")
    assert taken(outbox) == ["ok"]


async def test_the_end_comes_after_what_waits() -> None:
    outbox = open_at(0)
    outbox.pass_on("notice")
    outbox.end(CloseCode.RESTART)
    outbox.end(CloseCode.ROOM_GONE)
    assert outbox.next() == "notice"
    with pytest.raises(Close) as close:
        outbox.next()
    assert close.value.code is CloseCode.RESTART


class Socket:
    """Takes messages as long as `takes` says so."""

    def __init__(self) -> None:
        self.takes = True
        self.got: list[str] = []

    def send_now(self, message: str) -> bool:
        """Whether it was taken."""
        if self.takes:
            self.got.append(message)
        return self.takes


async def test_a_socket_that_takes_messages_is_given_them_at_once() -> None:
    outbox, sock = open_at(3), Socket()
    outbox.send_now = sock.send_now
    outbox.offer(4, "four")
    await outbox.answer("ok")
    assert sock.got == ["four", "ok"]
    assert len(outbox) == 0
    assert outbox.version == 4


async def test_nothing_overtakes_what_waits_or_is_being_sent() -> None:
    outbox, sock = open_at(3), Socket()
    outbox.send_now = sock.send_now
    sock.takes = False
    outbox.offer(4, "four")
    sock.takes = True
    outbox.offer(5, "five")
    assert outbox.next() == "four"
    assert outbox.next() == "five"
    outbox.offer(6, "six")  # while the writer is sending five
    assert sock.got == []
    assert outbox.next() == "six"
    assert outbox.next() is Due.NOTHING
    outbox.offer(7, "seven")
    assert sock.got == ["seven"]


async def test_a_writer_is_woken_only_where_something_is_to_be_done() -> None:
    outbox, sock, woken = open_at(3), Socket(), []
    outbox.send_now = sock.send_now
    outbox.wake = lambda: woken.append(outbox.is_idle)
    outbox.offer(4, "four")
    assert outbox.is_idle
    assert outbox.has_sent(4)
    assert not woken
    sock.takes = False
    outbox.offer(5, "five")
    assert not outbox.has_sent(5)
    outbox.lose()
    outbox.end(CloseCode.RESTART)
    assert outbox.is_at_end
    assert woken == [False] * 3


async def test_whoever_waits_for_room_where_nobody_reads_any_more_waits_no_longer() -> None:
    outbox = open_at(0, limit=1)
    await outbox.answer("first")
    waiting = asyncio.ensure_future(outbox.answer("second"))
    await asyncio.sleep(0)
    outbox.drop()
    await waiting
    outbox.pass_on("third")
    assert not len(outbox)
