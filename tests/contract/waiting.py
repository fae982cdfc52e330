"""Waiting for a store that was away."""

import asyncio
from contextlib import suppress

from app.rooms.store import RoomStore, StoreUnavailable

RECOVERY_SECONDS = 15.0


async def when_available(store: RoomStore) -> None:
    """Return when the store answers again."""
    async with asyncio.timeout(RECOVERY_SECONDS):
        while True:
            with suppress(StoreUnavailable):
                return await store.ping()
            await asyncio.sleep(0.05)
