"""A process that commits to a local store until it is killed. Run as a program.

usage: python -m tests.contract.committing FILE ROOMS BYTES_TO_FOLD

It prints `CODE VERSION` as soon as a step is acknowledged, not before.
"""

import asyncio
import sys
from pathlib import Path

from app.rooms.local_store import LocalStore
from tests.contract.listener import Listener
from tests.contract.samples import advance, make_room


async def commit_until_killed(path: Path, rooms: int, bytes_to_fold: int) -> None:
    store = LocalStore(path, bytes_to_fold=bytes_to_fold)
    await store.open(Listener())

    async def play(code: str) -> None:
        stored = await store.create(make_room(code))
        while True:
            sys.stdout.write(f"{code} {stored.version}\n")
            sys.stdout.flush()
            stored = await advance(store, stored, 1)

    await asyncio.gather(*(play(f"ROOM{room}") for room in range(rooms)))


if __name__ == "__main__":
    asyncio.run(commit_until_killed(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
