"""Pages and places of leaderboards. Each page costs the same wherever it lies: no row before it is read.

Only reads; a page and its places agree when they are read from one snapshot.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.names import Shown, shown_player
from app.scores.board_queries import about, count_before, position_before, position_of_game, rows_at, shape_of
from app.scores.boards import Board, Edge, Mode, Page, Position, Side, Standing
from app.scores.periods import EVER, span_of

# So many equal scores before a result are counted to find the page on which it stands; should there ever be
# more, the page begins somewhere else, with the same rows about it.
_MOST_COUNTED = 5_000


async def page_of(
    session: AsyncSession, board: Board, *, limit: int, edge: Edge | None = None, player: str | None = None
) -> Page:
    """At most `limit` rows of a board, from an edge or else from the top; of one player if one is named."""
    rows = await _rows_at(session, board, edge, player=player, limit=limit + 1)
    is_more = len(rows) > limit
    rows = rows[:limit]
    is_forward = edge is None or edge.side.is_forward
    if not is_forward:
        rows = rows[::-1]
    total, is_behind = await _about(session, board, edge, player=player)
    has_next, has_previous = (is_more, is_behind) if is_forward else (is_behind, is_more)
    first, last = (_position(rows[0]), _position(rows[-1])) if rows else _around_nothing(edge)
    return Page(
        standings=[Standing(row.place, _position(row), _shown(row)) for row in rows],
        total=total,
        previous=_edge(Side.BEFORE if rows else Side.UP_TO, first) if has_previous else None,
        next=_edge(Side.AFTER if rows else Side.FROM, last) if has_next else None,
    )


async def edge_of_game(
    session: AsyncSession,
    board: Board,
    game: str,
    *,
    limit: int,
    player: str | None = None,
    seat: int | None = None,
) -> Edge | None:
    """Where the page of `limit` rows begins on which a game's first result on the board stands, or a seat's.

    Pages are counted from the top of the board as it is now. None when the game isn't on it.
    """
    shape = shape_of(board, player)
    values = _values(board, player)
    sought = {"game": game} if seat is None else {"game": game, "seat": seat}
    found = (
        await session.execute(position_of_game(shape, of_seat=seat is not None), values | sought)
    ).first()
    if found is None:
        return None
    position = _position(found)
    counted = values | _values_of(position) | {"limit": _MOST_COUNTED}
    before = (await session.scalar(count_before(shape), counted) or 0) % limit
    if before == 0:
        return Edge(Side.FROM, position)
    sought = values | _values_of(position) | {"limit": before, "skipped": before - 1}
    first = (await session.execute(position_before(shape), sought)).first()
    return Edge(Side.FROM, _position(first) if first else position)


async def total_of(session: AsyncSession, board: Board, *, player: str | None = None) -> int:
    """How many rows a board has, or one player has on it."""
    total, _ = await _about(session, board, None, player=player)
    return total


async def _rows_at(
    session: AsyncSession, board: Board, edge: Edge | None, *, player: str | None, limit: int
) -> Sequence[Row[Any]]:
    """Rows with their places and their players' names, the nearest to the edge first."""
    statement = rows_at(shape_of(board, player), edge.side if edge else None)
    values = _values(board, player) | (_values_of(edge.position) if edge else {}) | {"limit": limit}
    return (await session.execute(statement, values)).all()


async def _about(
    session: AsyncSession, board: Board, edge: Edge | None, *, player: str | None
) -> tuple[int, bool]:
    """How many rows there are, and whether there are any behind the edge."""
    statement = about(shape_of(board, player), edge.side if edge else None)
    values = _values(board, player) | (_values_of(edge.position) if edge else {})
    row = (await session.execute(statement, values)).one()
    total = row.total or 0
    is_once = player is not None and board.mode is Mode.PLAYERS
    return (min(total, 1) if is_once else total), bool(row.is_behind)


def _values(board: Board, player: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {"variant": board.variant, "period": board.period, "mode": board.mode.value}
    if player is None:
        return values
    first, end = (0, 0) if board.period == EVER else span_of(board.period)
    return values | {"player": player, "first": first, "end": end}


def _values_of(position: Position) -> dict[str, Any]:
    return {
        "score": position.score,
        "ended_at": position.ended_at,
        "game": position.game,
        "seat": position.seat,
    }


def _shown(row: Row[Any]) -> Shown:
    return shown_player(row.player_id, row.name, row.user_name, is_deleted=row.deleted_at is not None)


def _position(row: Any) -> Position:
    return Position(row.score, row.ended_at, row.game_id, row.seat)


def _around_nothing(edge: Edge | None) -> tuple[Position | None, Position | None]:
    """A page may be empty: of a player who stands higher by now, or at an end of the board."""
    return (None, None) if edge is None else (edge.position, edge.position)


def _edge(side: Side, position: Position | None) -> Edge | None:
    return None if position is None else Edge(side, position)
