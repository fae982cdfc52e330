"""A watcher that remembers what it was told."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from tests.patience import PATIENCE_SECONDS


class Listener:
    """What it heard, by room and in order; a test waits for it without sleeping."""

    def __init__(self) -> None:
        self.updates: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
        self.relays: defaultdict[str, list[bytes]] = defaultdict(list)
        self.resyncs = 0
        self._told = asyncio.Event()

    def updated(self, code: str, version: int, update: bytes) -> None:
        self.updates[code].append((version, update))
        self._told.set()

    def relayed(self, code: str, message: bytes) -> None:
        self.relays[code].append(message)
        self._told.set()

    def resynced(self) -> None:
        self.resyncs += 1
        self._told.set()

    async def until_version(self, code: str, version: int) -> None:
        """Return when it has heard of that version."""
        await self.until(lambda: any(heard == version for heard, _ in self.updates[code]))

    async def until_relayed(self, code: str, count: int = 1) -> None:
        """Return when so many messages were relayed to it."""
        await self.until(lambda: len(self.relays[code]) >= count)

    async def until_resynced(self, times: int) -> None:
        """Return when it was told so often to ask for what it missed."""
        await self.until(lambda: self.resyncs >= times)

    async def until(self, is_enough: Callable[[], bool]) -> None:
        """Return when it has heard enough."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_enough():
                self._told.clear()
                await self._told.wait()
