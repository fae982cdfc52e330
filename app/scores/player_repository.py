"""What players have reached, in the database. Never commits."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.names import player_tag
from app.accounts.tables import AccountRow, PlayerRow
from app.db import insert_once
from app.rules.column_choice import base_of
from app.rules.presets import for_seats
from app.rules.record import Record
from app.scores.board_pages import page_of
from app.scores.boards import Board, Standing
from app.scores.repository import FinishedGame
from app.scores.statistics import (
    Statistics,
    added,
    statistics_by_seat,
    statistics_from_plain,
    statistics_to_plain,
)
from app.scores.tables import StatisticsRow


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player by the name he bears now, and since when there is one. `tag`: None for an account."""

    id: str
    name: str
    tag: str | None
    since: int


@dataclass(frozen=True, slots=True)
class Played:
    """A variant that a player has played, what it was chosen from, and his statistics of it."""

    variant: str
    base: str
    statistics: Statistics


async def player_and_statistics(
    session: AsyncSession, player: str
) -> tuple[KnownPlayer, list[Played]] | None:
    """A player and what he has played, by one look; None when there is no such player, or no longer."""
    statement = (
        select(PlayerRow.id, PlayerRow.name, PlayerRow.created_at, AccountRow.user_name)
        .add_columns(StatisticsRow.variant, StatisticsRow.base, StatisticsRow.sums)
        .outerjoin(StatisticsRow, StatisticsRow.player_id == PlayerRow.id)
        .outerjoin(AccountRow, AccountRow.player_id == PlayerRow.id)
        .where(PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    )
    rows = (await session.execute(statement)).all()
    if not rows:
        return None
    first = rows[0]
    tag = None if first.user_name is not None else player_tag(first.id)
    known = KnownPlayer(first.id, first.name, tag, first.created_at)
    played = [
        Played(row.variant, row.base, statistics_from_plain(row.sums))
        for row in rows
        if row.variant is not None
    ]
    return known, sorted(played, key=lambda one: (-one.statistics.games, one.variant))


async def best_of(session: AsyncSession, player: str, board: Board, *, limit: int) -> Sequence[Standing]:
    """A player's best results on a board, with the places they have there among those of all players."""
    return (await page_of(session, board, limit=limit, player=player)).standings


async def forget_statistics(session: AsyncSession, player: str) -> None:
    """Take a player's statistics away."""
    await session.execute(delete(StatisticsRow).where(StatisticsRow.player_id == player))


async def add_to_statistics(
    session: AsyncSession, game: FinishedGame, record: Record, *, but: Collection[str] = ()
) -> None:
    """Add a game that has just been stored to the statistics of all whose results it has; `but` those.

    Rows are locked in the order of the players, so that games recorded at once wait and never block each
    other for good.
    """
    by_seat = statistics_by_seat(record)
    base = base_of(for_seats(record.variant, len(record.seats)))
    results = (result for result in game.results if result.player not in but)
    for result in sorted(results, key=lambda result: result.player):
        key = {"player_id": result.player, "variant": game.variant}
        await _add(session, key, base.id if base else game.variant, by_seat[result.seat])


async def _add(session: AsyncSession, key: dict[str, str], base: str, statistics: Statistics) -> None:
    new = {"base": base, "sums": statistics_to_plain(statistics)}
    if await insert_once(session, StatisticsRow, [key | new]):
        return
    there = select(StatisticsRow).filter_by(**key).with_for_update()
    row = (await session.scalars(there.execution_options(populate_existing=True))).one()
    row.sums = statistics_to_plain(added(statistics_from_plain(row.sums), statistics))
    await session.flush()
