"""The servers of a fault run: programs on this computer, which the run may stop, freeze and kill."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from app.rooms.local_store import LocalStore
from app.rooms.redis_store import RedisStore
from app.rooms.store import RoomStore
from tests.faults.machine import Machine
from tests.postgres import PostgresServer
from tests.servers import ROOT, AppServer, RedisServer, Server

Switch = Callable[[], None]


class DurableRedis(RedisServer):
    """A Redis that has every step on its disk before it answers: no crash of its machine may lose anything.

    `syncs`: Redis's appendfsync, where it is to be another.
    """

    def __init__(self, syncs: str = "always") -> None:
        super().__init__()
        self._syncs = syncs
        self.machine = Machine(self.folder / "appendonlydir", self.folder)

    def command(self) -> Sequence[str]:
        return [*super().command(), "--appendfsync", self._syncs]

    def env(self) -> Mapping[str, str]:
        return {**super().env(), **self.machine.env()}


class LocalServer(AppServer):
    """An application that keeps everything in its own folder, on a machine that can crash."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        super().__init__(env)
        self.machine = Machine(self.folder / "var", self.folder)

    def env(self) -> Mapping[str, str]:
        return {**super().env(), **self.machine.env()}


@dataclass(slots=True)
class Site:
    """Workers, and what they share. `redis` and `postgres` are None where one worker keeps all by itself.

    `machine` is the one on which the rooms are kept.
    """

    workers: Sequence[AppServer]
    open_store: Callable[[], RoomStore]
    database_url: str
    thread: ThreadPoolExecutor  # one for as long as the servers: they end with the thread that started them
    machine: Machine
    redis: DurableRedis | None = None
    postgres: PostgresServer | None = None

    @property
    def ports(self) -> list[int]:
        """Where the workers listen."""
        return [worker.port for worker in self.workers]

    async def switch(self, *steps: Switch) -> None:
        """Start, stop or kill a server, beside the loop."""
        for step in steps:
            await asyncio.get_running_loop().run_in_executor(self.thread, step)

    async def freeze(self, server: Server, seconds: float) -> None:
        """Stop a program for some seconds, as a machine that stalls does, and let it go on."""
        pid = server.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(pid, signal.SIGCONT)

    async def crash(self) -> None:
        """The machine of the rooms goes down, and the workers: what isn't on its disk is lost. All start."""
        servers: list[Server] = [*([] if self.redis is None else [self.redis]), *self.workers]
        kills = [server.kill for server in reversed(servers)]
        await self.switch(*kills, self._lose, *(server.start for server in servers))

    def _lose(self) -> None:
        self.machine.lose()


MakeWorker = Callable[[Mapping[str, str]], AppServer]


@contextmanager
def two_workers(
    database_url: str | None = None, make_worker: MakeWorker = AppServer, redis_syncs: str = "always"
) -> Iterator[Site]:
    """Two workers over one Redis and one PostgreSQL of their own, or over an empty database that is there."""
    with ExitStack() as started:
        thread = ThreadPoolExecutor(1)
        started.callback(thread.shutdown)

        def start(server: Server) -> None:
            thread.submit(started.enter_context, server).result()

        redis = DurableRedis(redis_syncs)
        start(redis)
        postgres = None
        if database_url is None:
            postgres = PostgresServer()
            start(postgres)
            database_url = postgres.databases.url("postgres")
        env = {"YAMB_REDIS_URL": redis.url, "YAMB_DATABASE_URL": database_url, "YAMB_LOG_LEVEL": "info"}
        _migrate(env)
        workers = [make_worker(env), make_worker(env)]
        for worker in workers:
            start(worker)
        yield Site(
            workers,
            lambda: RedisStore(redis.url),
            database_url,
            thread,
            redis.machine,
            redis,
            postgres,
        )


@contextmanager
def one_worker(worker: LocalServer) -> Iterator[Site]:
    """A worker that keeps everything in its own folder."""
    with ExitStack() as started:
        thread = ThreadPoolExecutor(1)
        started.callback(thread.shutdown)
        thread.submit(started.enter_context, worker).result()
        kept = worker.folder / "var"
        yield Site(
            [worker],
            lambda: LocalStore(kept / "rooms.db"),
            f"sqlite+aiosqlite:///{kept / 'yamb.db'}",
            thread,
            worker.machine,
        )


def _migrate(env: dict[str, str]) -> None:
    subprocess.run(
        [sys.executable, "-m", "app.cli", "migrate"],
        env=AppServer(env).env(),
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
