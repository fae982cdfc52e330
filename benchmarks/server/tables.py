"""Tables of four sockets that play the script: the load.

An action is done when all four sockets have its update and the one that sent it has its ok.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from benchmarks.server.frames import Socket
from benchmarks.server.script import SEATS, Line

_UPDATE, _OK, _REFUSED = map(ord, "uor")
_FRAMES = SEATS + 1  # of one action
_STALL_SECONDS = 20.0  # how long the last actions of a round may take on a machine that others use too


class Load:
    """What happened at all tables since `reset`. Latencies are seconds, from when an action was due."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin to count."""
        self.actions = 0
        self.updates = 0
        self.update_bytes = 0
        self.latencies: list[float] = []


OnDone = Callable[["Table"], None]


class Table:
    """Four sockets and how far their game is. `on_done` is called after every action."""

    def __init__(self, sockets: Sequence[Socket], lines: Sequence[Line], load: Load) -> None:
        self._sockets = sockets
        self._lines = lines
        self._load = load
        self.lines = len(lines)
        self._left = 0
        self._due = 0.0
        self.place = 0
        self.on_done: OnDone = _ignore
        for socket in sockets:
            socket.on_frame = self._on_frame

    @property
    def is_busy(self) -> bool:
        """Whether an action is under way."""
        return self._left > 0

    @property
    def is_over(self) -> bool:
        """Whether the game is at its end."""
        return self.place == len(self._lines)

    @property
    def left(self) -> int:
        """How many actions its game still has."""
        return self.lines - self.place

    @property
    def is_lost(self) -> bool:
        """Whether one of its sockets has been closed."""
        return any(socket.is_lost for socket in self._sockets)

    def close(self) -> None:
        """Leave the table."""
        for socket in self._sockets:
            socket.close()

    def begin_again(self) -> None:
        """Play from the first action on, where nobody remembers the game: at the ceiling."""
        self.place = 0

    def act(self, due: float | None = None) -> None:
        """Send the next action. `due`: the instant (perf_counter) when it should have been sent."""
        self._due = time.perf_counter() if due is None else due
        self._left = _FRAMES
        line = self._lines[self.place]
        self.place += 1
        self._sockets[line.seat].send(line.frame)

    def _on_frame(self, kind: int, length: int) -> None:
        if kind == _UPDATE:
            self._load.updates += 1
            self._load.update_bytes += length
        elif kind != _OK:
            if kind == _REFUSED:
                raise RuntimeError(f"action {self.place} was refused")
            return
        self._left -= 1
        if self._left == 0:
            self._load.actions += 1
            self._load.latencies.append(time.perf_counter() - self._due)
            self.on_done(self)


def _ignore(_table: Table) -> None:
    return


async def advance(tables: Sequence[Table], share: float, seconds: float) -> None:
    """Play so that the tables are spread evenly over the first `share` of the game, one action at least."""
    goals = {
        table: 1 + int((table.lines - 1) * share * number / len(tables))
        for number, table in enumerate(tables)
    }
    await _play(tables, lambda table: table.place < goals[table], seconds)


async def saturate(tables: Sequence[Table], seconds: float) -> None:
    """Every table sends its next action as soon as the one before is done, until the time or a game is over.

    All end together: with fewer tables a server carries less. Each acts once at least.
    """
    until, is_on = time.perf_counter() + seconds, True
    begun = {table: table.place for table in tables}

    def goes_on(table: Table) -> bool:
        nonlocal is_on
        is_in_time = time.perf_counter() < until or table.place == begun[table]
        is_on = is_on and is_in_time and not table.is_over
        return is_on

    await _play(tables, goes_on, seconds + _STALL_SECONDS)


async def _play(tables: Sequence[Table], goes_on: Callable[[Table], bool], limit: float) -> None:
    """Have each table act again and again, until it doesn't go on and its last action is done."""
    left = len(tables)
    ended = asyncio.Event()

    def next_action(table: Table) -> None:
        nonlocal left
        if goes_on(table):
            table.act()
            return
        left -= 1
        if left == 0:
            ended.set()

    for table in tables:
        table.on_done = next_action
        next_action(table)
    async with asyncio.timeout(limit):
        await ended.wait()


async def pace(tables: Sequence[Table], rate: float, seconds: float) -> None:
    """So many actions a second over all tables, each at its own instant. One that is late counts as late."""
    started = time.perf_counter()
    gap = len(tables) / rate
    until = started + seconds
    firsts = [started + gap * number / len(tables) for number in range(len(tables))]
    players = [_act_each(table, due, gap, until=until) for table, due in zip(tables, firsts, strict=True)]
    async with asyncio.timeout(seconds + _STALL_SECONDS):
        await asyncio.gather(*players)


async def _act_each(table: Table, due: float, gap: float, *, until: float) -> None:
    done = asyncio.Event()
    table.on_done = lambda _: done.set()
    while due < until and not table.is_over:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        done.clear()
        table.act(due)
        await done.wait()
        due += gap
