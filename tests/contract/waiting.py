"""Waiting for a store that was away, and for rooms to end."""

import asyncio
from contextlib import suppress

from app.rooms.store import RoomNotFound, RoomStore, StoreUnavailable
from tests.patience import PATIENCE_SECONDS


async def when_available(store: RoomStore) -> None:
    """Return when the store answers again."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(StoreUnavailable):
                return await store.ping()
            await asyncio.sleep(0.05)


async def until_gone(store: RoomStore, code: str) -> None:
    """Return when the room isn't there any more."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await store.load(code)
            except RoomNotFound:
                return
            await asyncio.sleep(0.02)
