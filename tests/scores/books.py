"""Leaderboards in memory: a list of results, sorted whole for every question; and the same through REST."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text
from starlette.requests import HTTPConnection

from app.accounts.identity import Identity
from app.accounts.repository import keep_players
from app.db import Database
from app.problems import install_problem_handlers
from app.scores.board_rows import list_results
from app.scores.repository import FinishedGame, Result, add_game
from app.scores.routes import make_router
from app.variants.finding import make_find_variant


def instant(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc,arg-type]


NOW = instant(2026, 11, 30, 12)
LAST_OF_OCTOBER = instant(2026, 11, 1) - 1
TODAY = instant(2026, 11, 30)
DECEMBER = instant(2026, 12, 1)
INSTANTS = (LAST_OF_OCTOBER, LAST_OF_OCTOBER + 1, TODAY - 1, TODAY, NOW, DECEMBER - 1, DECEMBER)
SPANS = {
    "all": (0, 10**15),
    "month": (LAST_OF_OCTOBER + 1, DECEMBER),
    "2026-10": (instant(2026, 10, 1), LAST_OF_OCTOBER + 1),
    "today": (TODAY, DECEMBER),
}

VARIANT = "classic-5x4"
BOARD_ADDRESS = f"/api/leaderboards/{VARIANT}"
Order = tuple[int, int, str, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """A result, as a test makes it up."""

    score: int
    ended_at: int
    game: str
    seat: int
    player: str
    variant: str = VARIANT

    @property
    def order(self) -> Order:
        return (-self.score, self.ended_at, self.game, self.seat)


@dataclass(slots=True)
class Book:
    """All results."""

    entries: list[Entry] = field(default_factory=list)

    def rows(self, period: str, mode: str, variant: str = VARIANT) -> list[tuple[int, Entry]]:
        """(place, entry) of a whole board, in its order."""
        first, end = SPANS[period]
        ranked = sorted(
            (each for each in self.entries if each.variant == variant and first <= each.ended_at < end),
            key=lambda each: each.order,
        )
        if mode == "players":
            best: dict[str, Entry] = {}
            for each in ranked:
                best.setdefault(each.player, each)
            ranked = list(best.values())
        return [(1 + sum(other.score > each.score for other in ranked), each) for each in ranked]


def game_of(
    game: str, ended_at: int, seats: Iterable[tuple[str, int]], variant: str = VARIANT
) -> list[Entry]:
    """The results of a game whose seats are (player, score)."""
    return [Entry(score, ended_at, game, seat, player, variant) for seat, (player, score) in enumerate(seats)]


async def enter(database: Database, entries: Sequence[Entry]) -> bool:
    """Store a game with its results as the recorder does; whether it was not there yet."""
    one = entries[0]
    results = [Result(each.seat, each.player, each.score, 1) for each in entries]
    game = FinishedGame(one.game, one.variant, one.ended_at, {}, results)
    async with database.session() as session:
        await keep_players(session, {each.player: f"Name of {each.player}" for each in entries}, 1)
        is_new = await add_game(session, game)
        if is_new:
            await list_results(session, game)
        return is_new


async def clear(database: Database) -> None:
    async with database.session() as session:
        for table in ("tallies", "bests", "games"):
            await session.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - no input


async def identify(connection: HTTPConnection) -> Identity | None:
    """Whoever the header names."""
    player = connection.headers.get("x-player")
    return Identity(player, player) if player else None


def client_of(database: Database, now: int = NOW) -> AsyncClient:
    app = FastAPI()
    install_problem_handlers(app)
    app.include_router(make_router(database, make_find_variant(database), identify, now=lambda: now))
    return AsyncClient(transport=ASGITransport(app), base_url="http://test")


def rows_in(answer: Mapping[str, Any]) -> list[tuple[int, Entry]]:
    """(place, entry) of a page."""
    rows = [
        (
            row["place"],
            Entry(
                row["score"],
                row["ended_at"],
                row["game"],
                row["seat"],
                row["player"]["id"],
                answer["variant"],
            ),
        )
        for row in answer["results"]
    ]
    for _, entry in rows:
        assert {
            "id": entry.player,
            "name": f"Name of {entry.player}",
            "tag": entry.player[-4:],
            "user_name": None,
        } in [row["player"] for row in answer["results"]]
    return rows
