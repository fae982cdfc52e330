"""Finished games and their results in the database. Never commits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import insert_once
from app.scores.periods import day_of, month_of
from app.scores.tables import GameRow, KeyRow, ResultRow


@dataclass(frozen=True, slots=True)
class Result:
    """What the player in a seat of a finished game reached."""

    seat: int
    player: str
    score: int
    place: int


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game for the books: its record as plain values, and what leaderboards need of it."""

    id: str
    variant: str
    ended_at: int
    record: dict[str, Any]
    results: Sequence[Result]


async def add_game(session: AsyncSession, game: FinishedGame) -> bool:
    """Store a game and its results; False when it is there already. Its players must be there."""
    row = {"id": game.id, "variant": game.variant, "ended_at": game.ended_at, "record": game.record}
    if not await insert_once(session, GameRow, [row]):
        return False
    session.add_all(
        ResultRow(
            game_id=game.id,
            seat=result.seat,
            variant=game.variant,
            player_id=result.player,
            score=result.score,
            place=result.place,
            ended_at=game.ended_at,
            month=month_of(game.ended_at),
            day=day_of(game.ended_at),
        )
        for result in game.results
    )
    await session.flush()
    return True


async def record_of_game(session: AsyncSession, game_id: str) -> dict[str, Any] | None:
    """The record of a finished game as plain values, and the board it stands on."""
    found = (
        await session.execute(select(GameRow.record, GameRow.variant).where(GameRow.id == game_id))
    ).first()
    return None if found is None else found.record | {"board": found.variant}


async def a_record_of(session: AsyncSession, variant: str) -> dict[str, Any] | None:
    """The record of some game on the variant's board, as plain values; None for an empty board."""
    of_variant = select(ResultRow.game_id).where(ResultRow.variant == variant).limit(1).scalar_subquery()
    return await session.scalar(select(GameRow.record).where(GameRow.id == of_variant))


async def kept_key(session: AsyncSession, name: str, proposed: bytes) -> bytes:
    """The secret of that name: the proposed one where there is none yet, also while others propose theirs."""
    await insert_once(session, KeyRow, [{"name": name, "key": proposed}])
    return (await session.scalars(select(KeyRow.key).where(KeyRow.name == name))).one()
