"""Where an attack takes place: a server with its usual bounds, and for one way the proxy before it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from devtools.programs import find_nginx
from tests.faults.hostile.attacks import Way
from tests.faults.hostile.books import RESULTS, Books, fill
from tests.servers import HOST, AppServer
from tests.test_proxy import Proxy

FEW_FILES = 192
_PROBE_SECONDS = 5.0


class UsualServer(AppServer):
    """The application as somebody runs it: other servers of tests have no bounds for one address.

    `most_files`: so many files it may open, by a limit that it can't raise.
    """

    def __init__(self, env: Mapping[str, str], *, most_files: int | None = None) -> None:
        super().__init__(env)
        self._most_files = most_files

    def env(self) -> Mapping[str, str]:
        return {
            name: value
            for name, value in super().env().items()
            if name in self._env or not name.startswith("YAMB_")
        }

    def command(self) -> Sequence[str]:
        command = super().command()
        if self._most_files is None:
            return command
        return ["/bin/sh", "-c", f'ulimit -n {self._most_files} && exec "$@"', "sh", *command]

    @property
    def log(self) -> Path:
        """What it prints."""
        return self._log

    @property
    def data(self) -> Path:
        """Where its database is looked for when it starts."""
        return self.folder / "var" / "yamb.db"


class NoProxy(Exception):
    """There is no nginx on this computer."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A running server, the way to it, and what its books have. `port`: where everybody comes in."""

    way: Way
    server: UsualServer
    port: int
    books: Books

    @property
    def base_url(self) -> str:
        """Where people come in."""
        return f"http://{HOST}:{self.port}"

    def is_ready(self) -> bool:
        """Whether the server says so. Asked by urllib, in a thread: in its own time."""
        address = f"{self.base_url}/readyz"
        try:
            with urlopen(address, timeout=_PROBE_SECONDS) as answer:  # noqa: S310 - http
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def open_ground(
    way: Way,
    seed: int,
    env: Mapping[str, str] | None = None,
    *,
    serve: type[UsualServer] = UsualServer,
    results: int = RESULTS,
) -> Iterator[Ground]:
    """A server of that way, ended with the block. Raises NoProxy."""
    trusted = {"YAMB_TRUSTED_PROXIES": HOST} if way is Way.PROXY else {}
    server = serve(trusted | dict(env or {}), most_files=FEW_FILES if way is Way.FEW else None)
    try:
        books = fill(server.data, seed, results)
        server.start()
        if way is not Way.PROXY:
            yield Ground(way, server, server.port, books)
            return
        program = find_nginx()
        if program is None:
            raise NoProxy("no nginx on this computer: install it, set NGINX, or run with --direct")
        with Proxy(program, [server.port]) as proxy:
            yield Ground(way, server, proxy.port, books)
    finally:
        server.close()
