"""A server of rooms for a test, and rooms without a server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.rooms.local_store import LocalStore
from tests.rooms.serving import Rooms, make_rooms, serving


@pytest.fixture(scope="session")
async def rooms(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rooms]:
    """A real server of rooms, one for all tests: each makes rooms of its own."""
    async with serving(tmp_path_factory.mktemp("rooms")) as served:
        yield served


@pytest.fixture
async def own_rooms(tmp_path: Path) -> AsyncIterator[Rooms]:
    """A server for this test alone, which may take it down."""
    async with serving(tmp_path) as served:
        yield served


@pytest.fixture
async def unserved(tmp_path: Path) -> AsyncIterator[Rooms]:
    """Rooms over an open store, without a server."""
    made = make_rooms(LocalStore(tmp_path / "rooms.db"))
    await made.store.open(made.hub)
    yield made
    await made.store.close()
