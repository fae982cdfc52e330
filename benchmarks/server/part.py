"""The part "server" of the benchmarks: the local store, Redis, and the ceiling, in one run."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

import uvloop

from benchmarks.options import Options
from benchmarks.server.measuring import (
    Contender,
    Measure,
    begin,
    begin_bare,
    idle_memory,
    pace_one,
    ratio,
    saturate_in_turn,
)
from benchmarks.server.processes import LOAD_CORE, SERVER_CORE, CeilingServer, pin
from benchmarks.server.script import VARIANT, Line, script
from devtools.compiling import COMPILED, compile_app, what_is_missing
from tests.servers import AppServer, RedisServer, Server

_TABLES = 64
_ROUNDS = 24
_ROUND_SECONDS = 0.4
_PACED_SECONDS = 4.0
_IDLE_TABLES = 500
_QUIET = {"YAMB_LOG_LEVEL": "warning"}


def server_speed(options: Options) -> Iterator[str]:
    """A line for each server, then how they compare."""
    tree, made = _served(options)
    settings = _QUIET | tree
    yield made
    pin(os.getpid(), LOAD_CORE)
    measure = Measure(options.games or _TABLES, _ROUNDS, _ROUND_SECONDS, _PACED_SECONDS)
    cores = f"server on core {SERVER_CORE}; load and Redis on core {LOAD_CORE}"
    yield f"{measure.tables} tables of four play {VARIANT.id}; {cores}"
    *servers, ceiling = uvloop.run(measured(settings, script(options.seed), measure))
    for one in (*servers, ceiling):
        yield _line(one)
    for one in servers:
        yield f"{one.name}: {ratio(one, ceiling):.0%} of the ceiling, by seconds of the server's processor"
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


async def measured(settings: dict[str, str], lines: Sequence[Line], measure: Measure) -> list[Contender]:
    """The local store, Redis and the ceiling, side by side and measured in turn, playing these lines."""
    with ExitStack() as running:
        local = running.enter_context(AppServer(settings))
        redis = running.enter_context(RedisServer())
        shared = running.enter_context(AppServer(settings | {"YAMB_REDIS_URL": redis.url}))
        pin(redis.pid, LOAD_CORE)
        contenders = [
            await begin("local", local.port, lines, measure.tables, pids=_pids(local)),
            await begin("redis", shared.port, lines, measure.tables, pids=[*_pids(shared), redis.pid]),
        ]
        bare = running.enter_context(CeilingServer(round(contenders[0].update_bytes)))
        contenders.append(await begin_bare(bare.port, lines, measure.tables, pids=_pids(bare)))
        await saturate_in_turn(contenders, measure)
        for one in contenders:
            await pace_one(one, measure)
    return contenders


def _pids(server: Server) -> list[int]:
    """Of the server, pinned to its core, and of the load."""
    pin(server.pid, SERVER_CORE)
    return [server.pid, os.getpid()]


def _line(one: Contender) -> str:
    rate_of_core = median(one.core_rates)
    return (
        f"{one.name:8} {one.rate:6.0f} actions/s, {rate_of_core:6.0f} for each second of the core; "
        f"processor: server {one.share(0):4.0%}, load {one.share(1):4.0%}, "
        f"Redis {one.share(2):4.0%}; update {one.update_bytes:.0f} bytes; "
        f"at {one.rate / 4:.0f}/s: p50 {one.late_ms(50):.2f} ms, p99 {one.late_ms(99):.2f} ms"
    )
