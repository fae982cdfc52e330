"""What is measured of one server: how much it carries, how late it is at a quarter of that, its memory."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.server.frames import Socket, connect
from benchmarks.server.processes import cpu_seconds, resident_bytes
from benchmarks.server.script import SEATS, Line
from benchmarks.server.seating import guests, rooms, sit_down, watch
from benchmarks.server.tables import Load, Table, advance, pace, saturate

_SPREAD = 0.15  # of the game, over which tables are spread before anything is measured
_LIMIT_SECONDS = 120.0
_CONNECTED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Measure:
    """How much is measured: tables, rounds of saturation and seconds for each, seconds at a quarter of it."""

    tables: int
    rounds: int
    round_seconds: float
    paced_seconds: float


Renew = Callable[[Table], Awaitable[Table]]
"""Takes a table and gives one whose game is at its start."""


@dataclass(slots=True)
class Contender:
    """A server under load, and what it has done in its rounds. `pids`: its own, the load's and Redis's.

    How far games come in a round is the machine's: what doesn't last for the next round is renewed before it.
    """

    name: str
    tables: list[Table]
    load: Load
    pids: Sequence[int]
    renew: Renew
    actions: list[int] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)
    used: list[list[float]] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    update_bytes: float = 0.0

    @property
    def rate(self) -> float:
        """Actions a second by the clock."""
        return sum(self.actions) / sum(self.elapsed)

    @property
    def core_rates(self) -> list[float]:
        """Actions for each second that the server used of the processor, round by round."""
        return [actions / used[0] for actions, used in zip(self.actions, self.used, strict=True)]

    def share(self, place: int) -> float:
        """What part of a core one of its processes used; 0 for one that there isn't."""
        if place >= len(self.pids):
            return 0.0
        return sum(used[place] for used in self.used) / sum(self.elapsed)

    def late_ms(self, percent: int) -> float:
        """That percentile of the lateness at a quarter, in milliseconds."""
        return self.late[len(self.late) * percent // 100] * 1000


def ratio(one: Contender, ceiling: Contender) -> float:
    """What part of the ceiling a server carries for each second of its core.

    The median of all rounds, each compared with the ceiling's of the same moment: the clock of a machine that
    is shared moves by half within seconds.
    """
    return median(ours / bare for ours, bare in zip(one.core_rates, ceiling.core_rates, strict=True))


async def seat_tables(port: int, lines: Sequence[Line], load: Load, count: int) -> list[Table]:
    """Tables of the real server at the start of their game."""
    cookies = await guests(port, count * SEATS)
    by_table = [cookies[number : number + SEATS] for number in range(0, len(cookies), SEATS)]
    codes = await rooms(port, [table[0] for table in by_table])
    seated = [await sit_down(port, code, table) for code, table in zip(codes, by_table, strict=True)]
    return [Table(sockets, lines, load) for sockets in seated]


async def bare_tables(port: int, lines: Sequence[Line], load: Load, count: int) -> list[Table]:
    """Tables of the ceiling."""
    seated = [[await connect(port, f"/{number}") for _ in range(SEATS)] for number in range(count)]
    return [Table(sockets, lines, load) for sockets in seated]


async def begin(name: str, port: int, lines: Sequence[Line], count: int, *, pids: Sequence[int]) -> Contender:
    """The real server, whose tables have been spread over the beginning of their game."""
    load = Load()

    async def renew(table: Table) -> Table:
        table.close()
        return (await seat_tables(port, lines, load, 1))[0]

    return await _spread(Contender(name, await seat_tables(port, lines, load, count), load, pids, renew))


async def begin_bare(port: int, lines: Sequence[Line], count: int, *, pids: Sequence[int]) -> Contender:
    """The ceiling, likewise."""
    load = Load()

    async def renew(table: Table) -> Table:
        table.begin_again()
        return table

    return await _spread(Contender("ceiling", await bare_tables(port, lines, load, count), load, pids, renew))


async def _spread(one: Contender) -> Contender:
    await advance(one.tables, _SPREAD, _LIMIT_SECONDS)
    one.update_bytes = one.load.update_bytes / one.load.updates
    return one


async def _renew(one: Contender, actions: float) -> None:
    """Have tables whose games last for so many actions each, or are new."""
    for place, table in enumerate(one.tables):
        if table.left < min(actions, table.lines):
            one.tables[place] = await one.renew(table)


async def saturate_in_turn(contenders: Sequence[Contender], measure: Measure) -> None:
    """Have each carry as much as it can, in turn, round by round: forth and then back."""
    for number in range(measure.rounds):
        for one in contenders if number % 2 else reversed(contenders):
            await _saturate(one, measure.round_seconds)


async def _saturate(one: Contender, seconds: float) -> None:
    # Twice the most that a table has played in a round, one action at least.
    await _renew(one, 1 + 2 * max(one.actions, default=0) / len(one.tables))
    one.load.reset()
    before, started = [cpu_seconds(pid) for pid in one.pids], time.perf_counter()
    await saturate(one.tables, seconds)
    one.elapsed.append(time.perf_counter() - started)
    one.used.append([cpu_seconds(pid) - used for pid, used in zip(one.pids, before, strict=True)])
    one.actions.append(one.load.actions)
    one.update_bytes = one.load.update_bytes / one.load.updates


async def pace_one(one: Contender, measure: Measure) -> None:
    """Have it carry a quarter of that. Raises RuntimeError when it has closed a socket."""
    await _renew(one, 1 + one.rate / 4 * measure.paced_seconds / len(one.tables))
    one.load.reset()
    await pace(one.tables, one.rate / 4, measure.paced_seconds)
    one.late = sorted(one.load.latencies)
    if any(table.is_lost for table in one.tables):
        raise RuntimeError(f"{one.name}: the server closed a socket")


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
