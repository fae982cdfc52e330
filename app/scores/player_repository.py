"""What players have reached, in the database. Never commits."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.names import Shown, shown_player
from app.accounts.repository import lock_players
from app.accounts.tables import AccountRow, PlayerRow
from app.db import insert_or_update
from app.scores.board_pages import page_of
from app.scores.boards import Board, Standing
from app.scores.repository import FinishedGame
from app.scores.statistics import (
    Statistics,
    added,
    statistics_from_plain,
    statistics_to_plain,
)
from app.scores.tables import StatisticsRow


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player by the name he bears now, and since when there is one."""

    shown: Shown
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
    known = KnownPlayer(shown_player(first.id, first.name, first.user_name), first.created_at)
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
    session: AsyncSession,
    game: FinishedGame,
    by_seat: Sequence[Statistics],
    *,
    base: str,
    but: Collection[str] = (),
) -> None:
    """Add a game that has just been stored to the statistics of all whose results it has; `but` those.

    `by_seat`: what it is worth to each seat; `base`: what its columns were chosen from, else its own variant.
    Games of the same players are added one after the other.
    """
    new: dict[str, Statistics] = {}
    for result in game.results:
        if result.player not in but:
            before = new.get(result.player)
            new[result.player] = added(before, by_seat[result.seat]) if before else by_seat[result.seat]
    if not new:
        return
    await lock_players(session, new)
    kept = await _sums_of(session, game.variant, new)
    rows = [
        {
            "player_id": player,
            "variant": game.variant,
            "base": base,
            "sums": statistics_to_plain(added(kept[player], one) if player in kept else one),
        }
        for player, one in sorted(new.items())
    ]
    await insert_or_update(session, StatisticsRow, rows)


async def _sums_of(session: AsyncSession, variant: str, players: Iterable[str]) -> dict[str, Statistics]:
    statement = select(StatisticsRow.player_id, StatisticsRow.sums).where(
        StatisticsRow.player_id.in_(sorted(players)), StatisticsRow.variant == variant
    )
    return {row.player_id: statistics_from_plain(row.sums) for row in await session.execute(statement)}
