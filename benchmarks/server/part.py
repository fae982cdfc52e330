"""The part "server" of the benchmarks: the local store, Redis, and the ceiling, in one run."""

import os
from collections.abc import Iterator

import uvloop

from benchmarks.options import Options
from benchmarks.server.measuring import Carried, Measure, bare_tables, carry, idle_memory, seat_tables
from benchmarks.server.processes import LOAD_CORE, SERVER_CORE, CeilingServer, pin
from benchmarks.server.script import VARIANT
from benchmarks.server.tables import Load
from devtools.compiling import COMPILED, compile_app, what_is_missing
from tests.servers import AppServer, RedisServer, Server

_TABLES = 64
_SECONDS = 4.0
_IDLE_TABLES = 500
_QUIET = {"YAMB_LOG_LEVEL": "warning"}


def server_speed(options: Options) -> Iterator[str]:
    """A line for each server, then how they compare."""
    tree, made = _served(options)
    settings = _QUIET | tree
    yield made
    pin(os.getpid(), LOAD_CORE)
    measure = Measure(tables=options.games or _TABLES, seconds=_SECONDS, seed=options.seed)
    cores = f"server on core {SERVER_CORE}; load and Redis on core {LOAD_CORE}"
    yield f"{measure.tables} tables of four play {VARIANT.id}; {cores}"
    with AppServer(settings) as app:
        local = _measured(app, measure)
    yield _line("local", local)
    with RedisServer() as redis, AppServer(settings | {"YAMB_REDIS_URL": redis.url}) as app:
        pin(redis.pid, LOAD_CORE)
        shared = _measured(app, measure, redis.pid)
    yield _line("redis", shared)
    with CeilingServer(round(local.update_bytes)) as bare:
        ceiling = _measured(bare, measure)
    yield _line("ceiling", ceiling)
    for name, carried in (("local", local), ("redis", shared)):
        ratio = carried.rate_of_core / ceiling.rate_of_core
        yield f"{name}: {ratio:.0%} of the ceiling, by seconds of the server's processor"
    with AppServer(settings) as app:
        room, idle = uvloop.run(idle_memory(app.port, app.pid, _IDLE_TABLES))
    yield f"memory: {room / 1024:.1f} KiB for a room, {idle / 1024:.1f} KiB for an idle socket"


def _served(options: Options) -> tuple[dict[str, str], str]:
    """Where the server's code comes from, as a part of its environment, and a line about that."""
    if options.is_pure:
        return {}, "the server runs from source, as asked"
    if missing := what_is_missing():
        return {}, f"the server runs from source: {missing}"
    compile_app()
    return {"PYTHONPATH": str(COMPILED)}, "the server runs compiled (dev.py compile)"


def _measured(server: Server, measure: Measure, redis_pid: int | None = None) -> Carried:
    pin(server.pid, SERVER_CORE)
    return uvloop.run(_measure(server, measure, redis_pid))


async def _measure(server: Server, measure: Measure, redis_pid: int | None) -> Carried:
    load = Load()
    make = bare_tables if isinstance(server, CeilingServer) else seat_tables
    tables = await make(server.port, measure, load)
    return await carry(tables, load, measure, pid=server.pid, redis_pid=redis_pid)


def _line(name: str, carried: Carried) -> str:
    return (
        f"{name:8} {carried.rate:6.0f} actions/s, {carried.rate_of_core:6.0f} for each second of the core; "
        f"processor: server {carried.server_share:4.0%}, load {carried.load_share:4.0%}, "
        f"Redis {carried.redis_share:4.0%}; update {carried.update_bytes:.0f} bytes; "
        f"at {carried.quarter_rate:.0f}/s: p50 {carried.p50_ms:.2f} ms, p99 {carried.p99_ms:.2f} ms"
    )
