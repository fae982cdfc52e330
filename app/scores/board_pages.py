"""Pages and places of leaderboards. Each page costs the same wherever it lies: no row before it is read.

Only reads; a page and its places agree when they are read from one snapshot.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    UnaryExpression,
    func,
    literal_column,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.accounts.names import Shown, shown_player
from app.accounts.tables import AccountRow, PlayerRow
from app.scores.boards import Board, Edge, Mode, Page, Position, Side, Standing
from app.scores.periods import EVER, is_month, span_of
from app.scores.tables import TALLY_WIDTHS, BestRow, ResultRow, TallyRow

# So many equal scores before a result are counted to find the page on which it stands; should there ever be
# more, the page begins somewhere else, with the same rows about it.
_MOST_COUNTED = 5_000
_NARROW, _WIDE = TALLY_WIDTHS


async def page_of(
    session: AsyncSession, board: Board, *, limit: int, edge: Edge | None = None, player: str | None = None
) -> Page:
    """At most `limit` rows of a board, from an edge or else from the top; of one player if one is named."""
    rows = await _rows_at(session, board, edge, player=player, limit=limit + 1)
    is_more = len(rows) > limit
    rows = rows[:limit]
    is_forward = edge is None or edge.side.is_forward
    if not is_forward:
        rows.reverse()
    is_behind = edge is not None and await _has_rows(session, board, _beyond(edge), player=player)
    has_next, has_previous = (is_more, is_behind) if is_forward else (is_behind, is_more)
    first, last = (_position(rows[0]), _position(rows[-1])) if rows else _around_nothing(edge)
    return Page(
        standings=await _with_places(session, board, rows),
        total=await total_of(session, board, player=player),
        previous=_edge(Side.BEFORE if rows else Side.UP_TO, first) if has_previous else None,
        next=_edge(Side.AFTER if rows else Side.FROM, last) if has_next else None,
    )


async def edge_of_game(
    session: AsyncSession, board: Board, game: str, *, limit: int, player: str | None = None
) -> Edge | None:
    """Where the page of `limit` rows begins on which a game's first result on the board stands.

    Pages are counted from the top of the board as it is now. None when the game isn't on it.
    """
    position = await _position_of_game(session, board, game, player=player)
    if position is None:
        return None
    before = await _count_before(session, board, position, player=player) % limit
    if before == 0:
        return Edge(Side.FROM, position)
    rows = await _rows_at(session, board, Edge(Side.BEFORE, position), player=player, limit=before)
    return Edge(Side.FROM, _position(rows[-1]) if rows else position)


async def total_of(session: AsyncSession, board: Board, *, player: str | None = None) -> int:
    """How many rows a board has, or one player has on it."""
    if player is None:
        return await session.scalar(select(_sum_of(board, _WIDE))) or 0
    of_player = select(BestRow.results).where(*_bests_of(board), BestRow.player_id == player)
    results = await session.scalar(of_player) or 0
    return min(results, 1) if board.mode is Mode.PLAYERS else results


async def places_of(session: AsyncSession, board: Board, scores: Collection[int]) -> dict[int, int]:
    """The place of each of these scores, which are on the board: one more than the rows with a better one."""
    if not scores:
        return {}
    tally = aliased(TallyRow)
    wide_start = tally.start.op("&")(literal_column(str(-_WIDE)))
    better = _sum_of(board, _WIDE, TallyRow.start > wide_start)
    near = _sum_of(board, _NARROW, TallyRow.start > tally.start, TallyRow.start < wide_start + _WIDE)
    of_scores = (*_of_board(board, tally), tally.width == _NARROW, tally.start.in_(sorted(scores)))
    statement = select(tally.start, (better + near + 1).label("place")).where(*of_scores)
    return {row.start: row.place for row in await session.execute(statement)}


async def _rows_at(
    session: AsyncSession, board: Board, edge: Edge | None, *, player: str | None, limit: int
) -> list[Row[Any]]:
    """Rows with their players' names, the nearest to the edge first."""
    rows = _select(board, player, edge, limit).subquery()
    is_forward = edge is None or edge.side.is_forward
    statement = (
        select(rows, PlayerRow.name, PlayerRow.deleted_at, AccountRow.user_name)
        .join(PlayerRow, PlayerRow.id == rows.c.player_id)
        .outerjoin(AccountRow, AccountRow.player_id == rows.c.player_id)
        .order_by(*_ordered(rows.c, is_forward=is_forward))
        .limit(limit)
    )
    return list((await session.execute(statement)).all())


async def _has_rows(session: AsyncSession, board: Board, edge: Edge, *, player: str | None) -> bool:
    rows = _select(board, player, edge, 1).subquery()
    return await session.scalar(select(rows.c.score).limit(1)) is not None


def _select(board: Board, player: str | None, edge: Edge | None, limit: int) -> Select[Any]:
    """Rows on one side of an edge, perhaps twice the limit: equal scores, then the others.

    Each of the two parts is one stretch of an index. "Lower, or equal and later" would be none.
    """
    row, on_board = _source(board, player)
    columns = (row.score, row.ended_at, row.game_id, row.seat, row.player_id)
    statement: Select[Any] = select(*columns).where(*on_board)
    if edge is None:
        return statement.order_by(*_ordered(row, is_forward=True)).limit(limit)
    position, is_forward = edge.position, edge.side.is_forward
    order = _ordered(row, is_forward=is_forward)
    is_other = row.score < position.score if is_forward else row.score > position.score
    is_equal = (row.score == position.score, _is_beside(row, edge))
    parts = [
        statement.where(*conditions).order_by(*ordered).limit(limit).subquery()
        for conditions, ordered in ((is_equal, order[1:]), ((is_other,), order))
    ]
    both = union_all(*(select(part) for part in parts)).subquery()
    return select(both)


def _is_beside(row: Any, edge: Edge) -> ColumnElement[bool]:
    """Which of the rows with the edge's own score lie on its side."""
    rest = tuple_(row.ended_at, row.game_id, row.seat)
    of_edge = tuple_(*edge.position[1:])
    match edge.side:
        case Side.AFTER:
            return rest > of_edge
        case Side.FROM:
            return rest >= of_edge
        case Side.BEFORE:
            return rest < of_edge
        case Side.UP_TO:
            return rest <= of_edge


def _source(board: Board, player: str | None) -> tuple[Any, tuple[ColumnElement[bool], ...]]:
    """The table of a board's rows, and which of them are meant."""
    if board.mode is Mode.PLAYERS:
        of_player = () if player is None else (BestRow.player_id == player,)
        return BestRow, (*_bests_of(board), *of_player)
    of_variant = ResultRow.variant == board.variant
    if player is not None:
        return ResultRow, (ResultRow.player_id == player, of_variant, *_ended_in(board.period))
    if board.period == EVER:
        return ResultRow, (of_variant,)
    column = ResultRow.month if is_month(board.period) else ResultRow.day
    return ResultRow, (of_variant, column == board.period)


def _bests_of(board: Board) -> tuple[ColumnElement[bool], ...]:
    return BestRow.variant == board.variant, BestRow.period == board.period


def _ended_in(period: str) -> tuple[ColumnElement[bool], ...]:
    """By the instant, which the index of a player's results has, and not by month or day."""
    if period == EVER:
        return ()
    first, end = span_of(period)
    return ResultRow.ended_at >= first, ResultRow.ended_at < end


def _ordered(row: Any, *, is_forward: bool) -> tuple[UnaryExpression[Any], ...]:
    best_first = (row.score.desc(), row.ended_at.asc(), row.game_id.asc(), row.seat.asc())
    worst_first = (row.score.asc(), row.ended_at.desc(), row.game_id.desc(), row.seat.desc())
    return best_first if is_forward else worst_first


async def _position_of_game(
    session: AsyncSession, board: Board, game: str, *, player: str | None
) -> Position | None:
    row, on_board = _source(board, player)
    statement = select(row.score, row.ended_at, row.game_id, row.seat).where(*on_board)
    if row is ResultRow:
        statement = statement.where(row.game_id == game)
    else:
        is_best = (BestRow.game_id == ResultRow.game_id, BestRow.seat == ResultRow.seat)
        statement = statement.join(
            ResultRow, (ResultRow.player_id == BestRow.player_id) & is_best[0] & is_best[1]
        ).where(ResultRow.game_id == game)
    found = (await session.execute(statement.order_by(*_ordered(row, is_forward=True)).limit(1))).first()
    return None if found is None else _position(found)


async def _count_before(
    session: AsyncSession, board: Board, position: Position, *, player: str | None
) -> int:
    """How many rows stand before a position that is on the board."""
    row, on_board = _source(board, player)
    edge = Edge(Side.BEFORE, position)
    equal = select(row.seat).where(*on_board, row.score == position.score, _is_beside(row, edge))
    ties = await _count(session, equal)
    if player is not None:
        return ties + await _count(session, select(row.seat).where(*on_board, row.score > position.score))
    places = await places_of(session, board, [position.score])
    return places[position.score] - 1 + ties


async def _count(session: AsyncSession, rows: Select[Any]) -> int:
    some = rows.limit(_MOST_COUNTED).subquery()
    return await session.scalar(select(func.count()).select_from(some)) or 0


async def _with_places(session: AsyncSession, board: Board, rows: Sequence[Row[Any]]) -> list[Standing]:
    place_of = await places_of(session, board, {row.score for row in rows})
    return [Standing(place_of[row.score], _position(row), _shown(row)) for row in rows]


def _sum_of(board: Board, width: int, *conditions: ColumnElement[bool]) -> ColumnElement[int]:
    tallies = select(func.coalesce(func.sum(TallyRow.number), 0))
    return tallies.where(*_of_board(board, TallyRow), TallyRow.width == width, *conditions).scalar_subquery()


def _of_board(board: Board, tally: Any) -> tuple[ColumnElement[bool], ...]:
    return (tally.variant == board.variant, tally.period == board.period, tally.mode == board.mode.value)


def _position(row: Any) -> Position:
    return Position(row.score, row.ended_at, row.game_id, row.seat)


def _beyond(edge: Edge) -> Edge:
    return Edge(edge.side.others, edge.position)


def _around_nothing(edge: Edge | None) -> tuple[Position | None, Position | None]:
    """A page may be empty: of a player who stands higher by now, or at an end of the board."""
    return (None, None) if edge is None else (edge.position, edge.position)


def _edge(side: Side, position: Position | None) -> Edge | None:
    return None if position is None else Edge(side, position)


def _shown(row: Row[Any]) -> Shown:
    has_account, is_deleted = row.user_name is not None, row.deleted_at is not None
    return shown_player(row.player_id, row.name, has_account=has_account, is_deleted=is_deleted)
