"""Puts finished games on the boards, in the transaction that stores them. Never commits."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.repository import lock_players
from app.db import insert_or_update
from app.scores.boards import Position
from app.scores.listing import Best, Changes, Owner, list_positions
from app.scores.periods import keys_of
from app.scores.repository import FinishedGame
from app.scores.tables import TALLY_WIDTHS, BestRow, TallyRow


async def list_results(session: AsyncSession, game: FinishedGame) -> None:
    """Put the results of a game on their boards. For a game that was stored just now: never twice."""
    if not game.results:
        return
    positions = [
        (result.player, Position(result.score, game.ended_at, game.id, result.seat))
        for result in game.results
    ]
    players = {player for player, _ in positions}
    periods = keys_of(game.ended_at)
    # Whoever stores another game of one of them waits here; what has no player is then locked in its order.
    await lock_players(session, players)
    bests = await _bests_of(session, game.variant, players, periods)
    changes = list_positions(game.variant, bests, periods, positions)
    await _keep_bests(session, game.variant, changes)
    await _add_to_tallies(session, changes)


async def _bests_of(
    session: AsyncSession, variant: str, players: set[str], periods: tuple[str, ...]
) -> dict[Owner, Best]:
    statement = select(BestRow).where(
        BestRow.player_id.in_(sorted(players)), BestRow.variant == variant, BestRow.period.in_(periods)
    )
    return {
        Owner(row.player_id, row.period): Best(
            Position(row.score, row.ended_at, row.game_id, row.seat), row.results
        )
        for row in await session.scalars(statement.execution_options(populate_existing=True))
    }


async def _keep_bests(session: AsyncSession, variant: str, changes: Changes) -> None:
    rows = [
        {
            "player_id": owner.player,
            "variant": variant,
            "period": owner.period,
            "score": best.position.score,
            "ended_at": best.position.ended_at,
            "game_id": best.position.game,
            "seat": best.position.seat,
            "results": best.results,
        }
        for owner, best in sorted(changes.bests.items())
    ]
    await insert_or_update(session, BestRow, rows)


async def _add_to_tallies(session: AsyncSession, changes: Changes) -> None:
    """Summed first, since a statement updates a row once; sorted, since it locks them in that order."""
    numbers: dict[tuple[str, str, str, int, int], int] = {}
    for (board, score), number in changes.numbers.items():
        for width in TALLY_WIDTHS:
            key = (board.variant, board.period, board.mode.value, width, score // width * width)
            numbers[key] = numbers.get(key, 0) + number
    names = ("variant", "period", "mode", "width", "start")
    rows = [
        {**dict(zip(names, key, strict=True)), "number": number} for key, number in sorted(numbers.items())
    ]
    await insert_or_update(session, TallyRow, rows, adding=["number"])
