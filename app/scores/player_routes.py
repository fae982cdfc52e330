"""Players over REST: who somebody is, and what he has reached."""

from typing import Annotated

from fastapi import APIRouter, Path

from app.accounts.names import player_tag
from app.db import Database
from app.problems import Problem, problem_responses
from app.scores.player_repository import KnownPlayer, player_and_statistics
from app.scores.player_schemas import PlayerPage, ShownPlayer, shown_statistics

_Id = Annotated[str, Path(pattern="^[A-Za-z0-9_-]+$", max_length=32)]


def make_router(database: Database) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api/players", tags=["players"])

    @router.get("/{player}", responses=problem_responses(404, 422, 503))
    async def player_page(player: _Id) -> PlayerPage:
        """A player and the statistics of all that he has played to its end, as far as boards list it."""
        async with database.reading() as session:
            found = await player_and_statistics(session, player)
        if found is None:
            raise _not_found(player)
        known, played = found
        return PlayerPage(
            player=_shown(known),
            variants=[shown_statistics(one.variant, one.base, one.statistics) for one in played],
        )

    return router


def _shown(player: KnownPlayer) -> ShownPlayer:
    return ShownPlayer(id=player.id, name=player.name, tag=player_tag(player.id), since=player.since)


def _not_found(player: str) -> Problem:
    return Problem(404, "player_not_found", f"no player has the id {player}")
