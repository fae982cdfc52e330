"""Counting players' statistics anew from their games, where an earlier version didn't count what it recorded.

Servers may record games meanwhile: each player is counted in a transaction in which nobody else adds to them.
"""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.repository import lock_players
from app.accounts.tables import PlayerRow
from app.db import Database, insert_or_update
from app.rules.plain import readable, record_from_plain
from app.scores.player_repository import forget_statistics
from app.scores.recording import base_of_record
from app.scores.statistics import Statistics, added, statistics_by_seat, statistics_to_plain
from app.scores.tables import GameRow, ResultRow, StatisticsRow


async def recount(database: Database) -> int:
    """Count anew all players whose statistics have another number of games than their results; how many.

    Raises DatabaseUnavailable.
    """
    async with database.reading() as session:
        players = await _miscounted(session)
    for player in players:
        async with database.session() as session:
            await _recount_player(session, player)
    return len(players)


async def _miscounted(session: AsyncSession) -> Sequence[str]:
    counted: dict[str, dict[str, int]] = defaultdict(dict)
    for row in await session.execute(
        select(StatisticsRow.player_id, StatisticsRow.variant, StatisticsRow.sums)
    ):
        counted[row.player_id][row.variant] = row.sums["games"]
    results = (
        select(ResultRow.player_id, ResultRow.variant, func.count().label("games"))
        .join(PlayerRow, PlayerRow.id == ResultRow.player_id)
        .where(PlayerRow.deleted_at.is_(None))
        .group_by(ResultRow.player_id, ResultRow.variant)
    )
    there: dict[str, dict[str, int]] = defaultdict(dict)
    for row in await session.execute(results):
        there[row.player_id][row.variant] = row.games
    return sorted(player for player in counted.keys() | there.keys() if counted[player] != there[player])


async def _recount_player(session: AsyncSession, player: str) -> None:
    await lock_players(session, [player])
    await forget_statistics(session, player)
    is_there = select(PlayerRow.id).where(PlayerRow.id == player, PlayerRow.deleted_at.is_(None))
    if await session.scalar(is_there) is not None:
        await insert_or_update(session, StatisticsRow, await _rows_of(session, player))


async def _rows_of(session: AsyncSession, player: str) -> list[dict[str, object]]:
    sums: dict[str, Statistics] = {}
    bases: dict[str, str] = {}
    games = (
        select(ResultRow.game_id, ResultRow.seat, ResultRow.variant, GameRow.record)
        .join(GameRow, GameRow.id == ResultRow.game_id)
        .where(ResultRow.player_id == player)
        .order_by(ResultRow.game_id, ResultRow.seat)
        .execution_options(yield_per=50)
    )
    async for row in await session.stream(games):
        try:
            record = readable(record_from_plain, row.record, row.game_id)
            one = statistics_by_seat(record)[row.seat]
        except (ValueError, LookupError):  # a record that can't be read adds nothing
            continue
        sums[row.variant] = added(sums[row.variant], one) if row.variant in sums else one
        bases[row.variant] = base_of_record(record)
    return [
        {
            "player_id": player,
            "variant": variant,
            "base": bases[variant],
            "sums": statistics_to_plain(statistics),
        }
        for variant, statistics in sums.items()
    ]
