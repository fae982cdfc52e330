"""A process with a game that both its players leave, until it is killed. Run as a program: python -m ... FILE

Time passes fast there. It prints the version after every action of a bot, once it is committed.
"""

import asyncio
import sys
from pathlib import Path

from app.rooms.commands import ChangeSettings, Join, Leave, MarkReady, Start
from app.rooms.local_store import LocalStore
from app.rooms.room import Pace
from app.rooms.service import Asked
from app.rooms.store import RoomStore
from app.rooms.timing import Timing
from tests.rooms.clocks import FastClock
from tests.rooms.serving import Rooms, choose_last, make_rooms
from tests.rooms.tables import NAMES, identity

CLOCK = FastClock(100)
QUICK = Timing(poll=0.01)


def make_quick_rooms(store: RoomStore) -> Rooms:
    """Rooms in which bots don't think, and pause for moments."""
    return make_rooms(store, now=CLOCK, choose=choose_last, timing=QUICK)


def make_quick_store(path: Path) -> LocalStore:
    """A store that lives by the fast clock."""
    return LocalStore(path, clock=lambda: CLOCK() / 1000)


async def begin(rooms: Rooms, pace: Pace = Pace.NONE) -> str:
    """A game of one column that has begun; its code."""
    stored = await rooms.service.create(identity(NAMES[0]), "papir", 2, columns=("down",))
    code = stored.room.code
    host = identity(NAMES[0])
    settings = ChangeSettings(stored.room.variant.id, 2, pace=pace)
    await rooms.service.carry_out(Asked(code, host, "settings", settings))
    for name in NAMES[:2]:
        for command in (Join(f"text of {name}"), MarkReady(ready=True)):
            await rooms.service.carry_out(Asked(code, identity(name), type(command).__name__, command))
    await rooms.service.carry_out(Asked(code, host, "start", Start()))
    return code


async def begin_and_leave(rooms: Rooms) -> str:
    """Such a game, that both its players have left; its code."""
    code = await begin(rooms)
    for name in NAMES[:2]:
        await rooms.service.carry_out(Asked(code, identity(name), "leave", Leave()))
    return code


async def play_until_killed(path: Path) -> None:
    rooms = make_quick_rooms(make_quick_store(path))
    async with rooms.worker.running():
        code = await begin_and_leave(rooms)
        told = -1
        while True:
            version = (await rooms.store.load(code)).version
            if version > told:
                told = version
                sys.stdout.write(f"{code} {version}\n")
                sys.stdout.flush()
            await asyncio.sleep(0.005)


if __name__ == "__main__":
    asyncio.run(play_until_killed(Path(sys.argv[1])))
