"""Finished games and leaderboards in the database. Never commits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.tables import PlayerRow
from app.db import insert_once
from app.scores.tables import ORDER, GameRow, GameSeatRow, ResultRow


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
    month: str
    record: dict[str, Any]
    results: Sequence[Result]
    players: Mapping[int, str]
    """Who sat where, bots apart, also without a result."""


@dataclass(frozen=True, slots=True)
class Board:
    """Which results are compared: a variant's, of all time or of one month."""

    variant: str
    month: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard. Equal scores share the place (1, 2, 2, 4)."""

    place: int
    score: int
    player: str
    name: str
    game: str
    ended_at: int


async def add_game(session: AsyncSession, game: FinishedGame) -> bool:
    """Store a game and its results; False when it is there already. Its players must be there."""
    row = {"id": game.id, "variant": game.variant, "ended_at": game.ended_at, "record": game.record}
    if not await insert_once(session, GameRow, [row]):
        return False
    session.add_all(
        GameSeatRow(game_id=game.id, seat=seat, player_id=player) for seat, player in game.players.items()
    )
    session.add_all(
        ResultRow(
            game_id=game.id,
            seat=result.seat,
            variant=game.variant,
            player_id=result.player,
            score=result.score,
            place=result.place,
            ended_at=game.ended_at,
            month=game.month,
        )
        for result in game.results
    )
    return True


async def record_of_game(session: AsyncSession, game_id: str) -> dict[str, Any] | None:
    """The record of a finished game as plain values, and the board it stands on."""
    found = (
        await session.execute(select(GameRow.record, GameRow.variant).where(GameRow.id == game_id))
    ).first()
    return None if found is None else found.record | {"board": found.variant}


async def results_of(
    session: AsyncSession, player: str, after: tuple[str, int], limit: int
) -> list[dict[str, Any]]:
    """Results of a player as plain values, in the order of game and seat from the one after `after` on."""
    key = tuple_(ResultRow.game_id, ResultRow.seat)
    statement = (
        select(
            ResultRow.game_id.label("game"),
            ResultRow.seat,
            ResultRow.variant,
            ResultRow.score,
            ResultRow.place,
            ResultRow.ended_at,
        )
        .where(ResultRow.player_id == player, key > after)
        .order_by(ResultRow.game_id, ResultRow.seat)
        .limit(limit)
    )
    return [dict(row) for row in (await session.execute(statement)).mappings()]


async def games_with(session: AsyncSession, player: str, after: str, limit: int) -> list[dict[str, Any]]:
    """Records of the games in which a player sat, as plain values: those with an id after `after`."""
    sat = select(GameSeatRow.game_id).where(GameSeatRow.player_id == player, GameSeatRow.game_id > after)
    ids = sat.distinct().order_by(GameSeatRow.game_id).limit(limit)
    records = select(GameRow.record).where(GameRow.id.in_(ids)).order_by(GameRow.id)
    return list((await session.scalars(records)).all())


async def replace_record(session: AsyncSession, game_id: str, record: dict[str, Any]) -> None:
    """Put another record in the place of a game's. Only names may differ: all else is proved."""
    await session.execute(update(GameRow).where(GameRow.id == game_id).values(record=record))


async def a_record_of(session: AsyncSession, variant: str) -> dict[str, Any] | None:
    """The record of some game on the variant's board, as plain values; None for an empty board."""
    of_variant = select(ResultRow.game_id).where(ResultRow.variant == variant).limit(1).scalar_subquery()
    return await session.scalar(select(GameRow.record).where(GameRow.id == of_variant))


async def count_results(session: AsyncSession, board: Board) -> int:
    """How many results a board has."""
    return await _count(session, *_on(board))


async def standings_from(session: AsyncSession, board: Board, offset: int, limit: int) -> list[Standing]:
    """`limit` rows of a board after the first `offset`, with their places."""
    statement = (
        select(ResultRow.score, ResultRow.player_id, PlayerRow.name, ResultRow.game_id, ResultRow.ended_at)
        .join(PlayerRow, PlayerRow.id == ResultRow.player_id)
        .where(*_on(board))
        .order_by(*ORDER)
        .offset(offset)
        .limit(limit)
    )
    rows = (await session.execute(statement)).all()
    if not rows:
        return []
    place = 1 + await _count(session, *_on(board), ResultRow.score > rows[0].score)
    standings: list[Standing] = []
    for index, row in enumerate(rows):
        if index and row.score < rows[index - 1].score:
            place = offset + index + 1
        standings.append(Standing(place, row.score, row.player_id, row.name, row.game_id, row.ended_at))
    return standings


def _on(board: Board) -> tuple[ColumnElement[bool], ...]:
    of_variant = ResultRow.variant == board.variant
    return (of_variant,) if board.month is None else (of_variant, ResultRow.month == board.month)


async def _count(session: AsyncSession, *conditions: ColumnElement[bool]) -> int:
    return await session.scalar(select(func.count()).select_from(ResultRow).where(*conditions)) or 0
