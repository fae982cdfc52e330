"""Finished games and their results in the database. Never commits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import insert_once
from app.scores.periods import day_of, month_of
from app.scores.tables import GameRow, GameSeatRow, KeyRow, ResultRow


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
    players: Mapping[int, str] = field(default_factory=dict)
    """Who sat where, bots apart, also without a result."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games: of a board's variant, and ended at an instant or later. None means all."""

    variant: str | None = None
    since: int | None = None


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


async def records_after(
    session: AsyncSession, wanted: Wanted, last: str, *, limit: int
) -> list[tuple[str, dict[str, Any]]]:
    """The next games after the id `last`, with their records as they are served."""
    statement = select(GameRow.id, GameRow.record, GameRow.variant).where(GameRow.id > last)
    if wanted.variant is not None:
        statement = statement.where(GameRow.variant == wanted.variant)
    if wanted.since is not None:
        statement = statement.where(GameRow.ended_at >= wanted.since)
    rows = await session.execute(statement.order_by(GameRow.id).limit(limit))
    return [(row.id, row.record | {"board": row.variant}) for row in rows]


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


async def games_with(
    session: AsyncSession, player: str, after: str, limit: int, *, to_change: bool = False
) -> list[dict[str, Any]]:
    """Records of the games in which a player sat, as plain values: those with an id after `after`.

    `to_change`: nobody else changes them before this transaction's end, and whoever does is waited for.
    """
    sat = select(GameSeatRow.game_id).where(GameSeatRow.player_id == player, GameSeatRow.game_id > after)
    ids = sat.distinct().order_by(GameSeatRow.game_id).limit(limit)
    records = select(GameRow.record).where(GameRow.id.in_(ids)).order_by(GameRow.id)
    if to_change:
        records = records.with_for_update()
    return list((await session.scalars(records)).all())


async def replace_record(session: AsyncSession, game_id: str, record: dict[str, Any]) -> None:
    """Put another record in the place of a game's. Only names may differ: all else is proved."""
    await session.execute(update(GameRow).where(GameRow.id == game_id).values(record=record))


async def a_record_of(session: AsyncSession, variant: str) -> dict[str, Any] | None:
    """The record of some game on the variant's board, as plain values; None for an empty board."""
    of_variant = select(ResultRow.game_id).where(ResultRow.variant == variant).limit(1).scalar_subquery()
    return await session.scalar(select(GameRow.record).where(GameRow.id == of_variant))


async def kept_key(session: AsyncSession, name: str, proposed: bytes) -> bytes:
    """The secret of that name: the proposed one where there is none yet, also while others propose theirs."""
    await insert_once(session, KeyRow, [{"name": name, "key": proposed}])
    return (await session.scalars(select(KeyRow.key).where(KeyRow.name == name))).one()
