"""What leaderboards ask the database, in SQL that PostgreSQL and SQLite both read.

Written out, not composed anew for each request: that took longer than the answer.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sqlalchemy import TextClause, text

from app.scores.boards import Board, Mode, Side
from app.scores.periods import EVER, is_month
from app.scores.tables import TALLY_WIDTHS

_NARROW, _WIDE = TALLY_WIDTHS
_MOST_SEATS = 64  # far more than a game has
_Span = Literal["ever", "month", "day"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides how a board is asked; everything else is a parameter."""

    mode: Mode
    period: _Span
    is_of_player: bool

    @property
    def rows(self) -> str:
        """The table of its rows, and the condition for them. Every one is the head of an index."""
        if self.mode is Mode.PLAYERS:
            of_player = " AND player_id = :player" if self.is_of_player else ""
            return f"bests WHERE variant = :variant AND period = :period{of_player}"
        if self.is_of_player:
            # By the instant, which the index of a player's results has, and not by month or day.
            in_period = "" if self.period == "ever" else " AND ended_at >= :first AND ended_at < :end"
            return f"results WHERE player_id = :player AND variant = :variant{in_period}"
        in_period = "" if self.period == "ever" else f" AND {self.period} = :period"
        return f"results WHERE variant = :variant{in_period}"


def shape_of(board: Board, player: str | None) -> Shape:
    """How the rows of a board are asked for, or those of one player on it."""
    period: _Span = "ever" if board.period == EVER else "month" if is_month(board.period) else "day"
    return Shape(board.mode, period, player is not None)


@lru_cache
def rows_at(shape: Shape, side: Side | None) -> TextClause:
    """At most `limit` rows on a side of a position, the nearest first; from the top without a side."""
    found = f"{_COLUMNS} FROM {shape.rows} ORDER BY {_DOWN} LIMIT :limit"
    if side is not None:
        found = _beside(shape, side)
    order = _DOWN if side is None or side.is_forward else _UP
    return text(f"""
        SELECT score, ended_at, game_id, seat, found.player_id, name, deleted_at, user_name,
            {_place("found.score")} AS place
        FROM ({found}) AS found
        JOIN players ON players.id = found.player_id
        LEFT JOIN accounts ON accounts.player_id = found.player_id
        ORDER BY {order}
        LIMIT :limit
    """)


@lru_cache
def about(shape: Shape, side: Side | None) -> TextClause:
    """How many rows there are, and whether any is not on the side of a position."""
    total = f"""
        SELECT sum(number) FROM tallies WHERE {_TALLIES} AND width = {_WIDE}
    """
    if shape.is_of_player:
        total = """
            SELECT results FROM bests WHERE player_id = :player AND variant = :variant AND period = :period
        """
    behind = "1 = 0"
    if side is not None:
        others = side.others
        order, rest = (_DOWN, _DOWN_REST) if others.is_forward else (_UP, _UP_REST)
        # In order, as for EXISTS nobody would read the index: where there is none, all was read to find that.
        behind = f"""
            (SELECT 1 FROM {shape.rows} AND {_equal(others)} ORDER BY {rest} LIMIT 1) IS NOT NULL
            OR (SELECT 1 FROM {shape.rows} AND {_other(others)} ORDER BY {order} LIMIT 1) IS NOT NULL
        """
    return text(f"SELECT ({total}) AS total, ({behind}) AS is_behind")


@lru_cache
def position_of_game(shape: Shape, *, of_seat: bool = False) -> TextClause:
    """Where the first result of a game stands, or that of one of its seats."""
    # From the few rows of the game, whatever the database knows of its tables: SQLite alone would walk the
    # whole board for them. A part with a limit is read by itself, and a cross join from left to right.
    if shape.mode is Mode.RESULTS:
        of_game = f"SELECT * FROM results WHERE game_id = :game LIMIT {_MOST_SEATS}"
        found = shape.rows.replace("results WHERE", f"({of_game}) AS results WHERE", 1)
    else:
        sat = f"SELECT DISTINCT player_id AS sat FROM results WHERE game_id = :game LIMIT {_MOST_SEATS}"
        of_game = f"({sat}) AS of_game CROSS JOIN bests WHERE player_id = sat AND game_id = :game AND"
        found = shape.rows.replace("bests WHERE", of_game, 1)
    if of_seat:
        found += " AND seat = :seat"
    return text(f"SELECT score, ended_at, game_id, seat FROM {found} ORDER BY {_DOWN} LIMIT 1")


@lru_cache
def count_before(shape: Shape) -> TextClause:
    """How many rows stand before a position; of equal scores, and of one player's, at most `limit`."""
    equal = f"SELECT 1 FROM {shape.rows} AND {_equal(Side.BEFORE)} LIMIT :limit"
    better = f"{_place(':score')} - 1"
    if shape.is_of_player:
        others = f"SELECT 1 FROM {shape.rows} AND {_other(Side.BEFORE)} LIMIT :limit"
        better = f"(SELECT count(*) FROM ({others}) AS other)"
    return text(f"SELECT (SELECT count(*) FROM ({equal}) AS equal) + {better}")


@lru_cache
def position_before(shape: Shape) -> TextClause:
    """The position before another with so many others `skipped` between them."""
    return text(f"""
        SELECT score, ended_at, game_id, seat FROM ({_beside(shape, Side.BEFORE)}) AS found
        ORDER BY {_UP} LIMIT 1 OFFSET :skipped
    """)


def _beside(shape: Shape, side: Side) -> str:
    """At most `limit` rows on a side of a position.

    Equal scores and the others are two stretches of an index; "lower, or equal and later" would be none.
    """
    order, rest = (_DOWN, _DOWN_REST) if side.is_forward else (_UP, _UP_REST)
    return f"""
        SELECT * FROM (
            {_COLUMNS} FROM {shape.rows} AND {_equal(side)} ORDER BY {rest} LIMIT :limit
        ) AS equal
        UNION ALL
        SELECT * FROM (
            {_COLUMNS} FROM {shape.rows} AND {_other(side)} ORDER BY {order} LIMIT :limit
        ) AS other
    """


def _equal(side: Side) -> str:
    """Which of the rows with the position's own score are on a side of it."""
    compared = {Side.AFTER: ">", Side.FROM: ">=", Side.BEFORE: "<", Side.UP_TO: "<="}[side]
    return f"score = :score AND (ended_at, game_id, seat) {compared} (:ended_at, :game, :seat)"


def _other(side: Side) -> str:
    return f"score {'<' if side.is_forward else '>'} :score"


def _place(score: str) -> str:
    """One more than the rows with a better score: those of wide tallies, and some narrow ones."""
    start = f"({score} & -{_WIDE})"
    return f"""(
        SELECT 1 + coalesce(sum(number), 0) FROM tallies
        WHERE {_TALLIES} AND width = {_WIDE} AND start > {start}
    ) + (
        SELECT coalesce(sum(number), 0) FROM tallies
        WHERE {_TALLIES} AND width = {_NARROW} AND start > {score} AND start < {start} + {_WIDE}
    )"""


_COLUMNS = "SELECT score, ended_at, game_id, seat, player_id"
_TALLIES = "variant = :variant AND period = :period AND mode = :mode"
_DOWN_REST = "ended_at, game_id, seat"
_UP_REST = "ended_at DESC, game_id DESC, seat DESC"
_DOWN = f"score DESC, {_DOWN_REST}"
_UP = f"score, {_UP_REST}"
