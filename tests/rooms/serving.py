"""A real server of rooms in the loop of the test: sockets over TCP, the local store, players by name.

Who a socket is from is said by a bearer token that is the player's name; there is no database.
"""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.requests import HTTPConnection

from app.accounts.identity import Identity
from app.clock import Now, now_ms
from app.config import Settings
from app.problems import install_problem_handlers
from app.rooms import routes
from app.rooms.archiver import Archiver
from app.rooms.hub import Hub
from app.rooms.limits import Limits
from app.rooms.local_store import LocalStore
from app.rooms.service import RoomService
from app.rooms.store import RoomStore
from app.rooms.timing import Timing
from app.rooms.turns import Choose
from app.rooms.websocket import TableSockets
from app.rooms.worker import Outside, Worker
from app.rules.actions import Action, Undo
from app.rules.legality import legal_actions
from app.rules.record import Record
from app.rules.state import Game
from app.serving import uvicorn_config
from app.sockets import SocketProtocol, make_listener
from tests.rooms.tables import NAMES, identity

HOST = "127.0.0.1"


@dataclass(slots=True)
class Rooms:
    """What serves the rooms, and where."""

    worker: Worker
    recorded: dict[str, Record]
    has_recorded: asyncio.Event
    port: int = 0

    @property
    def store(self) -> RoomStore:
        """Where the rooms are."""
        return self.worker.store

    @property
    def hub(self) -> Hub:
        """Who looks at them."""
        return self.worker.hub

    @property
    def service(self) -> RoomService:
        """Who changes them."""
        return self.worker.service

    @property
    def archiver(self) -> Archiver:
        """Who records their games."""
        return self.worker.archiver

    async def make(
        self,
        variant: str = "classic-5x4",
        max_seats: int = 8,
        host: str = NAMES[0],
        *,
        own_dice: bool = False,
    ) -> str:
        """A new room; its code."""
        stored = await self.service.create(identity(host), variant, max_seats, own_dice=own_dice)
        return stored.room.code

    @property
    def base_url(self) -> str:
        """Where REST is served."""
        return f"http://{HOST}:{self.port}"

    @property
    def socket_url(self) -> str:
        """Where sockets are served."""
        return f"ws://{HOST}:{self.port}"


def make_rooms(
    store: RoomStore,
    *,
    now: Now = now_ms,
    choose: Choose | None = None,
    limits: Limits | None = None,
    timing: Timing | None = None,
) -> Rooms:
    """Rooms over a store, their finished games recorded by id."""
    recorded: dict[str, Record] = {}
    has_recorded = asyncio.Event()

    async def record_game(record: Record) -> None:
        recorded[record.game_id] = record
        has_recorded.set()

    outside = Outside(record_game, choose or choose_first, now, secrets.token_bytes)
    return Rooms(Worker(store, outside, limits=limits, timing=timing), recorded, has_recorded)


def choose_first(game: Game) -> Action:
    """The first thing that a seat may do, which takes no thought."""
    return next(action for action in legal_actions(game) if action != Undo())


def choose_last(game: Game) -> Action:
    """The last thing: a cell, as soon as one can be filled, which takes no thought and few turns."""
    return next(action for action in reversed(legal_actions(game)) if action != Undo())


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    limits: Limits | None = None,
    timing: Timing | None = None,
    allowed_origins: Collection[str] = (),
    send_buffer: int | None = None,
    protocol: type[asyncio.Protocol] = SocketProtocol,
) -> AsyncIterator[Rooms]:
    """A server of rooms with its store in a folder."""
    rooms = make_rooms(LocalStore(folder / "rooms.db"), limits=limits, timing=timing)
    async with served(rooms, allowed_origins=allowed_origins, send_buffer=send_buffer, protocol=protocol):
        yield rooms


@asynccontextmanager
async def serving_from(store: RoomStore) -> AsyncIterator[Rooms]:
    """A server of rooms over a store that isn't open yet."""
    rooms = make_rooms(store)
    async with served(rooms):
        yield rooms


@asynccontextmanager
async def served(
    rooms: Rooms,
    *,
    allowed_origins: Collection[str] = (),
    send_buffer: int | None = None,
    protocol: type[asyncio.Protocol] = SocketProtocol,
) -> AsyncIterator[None]:
    """Rooms, whose store isn't open yet, with a server of their own."""
    app = FastAPI()
    install_problem_handlers(app)
    app.include_router(routes.make_router(rooms.service, identify_by_name, Settings()))
    app.add_middleware(
        TableSockets, worker=rooms.worker, identify=identify_by_name, allowed_origins=allowed_origins
    )
    async with rooms.worker.running(), listening(app, send_buffer, protocol) as port:
        rooms.port = port
        yield


@asynccontextmanager
async def listening(
    app: FastAPI, send_buffer: int | None = None, protocol: type[asyncio.Protocol] = SocketProtocol
) -> AsyncIterator[int]:
    """The application on a free port, served as `yamb serve` does."""
    with make_listener(HOST, 0) as listener:
        if send_buffer is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        config = uvicorn_config(app, ws=protocol, timeout_graceful_shutdown=2)
        server = _Server(config)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await server.ready.wait()
        try:
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            await running


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


async def identify_by_name(connection: HTTPConnection) -> Identity | None:
    """The player whose name is the bearer token."""
    _, _, name = connection.headers.get("authorization", "").partition(" ")
    return identity(name) if name else None
