"""Whatever is cancelled, and in whichever turn of the loop: a command is done once or not at all."""

import asyncio

from app.rooms.commands import Command, SetChat
from app.rooms.service import Asked
from tests.patience import PATIENCE_SECONDS
from tests.rooms.player import at_table
from tests.rooms.serving import Rooms
from tests.rooms.tables import NAMES
from tests.rooms.test_service import ROLL, asked, start_game

TURNS = (*range(12), 20, 40, 80, 160, 320, 640)  # of the loop, before it is cancelled; the last find it done


async def cancelled_after(rooms: Rooms, command: Asked, turns: int) -> bool:
    """Whether a command was cancelled so many turns of the loop after it was given; else it was done then."""
    task = asyncio.create_task(rooms.service.carry_out(command))
    for _ in range(turns):
        await asyncio.sleep(0)
    is_cancelled = task.cancel()
    await asyncio.wait([task])
    assert task.cancelled() == is_cancelled
    return is_cancelled


async def test_a_command_that_is_cancelled_is_done_once_when_it_is_sent_again(unserved: Rooms) -> None:
    ended = set()
    for turns in TURNS:
        code = await start_game(unserved)
        roll = asked(code, NAMES[0], "roll", ROLL)
        before = (await unserved.service.load(code)).version
        ended.add(await cancelled_after(unserved, roll, turns))
        await unserved.service.carry_out(roll)
        after = await unserved.service.load(code)
        assert (after.version, after.room.game and after.room.game.roll) == (before + 1, 1)
        assert len(await unserved.store.log(code)) == 1
    assert True in ended


async def test_a_command_that_is_cancelled_keeps_no_other_waiting(unserved: Rooms) -> None:
    code = await start_game(unserved)
    for number, turns in enumerate(TURNS):
        lost: Command = SetChat(on=number % 2 == 0)
        await cancelled_after(unserved, asked(code, NAMES[0], f"lost {number}", lost), turns)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await unserved.service.carry_out(asked(code, NAMES[0], f"next {number}", SetChat(on=True)))
        assert (await unserved.service.load(code)).room.chat


async def test_a_command_whose_socket_dies_is_done_once_when_it_is_sent_again(own_rooms: Rooms) -> None:
    code = await own_rooms.make()
    for turns in TURNS:
        join = {"type": "join", "request": f"join-{turns}", "text": "x"}
        async with at_table(own_rooms, NAMES[0], code) as lija:
            await lija.send(join)
            for _ in range(turns):
                await asyncio.sleep(0)
            lija.socket.transport.abort()
        async with at_table(own_rooms, NAMES[0], code) as lija:
            await lija.send(join)
            assert (await lija.told("ok"))["request"] == join["request"]
            seats = (await own_rooms.service.load(code)).room.seats
            assert [seat.name for seat in seats] == [NAMES[0]]
            await lija.must("leave")
