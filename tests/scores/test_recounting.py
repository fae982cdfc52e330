"""Games that a server of an earlier version records beside a newer schema, and their statistics."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, select, text

from app.db import Base, Database
from app.schema import migrate
from app.scores.own_games import make_delete_player
from app.scores.player_repository import player_and_statistics
from app.scores.recording import make_record_game
from app.scores.recounting import recount
from app.scores.tables import StatisticsRow
from tests.databases import database, database_url, empty_database_url, migrated_file, migrated_name
from tests.games import play
from tests.values import replace

__all__ = ["database", "database_url", "empty_database_url", "migrated_file", "migrated_name"]

OLD = "0004"
"""The oldest revision whose servers may go on beside the newest schema (docs/operating.md)."""
RECORDS = [replace(play(seats=2, seed=seed), game_id=f"g{seed}") for seed in range(6)]
PLAYERS = ("p0", "p1")
TABLES = ("players", "games", "game_seats", "results", "bests", "tallies")
Columns = dict[str, list[str]]


def _columns(connection: Connection) -> Columns:
    found = inspect(connection)
    return {
        table: [column["name"] for column in found.get_columns(table)]
        for table in found.get_table_names()
        if table != "alembic_version"
    }


async def columns_of(database: Database) -> Columns:
    async with database.reading() as session:
        return await (await session.connection()).run_sync(_columns)


@pytest.fixture
async def counted(migrated_file: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """Where all games were recorded by this version."""
    path = tmp_path / "counted.db"
    shutil.copy(migrated_file, path)
    database = Database(f"sqlite+aiosqlite:///{path}")
    for record in RECORDS:
        await make_record_game(database)(record)
    yield database
    await database.dispose()


async def write_as_before(source: Database, target: Database, columns: Columns) -> None:
    """Write what the source holds as a server would that knows those columns."""
    for name in TABLES:
        table = Base.metadata.tables[name]
        known = [table.c[column] for column in columns[name]]
        async with source.reading() as session:
            rows = [dict(row) for row in (await session.execute(select(*known))).mappings()]
        async with target.session() as session:
            await session.execute(table.insert(), rows)


async def statistics_in(database: Database) -> list[object]:
    async with database.reading() as session:
        known = [await player_and_statistics(session, player) for player in PLAYERS]
    return [found and found[1] for found in known]


async def test_what_a_server_of_before_records_beside_the_new_schema_is_counted_anew(
    empty_database_url: str, counted: Database
) -> None:
    database = Database(empty_database_url)
    await migrate(database, to=OLD)
    columns = await columns_of(database)
    await migrate(database)
    await write_as_before(counted, database, columns)
    assert await statistics_in(database) != await statistics_in(counted)
    assert await recount(database) == 2
    assert await statistics_in(database) == await statistics_in(counted)
    assert await recount(database) == 0
    await database.dispose()


async def test_every_column_that_is_new_may_be_left_out(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    await migrate(database, to=OLD)
    before = await columns_of(database)
    await migrate(database)
    for table, names in (await columns_of(database)).items():
        for name in set(names) - set(before.get(table, names)):
            column = Base.metadata.tables[table].c[name]
            assert column.nullable or column.server_default is not None, f"{table}.{name}"
        assert set(before.get(table, names)) <= set(names), table
    await database.dispose()


async def test_games_that_are_recorded_while_players_are_counted_are_counted_once(
    database: Database, counted: Database
) -> None:
    for record in RECORDS[:3]:
        await make_record_game(database)(record)
    async with database.session() as session:
        await session.execute(text("DELETE FROM player_statistics"))
    await asyncio.gather(recount(database), *(make_record_game(database)(record) for record in RECORDS[3:]))
    await recount(database)
    assert await statistics_in(database) == await statistics_in(counted)


async def test_a_deleted_player_has_no_statistics_again(database: Database) -> None:
    await make_record_game(database)(RECORDS[0])
    await make_delete_player(database)("p0")
    async with database.session() as session:
        await session.execute(text("DELETE FROM player_statistics"))
    assert await recount(database) == 1
    async with database.reading() as session:
        assert list(await session.scalars(select(StatisticsRow.player_id))) == ["p1"]
