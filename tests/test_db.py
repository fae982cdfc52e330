"""Transactions that behave alike on both databases."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.accounts.repository import add_player
from app.accounts.tables import PlayerRow
from app.db import Database, DatabaseUnavailable, insert_once
from tests.databases import database, database_url, migrated_file, migrated_name

__all__ = ["database", "database_url", "migrated_file", "migrated_name"]


async def players(database: Database) -> int:
    async with database.reading() as session:
        return int(await session.scalar(text("SELECT count(*) FROM players")) or 0)


async def add_and_fail(database: Database) -> None:
    async with database.session() as session:
        await add_player(session, "p1", "Lija", 1)
        raise LookupError


async def test_an_error_takes_the_transaction_back(database: Database) -> None:
    with pytest.raises(LookupError):
        await add_and_fail(database)

    assert await players(database) == 0


async def test_a_reader_sees_one_snapshot(database: Database) -> None:
    async with database.reading() as reader:
        before = await reader.scalar(text("SELECT count(*) FROM players"))
        async with database.session() as writer:
            await add_player(writer, "p1", "Lija", 1)
        after = await reader.scalar(text("SELECT count(*) FROM players"))

    assert (before, after) == (0, 0)
    assert await players(database) == 1


async def test_writers_at_once_all_write(database: Database) -> None:
    async def read_then_write(number: int) -> None:
        async with database.session() as session:
            await session.execute(text("SELECT count(*) FROM players"))
            await add_player(session, f"p{number}", "Lija", 1)

    await asyncio.gather(*(read_then_write(number) for number in range(12)))

    assert await players(database) == 12


async def test_a_key_that_is_taken_is_inserted_once(database: Database) -> None:
    row = {"id": "p1", "name": "Lija", "created_at": 1}
    async with database.session() as session:
        assert await insert_once(session, PlayerRow, [row, row]) == 1
        assert await insert_once(session, PlayerRow, [row | {"name": "Medo"}]) == 0
        assert await session.scalar(text("SELECT name FROM players")) == "Lija"


async def test_connections_that_were_cut_are_replaced(postgres_url: str) -> None:
    database, other = Database(postgres_url), Database(postgres_url)
    await database.ping()
    await cut_all_connections(other)

    await database.ping()

    await database.dispose()
    await other.dispose()


async def test_a_database_that_leaves_during_a_transaction_is_unavailable(postgres_url: str) -> None:
    database, other = Database(postgres_url), Database(postgres_url)
    with pytest.raises(DatabaseUnavailable):
        await be_cut_within(database, other)

    await database.ping()

    await database.dispose()
    await other.dispose()


async def be_cut_within(database: Database, other: Database) -> None:
    async with database.session() as session:
        await session.execute(text("SELECT 1"))
        await cut_all_connections(other)
        await session.execute(text("SELECT 1"))


async def cut_all_connections(other: Database) -> None:
    async with other.session() as session:
        await session.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )


async def test_a_wrong_statement_is_no_missing_database(database: Database) -> None:
    async def ask() -> None:
        async with database.reading() as session:
            await session.execute(text("SELECT nothing"))

    with pytest.raises(DBAPIError, match="nothing"):
        await ask()


async def test_an_error_says_nothing_of_what_was_to_be_stored(database: Database) -> None:
    async def ask() -> None:
        async with database.reading() as session:
            await session.execute(text("SELECT nothing WHERE 'x' = :word"), {"word": "a secret"})

    with pytest.raises(DBAPIError) as raised:
        await ask()
    assert "a secret" not in str(raised.value) + repr(raised.value)


async def test_whoever_gives_way_to_another_transaction_may_try_again(postgres_url: str) -> None:
    database = Database(postgres_url)
    both_hold = asyncio.Barrier(2)

    async def lock(first: int, then: int) -> None:
        async with database.session() as session:
            await session.execute(text("SET LOCAL deadlock_timeout = '10ms'"))
            await session.execute(text(f"SELECT pg_advisory_xact_lock({first})"))
            await both_hold.wait()
            await session.execute(text(f"SELECT pg_advisory_xact_lock({then})"))

    outcomes = await asyncio.gather(lock(1, 2), lock(2, 1), return_exceptions=True)

    assert [type(outcome) for outcome in outcomes if outcome] == [DatabaseUnavailable]
    await database.dispose()


async def test_a_statement_that_takes_longer_than_the_database_allows_may_be_tried_again(
    postgres_url: str,
) -> None:
    database = Database(postgres_url)

    async def wait() -> None:
        async with database.session() as session:
            await session.execute(text("SET LOCAL statement_timeout = '10ms'"))
            await session.execute(text("SELECT pg_sleep(20)"))

    with pytest.raises(DatabaseUnavailable):
        await wait()
    await database.dispose()


def test_no_thread_of_a_failed_connection_outlives_its_loop(tmp_path: Path) -> None:
    async def fail() -> None:
        database = Database(f"sqlite+aiosqlite:///{tmp_path / 'missing' / 'yamb.db'}")
        with pytest.raises(DatabaseUnavailable):
            await database.ping()
        await database.dispose()

    def run() -> set[threading.Thread]:
        before = set(threading.enumerate())
        asyncio.run(fail())
        return set(threading.enumerate()) - before

    with ThreadPoolExecutor(1) as pool:
        assert [pool.submit(run).result() for _ in range(20)] == [set()] * 20


async def test_a_file_that_is_none_of_ours_is_unavailable(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "yamb.db"):
        database = Database(f"sqlite+aiosqlite:///{path}")
        with pytest.raises(DatabaseUnavailable):
            await database.ping()
        await database.dispose()
