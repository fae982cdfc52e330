"""A server whose database or Redis is away waits for it; what refuses it ends it with one line."""

import asyncio
import signal
import time
from collections.abc import Iterator
from threading import Thread

import httpx
import pytest

from app.db import Database
from app.schema import migrate
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer
from tests.servers import HOST, AppServer, RedisServer, free_port

DATABASE, REDIS = "YAMB_DATABASE_URL", "YAMB_REDIS_URL"
SAID = "waiting: "
SEVERAL_LOOKS_SECONDS = 2.5
POLL_SECONDS = 0.05


class WaitingServer(AppServer):
    """It has said that it waits."""

    def is_ready(self) -> bool:
        return SAID in self.output

    def serves(self) -> bool:
        return super().is_ready()


class InterruptedServer(WaitingServer):
    """One that Ctrl-C ends."""

    stop_signal = signal.SIGINT


async def _hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Where connections are taken and closed at once, as by a proxy before something that is away."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(_hang_up, HOST, 0))
    thread = Thread(target=loop.run_forever)
    thread.start()
    yield int(server.sockets[0].getsockname()[1])
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    server.close()
    loop.run_until_complete(server.wait_closed())
    loop.close()


def await_that(app: WaitingServer, *, serves: bool) -> None:
    """Return once it serves, or has ended."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (app.serves() if serves else not app.is_running):
        assert time.monotonic() < deadline, app.output
        assert app.is_running or not serves, app.output
        time.sleep(POLL_SECONDS)


AWAY = [
    (DATABASE, "postgresql+asyncpg://yamb:geheim@{host}:{free}/yamb"),
    (DATABASE, "postgresql+asyncpg://yamb:geheim@localhost:{free}/yamb"),
    (DATABASE, "postgresql+asyncpg://yamb:geheim@{host}:{silent}/yamb"),
    (DATABASE, "postgresql+asyncpg://yamb:geheim@not-there.invalid/yamb"),
    (REDIS, "redis://:geheim@{host}:{free}/0"),
    (REDIS, "redis://:geheim@{host}:{silent}/0"),
    (REDIS, "redis://:geheim@not-there.invalid/0"),
    (REDIS, "redis+cluster://:geheim@{host}:{free},localhost:{free}"),
]


@pytest.mark.parametrize(
    ("kind", "setting", "form"),
    [
        *((WaitingServer, *away) for away in AWAY),
        (InterruptedServer, *AWAY[0]),
        (InterruptedServer, *AWAY[4]),
    ],
)
def test_what_is_away_is_waited_for_and_that_is_said_once(
    silent_port: int, kind: type[WaitingServer], setting: str, form: str
) -> None:
    url = form.format(host=HOST, free=free_port(), silent=silent_port)
    with kind({setting: url}) as app:
        time.sleep(SEVERAL_LOOKS_SECONDS)
        assert app.is_running
        app.stop()
        assert app.exit_status == 0
        said = app.output
    assert len(said.splitlines()) == 1
    assert SAID in said
    assert setting in said
    assert "geheim" not in said


def test_a_server_serves_once_its_database_is_there_with_the_right_schema() -> None:
    postgres = PostgresServer()
    url = postgres.databases.url("postgres")
    try:
        with WaitingServer({DATABASE: url}) as early:
            postgres.start()
            await_that(early, serves=False)
            assert early.exit_status == 2
            assert "run `yamb migrate`" in early.output
        asyncio.run(make_schema(url))
        postgres.stop()
        with WaitingServer({DATABASE: url}) as app:
            postgres.start()
            await_that(app, serves=True)
            assert httpx.get(f"{app.base_url}/readyz").status_code == 200
    finally:
        postgres.close()


def test_a_redis_that_never_answers_the_greeting_of_tls_is_waited_for(redis_url: str) -> None:
    """It speaks no TLS and says nothing at all: nobody can tell that from one that is still busy."""
    with WaitingServer({REDIS: redis_url.replace("redis://", "rediss://") + "?ssl_cert_reqs=none"}) as app:
        app.stop()
        assert app.exit_status == 0


async def make_schema(url: str) -> None:
    database = Database(url)
    await migrate(database)
    await database.dispose()


def test_a_server_serves_once_its_redis_is_there() -> None:
    redis = RedisServer()
    try:
        with WaitingServer({REDIS: redis.url}) as app:
            redis.start()
            await_that(app, serves=True)
            assert httpx.get(f"{app.base_url}/readyz").status_code == 200
    finally:
        redis.close()
