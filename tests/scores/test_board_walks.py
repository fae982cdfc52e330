"""Pages, places, totals, cursors and `around` are those of a sort in memory, while rows are being added."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from httpx import AsyncClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.db import Database
from tests.scores.books import (
    BOARD_ADDRESS,
    INSTANTS,
    SPANS,
    Book,
    Entry,
    Order,
    clear,
    client_of,
    enter,
    game_of,
    rows_in,
)

PLAYERS = ("p0", "p1", "p2", "p3", "p4")
PERIODS = st.sampled_from(sorted(SPANS))
MODES = st.sampled_from(["results", "players"])
GAMES = st.tuples(
    st.sampled_from(INSTANTS),
    st.lists(st.tuples(st.sampled_from(PLAYERS), st.integers(-70, -60) | st.integers(-2, 2)), max_size=6),
    st.sampled_from([BOARD_ADDRESS.rpartition("/")[2]] * 3 + ["papir"]),
)
STEPS = st.lists(st.tuples(st.sampled_from(["next", "next", "previous"]), st.none() | GAMES), max_size=8)
FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
async def client(database: Database) -> AsyncIterator[AsyncClient]:
    async with client_of(database) as opened:
        yield opened


async def add(database: Database, book: Book, game: tuple[int, list[tuple[str, int]], str]) -> None:
    ended_at, seats, variant = game
    # Names that don't come in the order of time: games are stored late, and in any order.
    number = len({entry.game for entry in book.entries})
    entries = game_of(f"g{number * 37 % 101:02}", ended_at, seats, variant)
    if entries:
        assert await enter(database, entries)
        book.entries += entries


class Walk:
    """What the pages must be, by the whole sorted board at the moment of each."""

    def __init__(self, book: Book, *, period: str, mode: str, player: str | None, limit: int) -> None:
        self.book, self.period, self.mode, self.player, self.limit = book, period, mode, player, limit
        self.above: Order | None = None
        self.below: Order | None = None

    @property
    def board(self) -> list[tuple[int, Entry]]:
        rows = self.book.rows(self.period, self.mode)
        return [row for row in rows if self.player in {None, row[1].player}]

    def check(self, page: dict[str, Any], expected: list[tuple[int, Entry]]) -> None:
        assert rows_in(page) == expected
        assert page["total"] == len(self.board)
        if expected:
            self.above, self.below = expected[0][1].order, expected[-1][1].order
        orders = [entry.order for _, entry in self.board]
        if self.above is None or self.below is None:
            assert (page["previous"], page["next"]) == (None, None)
        elif expected:
            assert (page["previous"] is not None) == any(order < self.above for order in orders)
            assert (page["next"] is not None) == any(order > self.below for order in orders)

    def after(self) -> list[tuple[int, Entry]]:
        assert self.below is not None
        return [row for row in self.board if row[1].order > self.below][: self.limit]

    def before(self) -> list[tuple[int, Entry]]:
        assert self.above is not None
        return [row for row in self.board if row[1].order < self.above][-self.limit :]


@FEW
@given(
    games=st.lists(GAMES, max_size=12),
    period=PERIODS,
    mode=MODES,
    player=st.none() | st.sampled_from(PLAYERS),
    limit=st.integers(1, 5),
    steps=STEPS,
)
async def test_a_walk_over_a_board_that_grows(
    database: Database,
    client: AsyncClient,
    *,
    games: list[tuple[int, list[tuple[str, int]], str]],
    period: str,
    mode: str,
    player: str | None,
    limit: int,
    steps: list[tuple[str, tuple[int, list[tuple[str, int]], str] | None]],
) -> None:
    await clear(database)
    book = Book()
    for game in games:
        await add(database, book, game)
    walk = Walk(book, period=period, mode=mode, player=player, limit=limit)
    question = {"period": period, "mode": mode, "limit": str(limit)} | ({"player": "me"} if player else {})
    headers = {"x-player": player or "p0"}

    async def page_with(**more: str) -> dict[str, Any]:
        answer = await client.get(BOARD_ADDRESS, params=question | more, headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    page = await page_with()
    walk.check(page, walk.board[:limit])
    for direction, added in steps:
        cursor = page[direction]
        if added is not None:
            await add(database, book, added)
        if cursor is None:
            continue
        page = await page_with(cursor=cursor)
        expected = walk.after() if direction == "next" else walk.before()
        walk.check(page, expected)
        if not expected:
            break


@FEW
@given(
    games=st.lists(GAMES, min_size=1, max_size=12),
    period=PERIODS,
    mode=MODES,
    mine=st.booleans(),
    limit=st.integers(1, 5),
)
async def test_the_page_around_a_game_is_that_of_a_walk_from_the_top(
    database: Database,
    client: AsyncClient,
    *,
    games: list[tuple[int, list[tuple[str, int]], str]],
    period: str,
    mode: str,
    mine: bool,
    limit: int,
) -> None:
    await clear(database)
    book = Book()
    for game in games:
        await add(database, book, game)
    board = [row for row in book.rows(period, mode) if not mine or row[1].player == "p0"]
    question = {"period": period, "mode": mode, "limit": str(limit)} | ({"player": "me"} if mine else {})
    first_row: dict[str, int] = {}
    for index, (_, entry) in enumerate(board):
        first_row.setdefault(entry.game, index)
    for name in {entry.game for entry in book.entries}:
        answer = await client.get(
            BOARD_ADDRESS, params=question | {"around": name}, headers={"x-player": "p0"}
        )
        if name not in first_row:
            assert (answer.status_code, answer.json()["code"]) == (404, "result_not_listed")
            continue
        begin = first_row[name] // limit * limit
        page = answer.json()
        assert rows_in(page) == board[begin : begin + limit]
        assert (page["previous"] is None, page["next"] is None) == (begin == 0, begin + limit >= len(board))


async def test_games_stored_at_once_by_many_are_all_on_their_boards(
    database_url: str, client: AsyncClient
) -> None:
    chance = Random(5)
    games = [
        game_of(
            f"g{number}",
            chance.choice(INSTANTS),
            [(player, chance.randint(-3, 3)) for player in chance.sample(PLAYERS, 4)],
        )
        for number in range(16)
    ]
    others = [Database(database_url) for _ in range(3)]
    # Each game by two recorders: one of them finds it there.
    stored = await asyncio.gather(*(enter(each, game) for game in games for each in chance.sample(others, 2)))
    for other in others:
        await other.dispose()

    assert stored.count(True) == len(games)
    book = Book([entry for game in games for entry in game])
    for period in SPANS:
        for mode in ("results", "players"):
            board = (
                await client.get(BOARD_ADDRESS, params={"period": period, "mode": mode, "limit": "100"})
            ).json()
            assert rows_in(board) == book.rows(period, mode)
            assert board["total"] == len(book.rows(period, mode))
