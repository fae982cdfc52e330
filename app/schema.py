"""The database's schema: brought to what this program needs, and compared with what the code describes."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

# Every domain's tables are known to the metadata once their modules are imported.
from app.accounts import tables as _accounts
from app.db import Base, Database, SyncConnection
from app.scores import tables as _scores
from app.variants import tables as _variants

TABLES = (_accounts, _scores, _variants)
METADATA = Base.metadata
OPTIONS: dict[str, Any] = {"render_as_batch": True, "compare_type": True, "compare_server_default": True}

_INI = Path(__file__).resolve().parent.parent / "alembic.ini"


async def migrate(database: Database, *, to: str | None = None) -> str:
    """Bring the schema to a revision, head by default, one process at a time; which one that is.

    Raises DatabaseUnavailable.
    """
    revision = to or head()
    await database.exclusively(partial(_upgrade, revision))
    return revision


def head() -> str:
    """The revision that this program needs."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


async def revision_of(database: Database) -> str | None:
    """The revision the database is at; None before the first migration. Raises DatabaseUnavailable."""
    async with database.reading() as session:
        connection = await session.connection()
        return await connection.run_sync(lambda raw: MigrationContext.configure(raw).get_current_revision())


async def drift_of(database: Database) -> list[str]:
    """What differs between the tables that are there and those that the code describes, a line each.

    Raises DatabaseUnavailable.
    """
    async with database.reading() as session:
        connection = await session.connection()
        return await connection.run_sync(_compare)


def _upgrade(revision: str, connection: SyncConnection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _compare(connection: SyncConnection) -> list[str]:
    context = MigrationContext.configure(connection, opts=OPTIONS)
    return [_line(difference) for difference in _flat(compare_metadata(context, METADATA))]


def _flat(differences: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
    """Alembic groups changes of one column in a list."""
    for difference in differences:
        if isinstance(difference, list):
            yield from difference
        else:
            yield difference


def _line(difference: tuple[Any, ...]) -> str:
    kind, *what = difference
    return f"{kind}: {', '.join(str(part) for part in what if part is not None and part != {})}"


def _config() -> Config:
    return Config(_INI)
