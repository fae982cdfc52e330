"""What is measured of one server: how much it carries, how late it is at a quarter of that, its memory."""

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.server.frames import Socket, connect
from benchmarks.server.processes import cpu_seconds, resident_bytes
from benchmarks.server.script import SEATS, script
from benchmarks.server.seating import guests, rooms, sit_down, watch
from benchmarks.server.tables import Load, Table, advance, pace, saturate

_SPREAD = 0.4  # of the game, over which tables are spread before anything is measured
_LIMIT_SECONDS = 120.0
_CONNECTED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Carried:
    """A server's figures. Rates are actions a second: by the clock, and for each second of its processor."""

    rate: float
    rate_of_core: float
    server_share: float
    load_share: float
    redis_share: float
    update_bytes: float
    p50_ms: float
    p99_ms: float
    quarter_rate: float


@dataclass(frozen=True, slots=True)
class Measure:
    """How much is measured: tables, and seconds for each phase. `seed` is that of their game."""

    tables: int
    seconds: float
    seed: int


async def seat_tables(port: int, measure: Measure, load: Load) -> list[Table]:
    """Tables of the real server at the start of their game."""
    cookies = await guests(port, measure.tables * SEATS)
    by_table = [cookies[number : number + SEATS] for number in range(0, len(cookies), SEATS)]
    codes = await rooms(port, [table[0] for table in by_table])
    seated = [await sit_down(port, code, table) for code, table in zip(codes, by_table, strict=True)]
    return [Table(sockets, script(measure.seed), load) for sockets in seated]


async def bare_tables(port: int, measure: Measure, load: Load) -> list[Table]:
    """Tables of the ceiling."""
    seated = [[await connect(port, f"/{number}") for _ in range(SEATS)] for number in range(measure.tables)]
    return [Table(sockets, script(measure.seed), load) for sockets in seated]


async def carry(
    tables: Sequence[Table], load: Load, measure: Measure, *, pid: int, redis_pid: int | None = None
) -> Carried:
    """Saturate the server, then have it at a quarter of that."""
    await advance(tables, _SPREAD, _LIMIT_SECONDS)
    load.reset()
    pids = [pid, os.getpid(), *([redis_pid] if redis_pid else [])]
    used, started = [cpu_seconds(one) for one in pids], time.perf_counter()
    await saturate(tables, measure.seconds)
    elapsed = time.perf_counter() - started
    shares = [(cpu_seconds(one) - before) / elapsed for one, before in zip(pids, used, strict=True)]
    rate, update_bytes = load.actions / elapsed, load.update_bytes / load.updates
    load.reset()
    await pace(tables, rate / 4, measure.seconds)
    late = sorted(load.latencies)
    if any(table.is_lost for table in tables):
        raise RuntimeError("the server closed a socket")
    return Carried(
        rate=rate,
        rate_of_core=rate / shares[0],
        server_share=shares[0],
        load_share=shares[1],
        redis_share=shares[2] if redis_pid else 0.0,
        update_bytes=update_bytes,
        p50_ms=late[len(late) // 2] * 1000,
        p99_ms=late[len(late) * 99 // 100] * 1000,
        quarter_rate=rate / 4,
    )


async def idle_memory(port: int, pid: int, tables: int) -> tuple[float, float]:
    """Bytes of the server's memory for a room that nobody watches, and for a socket that is silent."""
    cookies = await guests(port, SEATS)
    before = resident_bytes(pid)
    codes = await rooms(port, [cookies[0]] * tables)
    with_rooms = resident_bytes(pid)
    seats = [(code, cookie) for code in codes for cookie in cookies]
    sockets: list[Socket] = []
    for start in range(0, len(seats), _CONNECTED_AT_ONCE):
        some = seats[start : start + _CONNECTED_AT_ONCE]
        sockets += await asyncio.gather(*(watch(port, code, cookie) for code, cookie in some))
    with_sockets = resident_bytes(pid)
    for socket in sockets:
        socket.close()
    return (with_rooms - before) / tables, (with_sockets - with_rooms) / len(sockets)
