"""Migrated databases of both kinds, for the tests of whatever is stored in them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.db import Database
from app.schema import migrate


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'yamb.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with every table."""
    opened = Database(database_url)
    await migrate(opened)
    yield opened
    await opened.dispose()
