"""The adapters that the contract is tried on."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.rooms.local_store import LocalStore
from app.rooms.redis_store import RedisStore
from app.rooms.store import MakeStore, RoomStore, Watcher
from tests.contract.listener import Listener


class Stores:
    """Stores over the same rooms, opened one after another or side by side, closed when the test ends."""

    def __init__(self, make: MakeStore) -> None:
        self._make = make
        self._opened: list[RoomStore] = []

    async def open(self, watcher: Watcher) -> RoomStore:
        """Another store."""
        store = self._make()
        await store.open(watcher)
        self._opened.append(store)
        return store

    async def close(self) -> None:
        """Close all that are open."""
        while self._opened:
            await self._opened.pop().close()

    async def restart(self) -> RoomStore:
        """What a process finds that was started after all others ended."""
        await self.close()
        return await self.open(Listener())


@pytest.fixture
def listener() -> Listener:
    """The watcher of `store`."""
    return Listener()


@pytest.fixture(params=["local", "redis", "cluster"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    """Every adapter in turn, without rooms."""
    make: dict[str, MakeStore] = {
        "local": lambda: LocalStore(tmp_path / "rooms.db"),
        "redis": lambda: RedisStore(request.getfixturevalue("redis_url")),
        "cluster": lambda: RedisStore(request.getfixturevalue("redis_cluster").url),
    }
    opened = Stores(make[request.param])
    yield opened
    await opened.close()


@pytest.fixture
async def store(stores: Stores, listener: Listener) -> RoomStore:
    """One open store of every adapter in turn."""
    return await stores.open(listener)
