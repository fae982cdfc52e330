"""Backup, restore, upgrade and going back, by the very commands of docs/operating.md."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from app.rooms.redis_store import RedisStore
from devtools.programs import find_redis
from tests.contract.listener import Listener
from tests.contract.samples import CODE, advance, make_room
from tests.operating_page import Operator, blocks_under
from tests.postgres import PostgresServer, postgres_package
from tests.servers import HOST, RedisServer


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[PostgresServer]:
    """A server whose databases may have any name."""
    with PostgresServer() as server:
        yield server


async def asked(server: PostgresServer, statement: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(f"postgresql://postgres@{HOST}:{server.port}/yamb")
    try:
        return list(await connection.fetch(statement))
    finally:
        await connection.close()


async def test_postgresql_is_backed_up_and_restored_over_a_newer_schema(
    own_postgres: PostgresServer, tmp_path: Path
) -> None:
    env = {
        "PGHOST": HOST,
        "PGPORT": str(own_postgres.port),
        "PGUSER": "postgres",
        "YAMB_DATABASE_URL": own_postgres.databases.url("yamb"),
    }
    operator = Operator(tmp_path, env, postgres_package() / "pginstall" / "bin")
    backup, restore = blocks_under("PostgreSQL")
    operator.run("createdb yamb && yamb migrate")
    await asked(own_postgres, "INSERT INTO players (id, name, created_at) VALUES ('p1', 'Lija', 1)")
    operator.run(backup)
    # A newer version has changed the schema, and somebody is still connected.
    await asked(own_postgres, "CREATE TABLE newer (player VARCHAR(32) REFERENCES players (id))")
    await asked(own_postgres, "INSERT INTO newer VALUES ('p1')")
    await asked(own_postgres, "ALTER TABLE games ADD COLUMN newer INTEGER NOT NULL DEFAULT 1")
    await asked(own_postgres, "UPDATE alembic_version SET version_num = '9999'")
    left = await asyncpg.connect(f"postgresql://postgres@{HOST}:{own_postgres.port}/yamb")
    operator.run(restore)
    left.terminate()
    assert operator.run("yamb migrate --check") == ""
    assert [row["name"] for row in await asked(own_postgres, "SELECT name FROM players")] == ["Lija"]


async def test_redis_is_backed_up_while_it_runs_and_its_rooms_have_another_epoch(tmp_path: Path) -> None:
    backup, restore = blocks_under("Redis")
    operator = Operator(tmp_path, {})
    with RedisServer() as server:
        client = str(find_redis()).replace("redis-server", "redis-cli")
        if shutil.which(client) is None:
            pytest.skip("no redis-cli on this computer")
        operator.add("redis-cli", f'exec {client} -p {server.port} "$@"')
        store = RedisStore(server.url)
        await store.open(Listener())
        stored = await advance(store, await store.create(make_room()), 2)
        operator.run(backup.replace("/var/lib/redis", str(server.folder)))
        await advance(store, stored, 3)
        await store.close()
        server.kill()
        operator.run(restore.replace("/var/lib/redis", str(server.folder)))
        server.start()
        store = RedisStore(server.url)
        await store.open(Listener())
        restored = await store.load(CODE)
        assert (restored.version, restored.room) == (stored.version, stored.room)
        assert restored.epoch != stored.epoch
        await store.close()
