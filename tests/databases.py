"""Databases of both kinds, for the tests of whatever is stored in them.

The migrations run once for each kind; a test gets a copy of what they made.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.db import Database
from app.schema import migrate
from tests.postgres import Databases

KINDS = ("sqlite", "postgres")


@pytest.fixture(params=KINDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        return _url_of(tmp_path / "yamb.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of this test's own with every table."""
    if request.param == "sqlite":
        path = tmp_path / "yamb.db"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        yield _url_of(path)
        return
    databases: Databases = request.getfixturevalue("postgres_server")
    with databases.fresh(copied_from=request.getfixturevalue("migrated_name")) as url:
        yield url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A database with every table."""
    opened = Database(database_url)
    yield opened
    await opened.dispose()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with every table, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "yamb.db"
    _migrate(_url_of(path))
    return path


@pytest.fixture(scope="session")
def migrated_name(postgres_server: Databases) -> Iterator[str]:
    """The name of a database with every table, to be copied while nobody is connected to it."""
    with postgres_server.fresh() as url:
        _migrate(url)
        yield url.rpartition("/")[2]


def _url_of(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


def _migrate(url: str) -> None:
    """Beside the loop that the tests share."""

    async def run() -> None:
        database = Database(url)
        await migrate(database)
        await database.dispose()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, run()).result()
