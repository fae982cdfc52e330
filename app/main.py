"""The application: the one place that picks adapters and joins the domains. Importing it makes nothing."""

import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypedDict

from fastapi import APIRouter, Depends, FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.accounts import routes as accounts_routes
from app.accounts.ended_sessions import make_find_ended
from app.accounts.identity import cookie_name, make_identify
from app.accounts.making import Making
from app.accounts.passwords import Passwords
from app.accounts.purging import Purge
from app.bots import choose
from app.clock import Now, SteadyClock, now_ms
from app.config import Settings
from app.connections import Connections
from app.database_metrics import DatabaseCollector
from app.db import Database, DatabaseUnavailable
from app.health import make_health_router
from app.hosts import KnownHosts
from app.metrics import ConnectionCollector, RoomCollector, make_metrics_router
from app.openapi import complete_description, serve_description
from app.problems import install_problem_handlers
from app.public_reads import PublicReads
from app.query import refuse_unknown_parameters
from app.request_metrics import RequestMeter, make_request_seconds
from app.requests import BodyLimit, HeadAsGet, RequestId
from app.rooms import description
from app.rooms import routes as rooms_routes
from app.rooms.limits import Limits
from app.rooms.local_store import LocalStore
from app.rooms.redis_store import RedisStore
from app.rooms.store import RoomStore, StoreUnavailable
from app.rooms.timing import Timing
from app.rooms.websocket import TableSockets
from app.rooms.worker import Outside, Worker
from app.rules.record import Record
from app.scores import player_routes
from app.scores import routes as scores_routes
from app.scores.own_games import make_own_games
from app.scores.recording import RecordGame, make_record_game
from app.shares import FairShares, Shares
from app.store_metrics import StoreCollector
from app.variants import routes as variants_routes
from app.variants.finding import make_find_variant
from app.web_files import ResponseHeaders, serve_client


class AppState(TypedDict):
    """What the lifespan gives to whoever runs the application. `drain` is for before sockets are closed."""

    drain: Callable[[], Awaitable[None]]


def create_app(
    settings: Settings,
    *,
    store: RoomStore | None = None,
    timing: Timing | None = None,
    passwords: Passwords | None = None,
    connections: Connections | None = None,
) -> FastAPI:
    """The whole application, not yet connected to anything.

    `store`: another than the settings choose; `timing`, `passwords`: others than the usual.
    `connections`: those by which it is served, for its metrics.
    """
    database = Database(settings.database_url)
    now = make_clock(settings)
    store = store or make_store(settings, now)
    find_variant = make_find_variant(database)
    outside = Outside(
        record_game=by_the_wall(make_record_game(database), now),
        choose=choose,
        now=now,
        draw=secrets.token_bytes,
        find_variant=find_variant,
        find_ended=make_find_ended(database),
    )
    limits = Limits(
        sockets_per_player=settings.sockets_per_player, sockets_per_address=settings.sockets_per_address
    )
    shares = Shares(settings.share_per_address, settings.misses_per_address)
    worker = Worker(store, outside, limits=limits, timing=timing)
    cookie = cookie_name(is_secure=settings.cookie_secure)
    identify = make_identify(database, is_secure=settings.cookie_secure)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[AppState]:
        try:
            async with worker.running(), Purge(database).running():
                yield {"drain": worker.drain}
        finally:
            await database.dispose()

    app = FastAPI(
        title="Yamb",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    complete_description(app, cookie=cookie)
    serve_description(app)
    install_problem_handlers(app, [DatabaseUnavailable, StoreUnavailable])
    app.add_middleware(BodyLimit)
    app.add_middleware(PublicReads)
    app.add_middleware(HeadAsGet)
    app.add_middleware(FairShares, shares=shares)
    app.add_middleware(ResponseHeaders, is_secure=settings.cookie_secure)
    app.add_middleware(
        TableSockets,
        worker=worker,
        identify=identify,
        allowed_origins=settings.allowed_origins,
        shares=shares,
    )
    app.add_middleware(KnownHosts, allowed=settings.allowed_hosts)
    seconds = make_request_seconds()
    app.add_middleware(RequestMeter, seconds=seconds)
    app.add_middleware(RequestId)
    app.add_middleware(PlainStartFailure)
    making = Making(database, settings)
    _include_interface(
        app,
        accounts_routes.make_router(
            database,
            identify,
            settings,
            games=make_own_games(database),
            passwords=passwords,
            tell_ended=worker.sessions.tell,
        ),
        rooms_routes.make_router(worker.service, identify, settings, begin_room=making.room),
        description.make_router(cookie),
        scores_routes.make_router(database, find_variant, identify),
        player_routes.make_router(database, find_variant),
        variants_routes.make_router(database, identify, settings),
    )
    checks = {"room store": store.ping, "database": database.ping}
    app.include_router(make_health_router(checks, lambda: worker.hub.is_draining))
    if settings.metrics:
        app.include_router(
            make_metrics_router(
                RoomCollector(worker.hub, settings.store_kind),
                StoreCollector(store, now),
                ConnectionCollector(connections or Connections()),
                DatabaseCollector(database.ping),
                seconds,
            )
        )
    serve_client(app)
    return app


def _include_interface(app: FastAPI, *routers: APIRouter) -> None:
    for router in routers:
        app.include_router(router, dependencies=[Depends(refuse_unknown_parameters)])


class PlainStartFailure:
    """Says in one line that the room store can't be opened: only a defect deserves a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_plainly(message: Message) -> None:
            error = sys.exc_info()[1]
            if message["type"] == "lifespan.startup.failed" and isinstance(error, StoreUnavailable):
                message = {**message, "message": str(error)}
            await send(message)

        await self._app(scope, receive, send_plainly if scope["type"] == "lifespan" else send)


def make_clock(settings: Settings) -> Now:
    """Several processes have to agree about the time; one alone needn't follow the jumps of its machine."""
    return now_ms if settings.redis_url else SteadyClock()


def by_the_wall(record_game: RecordGame, now: Now) -> RecordGame:
    """Records a game by the times that the machine's clock says now: it may have been set right meanwhile."""
    if not isinstance(now, SteadyClock):
        return record_game

    async def record(record: Record) -> None:
        started_at, ended_at = now.wall_of(record.started_at), now.wall_of(record.ended_at)
        await record_game(replace(record, started_at=started_at, ended_at=ended_at))

    return record


def make_store(settings: Settings, now: Now = now_ms) -> RoomStore:
    """The room store that the settings choose."""
    if settings.redis_url:
        return RedisStore(settings.redis_url)
    return LocalStore(settings.data_dir / "rooms.db", clock=lambda: now() / 1000)
