"""The part "leaderboards": pages of boards with a million results, on a PostgreSQL of its own."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import httpx
from sqlalchemy import text

from app.clock import now_ms
from app.db import Database, make_engine
from app.rules.record import Record
from app.schema import migrate
from app.scores.board_pages import edge_of_game, page_of
from app.scores.boards import Board, Edge, Mode, Page, Position, Side
from app.scores.periods import EVER, day_of, month_of
from app.scores.recording import make_record_game
from benchmarks.options import Options
from tests.games import play
from tests.postgres import PostgresServer
from tests.scores.plans import listening, plan_of
from tests.servers import AppServer
from tests.values import replace

_RESULTS = 1_000_000
_PLAYERS = 10_000
_VARIANT = "classic-5x4"
_YEAR_MS = 365 * 24 * 60 * 60 * 1000
_SAMPLES = 100
_HTTP_SAMPLES = 60
_ARCHIVED = 60
_LIMIT = 10

Ask = Callable[[], Awaitable[object]]
Results = list[tuple[str, int, str, str, int, int, int, str]]


def leaderboards_speed(options: Options) -> Iterator[str]:
    """How long loading takes, then a line for each kind of page, then the plans."""
    with PostgresServer() as server, server.databases.fresh() as url, asyncio.Runner() as runner:
        lines = _lines(url, options)
        while (line := runner.run(anext(lines, None))) is not None:
            yield line


async def _lines(url: str, options: Options) -> AsyncIterator[str]:
    started = time.monotonic()
    database = Database(url)
    await migrate(database, to="0002")
    results = _make_results(options.games or _RESULTS, Random(options.seed))  # noqa: S311 - seeded
    gc.freeze()  # a server has no million of results to be looked through for garbage
    await _load(url, results)
    loaded = time.monotonic()
    await migrate(database)
    await _vacuum(url)
    migrated = time.monotonic()
    yield (
        f"{len(results)} results of {_PLAYERS} players in twelve months: made and loaded in "
        f"{loaded - started:.0f} s, put on the boards by the migration in {migrated - loaded:.0f} s"
    )
    yield "milliseconds, p50 / p99: by the clock, and of processor time (here and in PostgreSQL);"
    yield "and how many times the first page's p50 by the clock"
    bench = await _begin(database, results, options)
    async for line in bench.pages():
        yield line
    async for line in bench.archiving():
        yield line
    yield "the same through HTTP, by the clock"
    with AppServer({"YAMB_DATABASE_URL": url, "YAMB_LOG_LEVEL": "warning"}) as app:
        async with httpx.AsyncClient(base_url=app.base_url) as client:
            async for line in bench.requests(client):
                yield line
    for line in await _plans(url, bench):
        yield line
    await database.dispose()


def _make_results(count: int, chance: Random) -> Results:
    """Some players play often: the one who plays most has a hundredth of all results."""
    now = now_ms()
    results: Results = []
    game = 0
    while len(results) < count:
        game += 1
        ended_at = now - int(chance.random() * _YEAR_MS)
        month = month_of(ended_at)
        for seat in range(chance.randint(1, 4)):
            player = f"p{int(_PLAYERS * chance.random() ** 2):09}"
            score = int(chance.gauss(850, 180))
            results.append((f"g{game:012x}", seat, _VARIANT, player, score, 1, ended_at, month))
    return results


async def _load(url: str, results: Results) -> None:
    connection = await asyncpg.connect(urlunsplit(urlsplit(url)._replace(scheme="postgresql")))
    games = {result[0]: (result[0], _VARIANT, result[6], "{}") for result in results}
    players = [(f"p{number:09}", f"Player {number}", 1) for number in range(_PLAYERS)]
    # What is made here fits together: foreign keys are not checked row by row.
    await connection.execute("SET session_replication_role = replica")
    await connection.copy_records_to_table("players", records=players)
    await connection.copy_records_to_table("games", records=games.values())
    await connection.copy_records_to_table("results", records=results)
    await connection.close()


async def _vacuum(url: str) -> None:
    """What the server does by itself a little later."""
    connection = await asyncpg.connect(urlunsplit(urlsplit(url)._replace(scheme="postgresql")))
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of each sample."""

    clock: list[float]
    processor: list[float]

    def line(self, name: str) -> str:
        """The middle, and that below which 99 of 100 are."""
        clock = "{:6.2f} / {:6.2f}".format(*_percentiles(self.clock))
        processor = "{:6.2f} / {:6.2f}".format(*_percentiles(self.processor))
        return f"{name:42}{clock}      {processor}"

    def times(self, other: "Spent") -> float:
        """How many times another's middle this one's is, by the clock."""
        return _percentiles(self.clock)[0] / _percentiles(other.clock)[0]


def _percentiles(samples: list[float]) -> tuple[float, float]:
    ordered = sorted(samples)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


@dataclass(frozen=True, slots=True)
class Bench:
    """A database with results, and what is asked of it."""

    database: Database
    boards: dict[str, Board]
    results: dict[str, Results]
    chance: Random
    backend: int

    async def pages(self) -> AsyncIterator[str]:
        """A line for each board and kind of page."""
        for name, board in self.boards.items():
            spent = await self._time(self.asks(board, self.results[name]))
            for kind, one in spent.items():
                times = one.times(spent["first"])
                yield f"{one.line(f'{board.mode.value:8} {name:10} {kind}')}{times:10.2f}"

    def asks(self, board: Board, results: Results) -> dict[str, Ask]:
        """What is asked, by the kind of page."""
        return {
            "first": lambda: self.page(board),
            "deep, forward": lambda: self.page(board, self._edge(results, Side.AFTER)),
            "deep, back": lambda: self.page(board, self._edge(results, Side.BEFORE)),
            "last": lambda: self.page(board, Edge(Side.BEFORE, Position(-10_000, 0, "", 0))),
            "around": lambda: self._around(board, results),
            "mine": lambda: self.page(board, player=self.chance.choice(results)[3]),
            "mine, of who plays most": lambda: self.page(board, player=f"p{0:09}"),
        }

    async def page(self, board: Board, edge: Edge | None = None, *, player: str | None = None) -> Page:
        """A page, in a transaction of its own, as a request has."""
        async with self.database.reading() as session:
            return await page_of(session, board, limit=_LIMIT, edge=edge, player=player)

    async def _around(self, board: Board, results: Results) -> None:
        async with self.database.reading() as session:
            game = self.chance.choice(results)[0]
            edge = await edge_of_game(session, board, game, limit=_LIMIT)
            await page_of(session, board, limit=_LIMIT, edge=edge)

    def _edge(self, results: Results, side: Side) -> Edge:
        game, seat, _, _, score, _, ended_at, _ = self.chance.choice(results)
        return Edge(side, Position(score, ended_at, game, seat))

    async def _time(self, asks: Mapping[str, Ask], samples: int = _SAMPLES) -> dict[str, Spent]:
        """What each asks for, in turn: the clock of a machine that is shared moves by half within seconds."""
        for _ in range(samples // 10):
            for ask in asks.values():
                await ask()
        spent = {kind: Spent([], []) for kind in asks}
        for _ in range(samples):
            for kind, ask in asks.items():
                began, used = time.perf_counter_ns(), self._processor_ns()
                await ask()
                spent[kind].processor.append((self._processor_ns() - used) / 1e6)
                spent[kind].clock.append((time.perf_counter_ns() - began) / 1e6)
        return spent

    def _processor_ns(self) -> int:
        """Of this program and of the one process of PostgreSQL that serves it (Linux)."""
        file = Path(f"/proc/{self.backend}/schedstat")
        return time.process_time_ns() + (int(file.read_text().split()[0]) if file.exists() else 0)

    async def archiving(self) -> AsyncIterator[str]:
        """What it takes to store a finished game of four."""
        record_game = make_record_game(self.database)
        record = play(seats=4, seed=1, ended_at=now_ms())
        games = iter([self._game(record, number) for number in range(2 * _ARCHIVED)])
        name = "a game of four is stored"
        yield (await self._time({name: lambda: record_game(next(games))}, _ARCHIVED))[name].line(name)

    def _game(self, record: Record, number: int) -> Record:
        players = self.chance.sample(range(_PLAYERS), 4)
        seats = tuple(
            replace(seat, player=f"p{player:09}") for seat, player in zip(record.seats, players, strict=True)
        )
        return replace(record, game_id=f"archived{number}", seats=seats)

    async def requests(self, client: httpx.AsyncClient) -> AsyncIterator[str]:
        """A line for each kind of page: the cursors are those that the answers gave."""
        address = f"/api/leaderboards/{_VARIANT}"
        for _ in range(_HTTP_SAMPLES // 10):
            await _timed(client, address, {})
        for mode in Mode:
            some = self.chance.sample(self.results["all"], _HTTP_SAMPLES)
            around: list[float] = []
            deep: list[float] = []
            first: list[float] = []
            for result in some:
                question = {"mode": mode.value}
                first.append((await _timed(client, address, question))[0])
                spent, page = await _timed(client, address, question | {"around": result[0]})
                around.append(spent)
                if page.get("next"):
                    deep.append((await _timed(client, address, question | {"cursor": page["next"]}))[0])
            for kind, samples in (("first", first), ("deep", deep), ("around", around)):
                p50, p99 = _percentiles(samples or [0.0])
                yield f"{mode.value:8} all        {kind:23}{p50:6.2f} / {p99:6.2f}"


async def _timed(
    client: httpx.AsyncClient, address: str, question: dict[str, str]
) -> tuple[float, dict[str, str]]:
    began = time.perf_counter_ns()
    answer = await client.get(address, params=question)
    return (time.perf_counter_ns() - began) / 1e6, answer.json()


async def _begin(database: Database, results: Results, options: Options) -> Bench:
    now = now_ms()
    months = {
        "all": EVER,
        "month": month_of(now),
        "today": day_of(now),
    }
    of_period = {
        name: [
            each for each in results if key in {EVER, each[7]} or (name == "today" and day_of(each[6]) == key)
        ]
        for name, key in months.items()
    }
    boards = {
        (name if mode is Mode.RESULTS else f"{name} "): Board(_VARIANT, key, mode)
        for mode in Mode
        for name, key in months.items()
        if of_period[name]
    }
    async with database.reading() as session:
        backend = await session.scalar(text("SELECT pg_backend_pid()"))
    by_board = {name: of_period[name.strip()] for name in boards}
    return Bench(database, boards, by_board, Random(options.seed), int(backend or 0))  # noqa: S311 - seeded


async def _plans(url: str, bench: Bench) -> list[str]:
    """How a deep page of each mode is found, and the place of a game."""
    lines = []
    engine = make_engine(url)
    listened = Database(url)
    for name in ("all", "all "):
        board = bench.boards[name]
        edge = bench._edge(bench.results[name], Side.AFTER)
        with listening(listened._engine.sync_engine) as asked:
            async with listened.reading() as session:
                await page_of(session, board, limit=_LIMIT, edge=edge)
        async with engine.connect() as connection:
            for statement, parameters in asked:
                lines += ["", f"{board.mode.value}: {' '.join(statement.split())}"]
                lines += await plan_of(
                    connection, statement, parameters, explain="EXPLAIN (ANALYZE, BUFFERS, COSTS OFF)"
                )
    await engine.dispose()
    await listened.dispose()
    return lines
