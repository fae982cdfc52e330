"""Players over REST: who somebody is, and what he has reached."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.clock import Now, now_ms
from app.db import Database
from app.problems import Problem, problem_responses
from app.rules.share_code import code_of_id
from app.scores.board_variants import FindVariant, board_named
from app.scores.boards import Board
from app.scores.periods import EVER, month_of
from app.scores.player_repository import KnownPlayer, Played, best_of, player_and_statistics
from app.scores.player_schemas import PlayerPage, PlayerScores, ShownPlayer, VariantScores, shown_statistics
from app.scores.routes import unknown_variant
from app.scores.schemas import listed_result

BEST_EVER = 20
BEST_OF_MONTH = 10
MOST_VARIANTS = 30

_Id = Annotated[str, Path(pattern="^[A-Za-z0-9_-]+$", max_length=32)]
_Variant = Annotated[
    str | None,
    Query(
        pattern="^[A-Za-z0-9_-]+$",
        max_length=64,
        description=f"only this one, by its id or code; else the {MOST_VARIANTS} that he has played most",
    ),
]


def make_router(database: Database, find_variant: FindVariant, *, now: Now = now_ms) -> APIRouter:
    """The routes. `now` says which month is the present one."""
    router = APIRouter(prefix="/api/players", tags=["players"])

    @router.get("/{player}", responses=problem_responses(_no_player("p3vq8m2kx7"), 422, 503))
    async def player_page(player: _Id) -> PlayerPage:
        """A player, and the statistics of all his results that boards list."""
        async with database.reading() as session:
            found = await player_and_statistics(session, player)
        known, played = _known(found, player)
        return PlayerPage(
            player=_shown(known),
            variants=[shown_statistics(one.variant, one.base, one.statistics) for one in played],
        )

    @router.get(
        "/{player}/scores",
        responses=problem_responses(_no_player("p3vq8m2kx7"), unknown_variant("chess"), 422, 503),
    )
    async def player_scores(player: _Id, variant: _Variant = None) -> PlayerScores:
        """A player, his 20 best results of all time and his 10 best of the present month, by variant."""
        board = await board_named(database, find_variant, variant) if variant else None
        if variant is not None and board is None:
            raise unknown_variant(variant)
        month = month_of(now())
        async with database.reading() as session:
            known, played = _known(await player_and_statistics(session, player), player)
            wanted = [one for one in played if board is None or one.variant == board.id][:MOST_VARIANTS]
            boards = [(Board(one.variant, EVER), Board(one.variant, month)) for one in wanted]
            best = [await best_of(session, player, ever, limit=BEST_EVER) for ever, _ in boards]
            of_month = [await best_of(session, player, month, limit=BEST_OF_MONTH) for _, month in boards]
        return PlayerScores(
            player=_shown(known),
            variants=[
                VariantScores(
                    variant=one.variant,
                    base=one.base,
                    code=code_of_id(one.variant),
                    best=[listed_result(standing) for standing in ever],
                    month=[listed_result(standing) for standing in present],
                )
                for one, ever, present in zip(wanted, best, of_month, strict=True)
            ],
        )

    return router


def _known(found: tuple[KnownPlayer, list[Played]] | None, player: str) -> tuple[KnownPlayer, list[Played]]:
    if found is None:
        raise _no_player(player)
    return found


def _no_player(player: str) -> Problem:
    return Problem(404, "player_not_found", f"no player has the id {player}")


def _shown(player: KnownPlayer) -> ShownPlayer:
    return ShownPlayer(**player.shown._asdict(), since=player.since)
