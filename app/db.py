"""The database of players and finished games: engine, transactions, the declarative base.

PostgreSQL and SQLite behave alike behind it. Knows no table; the schema itself is made by migrations alone.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, CursorResult, MetaData, Table, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import NullPool

from app.private_files import keep_private
from app.reaching import is_away

T = TypeVar("T")
SyncConnection = Connection
Session = AsyncSession

_WAIT_SECONDS = 10
_POSTGRES = {
    "pool_size": 10,
    "max_overflow": 10,
    "pool_timeout": _WAIT_SECONDS,
    "pool_pre_ping": True,
    "connect_args": {"timeout": 5, "command_timeout": 30},
}
# The driver's own transactions begin too late for a consistent read; `_begin` begins them instead.
_SQLITE = {"connect_args": {"isolation_level": None, "timeout": _WAIT_SECONDS}}
_POSTGRES_FOR_SCHEMA = {"poolclass": NullPool, "connect_args": {"timeout": 5}}
_SQLITE_FOR_SCHEMA = {"connect_args": {"isolation_level": None, "timeout": 600}}
# Full: a finished game is forgotten by its room once it is stored, so what is committed is on the disk.
_SQLITE_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL")
# PostgreSQL's classes of errors that say nothing of the statement: connection, sign-in, name of the database,
# giving way to another transaction, resources, a lock that wasn't waited for, time limits and shutdown.
_REFUSALS = ("08", "28", "3D", "40", "53", "55P03", "57")
# Of these: no connection, no more of them taken, shutting down or starting up.
_AWAY = ("08", "53300", "57P01", "57P02", "57P03")
_NO_RIGHTS = "42501"
# SQLite's codes of a file that it can't read as a database.
_NOT_A_DATABASE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_READS = "yamb_reads"
_IN_MEMORY = ":memory:"
# Any number, as long as every replica asks for the same one.
_MIGRATION_LOCK = 7_242_016


class Base(DeclarativeBase):
    """Every table's base; constraints get the names by which migrations find them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class DatabaseUnavailable(Exception):
    """The database didn't answer; the same may succeed later. The text is one line."""


class DatabaseAway(DatabaseUnavailable):
    """The database can't be reached, or is starting: it may well be there soon. The text is one line."""


class DatabaseRefuses(Exception):
    """The database doesn't let this user do that: the same fails again. The text is one line."""


class Database:
    """One database, by its SQLAlchemy URL. Connects when first used."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = make_engine(url)
        self._reader = self._engine.execution_options(**_reading_options(self._engine))

    @asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """A transaction that may write: committed at the end, rolled back by an error.

        Raises DatabaseUnavailable.
        """
        async with _transaction(self._engine) as session:
            yield session

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A transaction that only reads, all of it from one snapshot. Raises DatabaseUnavailable."""
        async with _transaction(self._reader) as session:
            yield session

    async def exclusively(self, step: Callable[[Connection], T]) -> T:
        """What `step` returns, run in one transaction while no other process is in such a step.

        For changes of the schema: SQLite doesn't enforce foreign keys meanwhile. Raises DatabaseUnavailable.
        """
        engine = make_engine(self._url, for_schema=True)
        try:
            async with _answering(), engine.begin() as connection:
                if engine.dialect.name == "postgresql":
                    await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
                return await connection.run_sync(step)
        finally:
            await engine.dispose()

    async def ping(self) -> None:
        """Return when the database answers. Raises DatabaseUnavailable."""
        async with self.reading() as session:
            await session.execute(text("SELECT 1"))

    async def dispose(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


async def insert_once(session: AsyncSession, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert the rows whose keys aren't there yet, also while others insert the same; how many that were."""
    inserted = 0
    for row in rows:
        statement = insert_of(session, table).values(row).on_conflict_do_nothing()
        result = await session.execute(statement)
        inserted += cast("CursorResult[Any]", result).rowcount
    return inserted


def insert_of(session: AsyncSession, table: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """An insert of that database's own, which can say what is done about a conflict."""
    is_postgres = session.get_bind().dialect.name == "postgresql"
    return postgresql.insert(table) if is_postgres else sqlite.insert(table)


async def insert_or_update(
    session: AsyncSession,
    table: type[Base],
    rows: Sequence[Mapping[str, Any]],
    *,
    adding: Collection[str] = (),
) -> None:
    """Insert the rows, or update those whose keys are there, in the order given; all have the same columns.

    Columns in `adding` get the sum of what was there and what is given, the others what is given.
    """
    if not rows:
        return
    is_postgres = session.get_bind().dialect.name == "postgresql"
    insert = (postgresql.insert if is_postgres else sqlite.insert)(cast("Table", table.__table__))
    keys = {column.name for column in table.__table__.primary_key}
    columns = table.__table__.c
    changes = {
        name: columns[name] + insert.excluded[name] if name in adding else insert.excluded[name]
        for name in rows[0]
        if name not in keys
    }
    # One statement for each row, all sent at once: one for all would be compiled anew each time.
    await session.execute(insert.on_conflict_do_update(index_elements=sorted(keys), set_=changes), list(rows))


def make_engine(url: str, *, for_schema: bool = False) -> AsyncEngine:
    """An engine for PostgreSQL or SQLite, set up so that both keep the same promises.

    `for_schema`: a change of the schema may take long, and may have to wait for another's.
    """
    # Errors are logged, and what was to be stored are names and what secrets are kept as.
    create = partial(create_async_engine, url, hide_parameters=True)
    if not url.startswith("sqlite"):
        return create(**(_POSTGRES_FOR_SCHEMA if for_schema else _POSTGRES))
    engine = create(**(_SQLITE_FOR_SCHEMA if for_schema else _SQLITE))
    event.listen(
        engine.sync_engine, "do_connect", lambda *call: call[3].update(async_creator_fn=_open_sqlite)
    )
    # SQLite rebuilds a table to change it; enforcing would delete what refers to the old one.
    pragmas = (*_SQLITE_PRAGMAS, f"foreign_keys = {'OFF' if for_schema else 'ON'}")
    event.listen(engine.sync_engine, "connect", lambda connection, _entry: _run_pragmas(connection, *pragmas))
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


async def _open_sqlite(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    """A connection; a failed one's thread has ended too: later it would stumble over the closed loop."""
    file = str(arguments[0])
    if file != _IN_MEMORY and "uri" not in options:
        await asyncio.to_thread(keep_private, file)
    connection = aiosqlite.connect(*arguments, **options)
    connection._thread.daemon = True  # as SQLAlchemy does where it opens them
    try:
        return await connection
    except sqlite3.Error:
        await asyncio.to_thread(connection._thread.join)
        raise


def _run_pragmas(connection: DBAPIConnection, *pragmas: str) -> None:
    cursor = connection.cursor()
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A writer waits for its turn at its beginning: later it would be refused if another wrote meanwhile."""
    reads = connection.get_execution_options().get(_READS)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _reading_options(engine: AsyncEngine) -> dict[str, Any]:
    if engine.dialect.name == "sqlite":
        return {_READS: True}
    return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


@asynccontextmanager
async def _transaction(engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
    async with _answering(), AsyncSession(engine, expire_on_commit=False) as session, session.begin():
        yield session


@asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    try:
        yield
    except (OSError, PoolTimeout) as error:
        raise _unavailable(error) from error
    except DBAPIError as error:
        if _is_passing(error):
            raise _unavailable(error.orig or error) from error
        if getattr(error.orig, "sqlstate", None) == _NO_RIGHTS:
            raise DatabaseRefuses(_one_line(error.orig or error)) from error
        raise


def _is_passing(error: DBAPIError) -> bool:
    """Whether the database itself is the trouble, and not the statement."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code != sqlite3.SQLITE_ERROR and (
            isinstance(error, OperationalError) or code in _NOT_A_DATABASE
        )
    state = getattr(error.orig, "sqlstate", None) or ""
    is_unasked = isinstance(error, InterfaceError) and error.statement is None
    return error.connection_invalidated or is_unasked or state.startswith(_REFUSALS)


def _unavailable(error: BaseException) -> DatabaseUnavailable:
    state = getattr(error, "sqlstate", None) or ""
    passes = is_away(error) if isinstance(error, OSError) else state.startswith(_AWAY)
    return (DatabaseAway if passes else DatabaseUnavailable)(_one_line(error))


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def file_of(url: str) -> str | None:
    """The file of an SQLite database; None for another one."""
    parts = make_url(url)
    return parts.database if parts.get_backend_name() == "sqlite" else None
