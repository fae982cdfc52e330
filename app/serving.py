"""Bringing a server up: what it needs is looked for first, and what is missing is said in one line."""

import asyncio
import gc
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any

import uvicorn

from app.config import Settings
from app.connections import Bounds, Connections
from app.db import Database, DatabaseAway, DatabaseUnavailable
from app.descriptors import backlog, raise_limit, room_for_connections, share_of_address
from app.http_connections import HttpProtocol
from app.observability import without_password
from app.private_files import make_private_folder
from app.rooms.store import RoomStore, StoreAway, StoreUnavailable
from app.rules import legality
from app.schema import head, migrate, revision_of
from app.sockets import SocketProtocol, make_listener

_MAX_FRAME_BYTES = 65536
_NEW_OBJECTS = 10_000  # before garbage is looked for among them
_RETRY_SECONDS = 1.0  # between two looks for a database or a Redis that is away
_GRACE_SECONDS = 8  # for requests under way, once the players have been taken leave of
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound
# An address outside of every local network; nothing is sent to it.
_ELSEWHERE = ("192.0.2.1", 9)

_logger = logging.getLogger(__name__)

Tell = Callable[[str], None]


class CannotServe(Exception):
    """Something that serving needs isn't there; the text is one line that says what to do."""


class _Away(CannotServe):
    """What is missing may come by itself: it is waited for."""


def serve(settings: Settings, tell: Tell) -> None:
    """Serve until told to end. `tell` gets the lines for a person. Raises CannotServe.

    SIGTERM ends it in order, with SystemExit 0.
    """
    # Uvicorn raises the signal again when it has ended: it is to be no death by a signal then.
    signal.signal(signal.SIGTERM, _exit)
    asyncio.run(_prepare(settings))
    open_files = raise_limit()
    connections = Connections(_bounds(settings, open_files))
    with _listen(settings) as listener:
        config = uvicorn_config(
            lambda: import_module("app.main").create_app(settings, connections=connections),
            connections=connections,
            factory=True,
            backlog=backlog(open_files),
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
        )
        _Server(config, lambda: _tell_addresses(settings, listener, tell)).run(sockets=[listener])


def _spare_the_collector() -> None:
    """What is there now stays, and what serves an action has gone before the next one is served.

    To look through both for garbage again and again takes time from the players.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)


def _exit(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _bounds(settings: Settings, open_files: int | None) -> Bounds:
    """What connections may take; they leave room for everything else that needs an open file."""
    most = room_for_connections(open_files)
    return Bounds(
        most=most,
        per_address=share_of_address(settings.connections_per_address, most),
        exempt=[ipaddress.ip_network(proxy) for proxy in settings.trusted_proxies],
    )


def uvicorn_config(
    app: Any, *, ws: Any = SocketProtocol, connections: Connections | None = None, **options: Any
) -> uvicorn.Config:
    """How an application is served here; `options` are further ones of uvicorn's, or others than ours.

    `connections`: those of the process, else a set with the usual bounds of its own.
    """
    # Uvicorn only calls it, but asks for a class.
    http: Any = partial(HttpProtocol, connections=connections or Connections())
    ours: dict[str, Any] = {
        "ws_max_size": _MAX_FRAME_BYTES,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": _GRACE_SECONDS,
        "log_config": None,
        "access_log": False,
    }
    return uvicorn.Config(app, http=http, ws=ws, **(ours | options))


class _Server(uvicorn.Server):
    """Says where to find it, once it can be found."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit as end:
            raise CannotServe("the application did not start: its reason stands above") from end
        if self.started:
            _spare_the_collector()
            self._tell_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Uvicorn closes sockets before the application's own end: it takes leave of its players first."""
        await self.lifespan.state["drain"]()
        await super().shutdown(sockets)


async def _prepare(settings: Settings) -> None:
    await _once_there(lambda: _require_database(settings))
    if settings.redis_url:
        await _once_there(lambda: _require_redis(settings))
    else:
        make_folder(settings)


async def _once_there(require: Callable[[], Awaitable[None]]) -> None:
    """Return once `require` does; while it finds its server away, that is said once. Raises CannotServe."""
    is_said = False
    while True:
        try:
            return await require()
        except _Away as away:
            if not is_said:
                _logger.warning("waiting: %s", away)
            is_said = True
        await asyncio.sleep(_RETRY_SECONDS)


async def _require_database(settings: Settings) -> None:
    database = Database(settings.database_url)
    try:
        await (_make_embedded(settings, database) if settings.is_embedded else require_schema(database))
    except DatabaseUnavailable as error:
        kind = _Away if isinstance(error, DatabaseAway) else CannotServe
        raise kind(missing_database(settings, error)) from error
    finally:
        await database.dispose()


def missing_database(settings: Settings, error: DatabaseUnavailable) -> str:
    """The line for a database that doesn't answer."""
    url = without_password(settings.database_url)
    return f"no database at {url} ({error}): start it, or set YAMB_DATABASE_URL to where it is"


async def _make_embedded(settings: Settings, database: Database) -> None:
    make_folder(settings)
    await migrate(database)


def make_folder(settings: Settings) -> None:
    """Make the folder in which the embedded defaults keep their files. Raises CannotServe."""
    try:
        make_private_folder(settings.data_dir)
    except OSError as error:
        reason = error.strerror or error
        raise CannotServe(
            f"the folder {settings.data_dir} can't be made ({reason}): set YAMB_DATA_DIR to one that can"
        ) from error


async def require_schema(database: Database) -> None:
    """See that the schema is what this program needs. Raises CannotServe, DatabaseUnavailable."""
    there, needed = await revision_of(database), head()
    if there != needed:
        raise CannotServe(
            f"the database's schema is at {there}, this program needs {needed}: run `yamb migrate`"
        )


async def _require_redis(settings: Settings) -> None:
    """Whether the room store is answered: there is a Redis, and it lets this program in."""
    where = without_password(settings.redis_url or "")
    try:
        store: RoomStore = import_module("app.main").make_store(settings)
        try:
            await store.ping()
        finally:
            await store.close()
    except (StoreUnavailable, ValueError, TypeError) as error:
        reason = without_password(" ".join(str(error).split()))
        kind = _Away if isinstance(error, StoreAway) else CannotServe
        raise kind(
            f"no Redis to use at {where} ({reason}): start it, set YAMB_REDIS_URL to where it is, or unset it"
        ) from error


def _listen(settings: Settings) -> socket.socket:
    try:
        return make_listener(settings.host, settings.port)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise CannotServe(
            f"can't listen on {where} ({error.strerror or error}): set YAMB_PORT or YAMB_HOST to another"
        ) from error


def _tell_addresses(settings: Settings, listener: socket.socket, tell: Tell) -> None:
    port = listener.getsockname()[1]
    is_everywhere = settings.host in _EVERYWHERE
    made = "compiled" if is_compiled() else "from source"
    tell(f"Yamb is served, {made}: open {_address('127.0.0.1' if is_everywhere else settings.host, port)}")
    if is_everywhere:
        for host in local_hosts():
            tell(f"On other devices of this network: {_address(host, port)}")


def is_compiled() -> bool:
    """Whether the modules that an action of a game runs through are machine code (`dev.py compile`)."""
    return not legality.__file__.endswith(".py")


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def local_hosts() -> list[str]:
    """This computer's addresses in its local network, as far as they are found without asking anybody."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_ELSEWHERE)
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [host for host in dict.fromkeys(found) if not ipaddress.ip_address(host).is_loopback]
