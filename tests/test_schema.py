"""Migrations make what the code describes, on both databases, also when several start at once."""

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import JSON, BigInteger, Column, Connection, Index, bindparam, text

from app import schema
from app.db import Base, Database
from tests.databases import database, database_url, empty_database_url, migrated_file, migrated_name
from tests.servers import ROOT

__all__ = ["database", "database_url", "empty_database_url", "migrated_file", "migrated_name"]


async def test_migrations_make_what_the_code_describes(database: Database) -> None:
    assert await schema.revision_of(database) == schema.head()
    assert await schema.drift_of(database) == []


async def test_who_sat_in_a_game_is_read_from_the_records_that_are_there(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    await database.exclusively(lambda connection: _upgrade_to(connection, "0002"))
    seats = [
        {"seat": 0, "player": "p1", "name": "Lija", "ended": "played"},
        {"seat": 1, "player": "bot1", "name": "Bot 1", "ended": "bot"},
        {"seat": 2, "player": "p2", "name": "Medo", "ended": "bot_from_turn_3"},
    ]
    async with database.session() as session:
        game = "INSERT INTO games (id, variant, ended_at, record) VALUES ('g1', 'papir', 1, :record)"
        await session.execute(text(game).bindparams(bindparam("record", {"seats": seats}, JSON)))
        await session.execute(text("INSERT INTO players (id, name, created_at) VALUES ('p1', 'Lija', 1)"))

    await schema.migrate(database)

    async with database.reading() as session:
        rows = await session.execute(text("SELECT game_id, seat, player_id FROM game_seats ORDER BY seat"))
        assert [tuple(row) for row in rows] == [("g1", 0, "p1"), ("g1", 2, "p2")]
        assert await session.scalar(text("SELECT deleted_at FROM players")) is None
    await database.dispose()


def _upgrade_to(connection: Connection, revision: str) -> None:
    config = Config(ROOT / "alembic.ini")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def test_migrating_again_changes_nothing(database: Database) -> None:
    assert await schema.migrate(database) == schema.head()


async def test_a_column_that_no_migration_makes_is_found(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = Base.metadata.__class__(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        table.to_metadata(described)
    described.tables["players"].append_column(Column("rating", BigInteger))
    monkeypatch.setattr(schema, "METADATA", described)

    drift = await schema.drift_of(database)

    assert len(drift) == 1
    assert "rating" in drift[0]


async def test_an_index_that_no_migration_makes_is_found(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = Base.metadata.__class__(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        table.to_metadata(described)
    Index("ix_players_name", described.tables["players"].c.name)
    monkeypatch.setattr(schema, "METADATA", described)

    assert "ix_players_name" in " ".join(await schema.drift_of(database))


async def test_a_table_that_the_code_does_not_know_is_found(database: Database) -> None:
    async with database.session() as session:
        await session.execute(text("CREATE TABLE left_over (id INTEGER)"))

    assert "left_over" in " ".join(await schema.drift_of(database))


async def test_servers_that_migrate_at_once_all_come_up(empty_database_url: str) -> None:
    opened = [Database(empty_database_url) for _ in range(4)]

    revisions = await asyncio.gather(*(schema.migrate(each) for each in opened))

    assert set(revisions) == {schema.head()}
    assert await schema.drift_of(opened[0]) == []
    for each in opened:
        await each.dispose()


async def test_processes_that_migrate_at_once_all_come_up(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YAMB_DATABASE_URL", empty_database_url)
    command = [sys.executable, "-W", "error", "-m", "app.cli", "migrate"]
    started = [
        await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE) for _ in range(3)
    ]

    ended = [await process.communicate() for process in started]

    assert [process.returncode for process in started] == [0, 0, 0]
    assert ended == [(f"the schema is at {schema.head()}\n".encode(), b"")] * 3


async def test_foreign_keys_hold_after_a_migration(database: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await insert_orphan(database)


async def insert_orphan(database: Database) -> None:
    async with database.session() as session:
        await session.execute(
            text(
                "INSERT INTO sessions (token_hash, player_id, created_at, expires_at) VALUES ('', 'p', 1, 1)"
            )
        )
