"""Leaderboards and records of finished games over REST."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from app.clock import Now, now_ms
from app.db import Database
from app.problems import Problem, problem_responses
from app.rules.column_choice import base_of
from app.rules.plain import variant_from_plain
from app.rules.presets import for_seats
from app.rules.share_code import share_code
from app.rules.variant import Variant
from app.scores.recording import month_of
from app.scores.repository import Board, a_record_of, count_results, record_of_game, standings_from
from app.scores.schemas import Leaderboard, ListedPlayer, ListedResult, Period

PAGE_ROWS = 10
_MAX_PAGE = 1_000_000

FindVariant = Callable[[str], Awaitable[Variant | None]]
"""The variant with that id. Raises DatabaseUnavailable."""

_Id = Annotated[str, Path(pattern="^[A-Za-z0-9_-]+$", max_length=64)]


def make_router(database: Database, find_variant: FindVariant, *, now: Now = now_ms) -> APIRouter:
    """The routes. `now` says which month is the present one."""
    router = APIRouter(prefix="/api", tags=["finished games"])

    @router.get("/leaderboards/{variant}", responses=problem_responses(404, 422, 503))
    async def leaderboard(
        variant: _Id,
        period: Period = Period.ALL,
        page: Annotated[int, Query(ge=1, le=_MAX_PAGE)] = 1,
    ) -> Leaderboard:
        """Ten results a page, best first; equal scores by the earlier end of the game."""
        month = month_of(now()) if period is Period.MONTH else None
        played = await _variant_of(database, find_variant, variant)
        if played is None:
            raise Problem(404, "unknown_variant", f"no variant has the name {variant}")
        return await _leaderboard(database, Board(variant, month), played, period=period, page=page)

    @router.get("/games/{game}", responses=_RECORD | problem_responses(404, 422, 503))
    async def game_record(game: _Id) -> dict[str, Any]:
        """The record of a finished game: enough to replay it and to check its dice."""
        async with database.reading() as session:
            record = await record_of_game(session, game)
        if record is None:
            raise Problem(404, "game_not_found", f"no finished game has the id {game}")
        return record

    return router


async def _leaderboard(
    database: Database, board: Board, variant: Variant, *, period: Period, page: int
) -> Leaderboard:
    async with database.reading() as session:
        total = await count_results(session, board)
        standings = await standings_from(session, board, (page - 1) * PAGE_ROWS, PAGE_ROWS)
    base = base_of(variant)
    return Leaderboard(
        variant=board.variant,
        base=base.id if base else board.variant,
        code=share_code(variant),
        dice=variant.dice,
        columns=[column.kind for column in variant.columns],
        period=period,
        page=page,
        pages=-(-total // PAGE_ROWS),
        total=total,
        results=[
            ListedResult(
                place=standing.place,
                score=standing.score,
                player=ListedPlayer(id=standing.player, name=standing.name),
                game=standing.game,
                ended_at=standing.ended_at,
            )
            for standing in standings
        ],
    )


async def _variant_of(database: Database, find_variant: FindVariant, variant_id: str) -> Variant | None:
    """The variant of a board: one that there is, or what a game on the board was played with.

    A choice of columns is known by its games alone. None where there is neither.
    """
    found = await find_variant(variant_id)
    if found is not None:
        return found
    async with database.reading() as session:
        record = await a_record_of(session, variant_id)
    return None if record is None else for_seats(variant_from_plain(record["variant"]), len(record["seats"]))


_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The record. `variant`, `seats` and `log` replay the game, `proof` gives every "
        "roll again; `sheets` and `standings` follow from them. `board` is the leaderboard it stands on.",
    }
}
