"""Both databases for these tests, and one alone where both would say the same."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.db import Database
from tests.accounts.apps import Clock, make_app, open_client
from tests.databases import database, database_url, migrated_file, migrated_name

__all__ = ["database", "database_url", "migrated_file", "migrated_name"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def client(database: Database, clock: Clock) -> AsyncIterator[AsyncClient]:
    async with open_client(make_app(database, clock)) as opened:
        yield opened


@pytest.fixture
async def file(migrated_file: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """A database in a file."""
    shutil.copy(migrated_file, tmp_path / "file.db")
    opened = Database(f"sqlite+aiosqlite:///{tmp_path / 'file.db'}")
    yield opened
    await opened.dispose()
