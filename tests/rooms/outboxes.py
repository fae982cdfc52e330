"""An outbox as its writer sees it."""

import asyncio

from app.rooms.outbox import Due, Outbox


async def next_of(outbox: Outbox) -> str | None:
    """The next message, once there is one; None when a snapshot is due. Raises Close after the last one."""
    woken = asyncio.Event()
    outbox.wake = woken.set
    while (message := outbox.next()) is Due.NOTHING:
        woken.clear()
        await woken.wait()
    return message if isinstance(message, str) else None
