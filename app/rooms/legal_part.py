"""The part of a turn that tells what is legal. Pure.

It is made after every action, and most of it has been said before: so it is put together from pieces of JSON,
each of which is kept. A piece is a member of an object, such as `"down":["ones"]`.
"""

from functools import lru_cache

import orjson

from app.rules.actions import Reason
from app.rules.by_identity import by_identity
from app.rules.dice import Dice
from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.legality import (
    announceable_cells,
    closed_reasons,
    legal_by_column,
    roll_refusal,
    undo_refusal,
)
from app.rules.sheet import Gaps, gaps_of
from app.rules.state import Game


class _Column:
    """The pieces of a column in which those cells are the next."""

    __slots__ = ("closed", "column", "nexts", "open")

    def __init__(self, column: ColumnLayout, nexts: tuple[CellIndex, ...]) -> None:
        self.column = column
        self.nexts = nexts
        self.open = _open_column(column, nexts)
        # Few for each, and found by looking at all sooner than by hashing a reason.
        self.closed: list[tuple[Reason, bytes]] = []

    def closed_for(self, reason: Reason) -> bytes:
        """The piece that says why the column is closed, and which of its cells come first."""
        for known, piece in self.closed:
            if known is reason:
                return piece
        rows = _rows(self.column, self.nexts) if self.column.is_ordered else []
        piece = _piece(self.column.text, {"reason": reason, "rows": rows})
        self.closed.append((reason, piece))
        return piece


def legal_part(game: Game) -> orjson.Fragment:
    """The legal actions, what the dice give in every row, and why other empty cells are closed: as JSON."""
    layout, roll = game.layout, game.roll
    columns = _columns(gaps_of(layout, game.sheet))
    return orjson.Fragment(
        b'{"roll":%b,"announce":%b,"open":%b,%b,"closed":%b,"undo":%b}'
        % (
            _roll(roll_refusal(game), game.variant.max_hold if roll else 0),
            _announce(game),
            _open(columns, legal_by_column(game)) if roll else b"{}",
            _worth(layout, tuple(sorted(game.dice)), roll),
            _object([columns[column.place].closed_for(reason) for column, reason in closed_reasons(game)]),
            b"true" if undo_refusal(game) is None else b"false",
        )
    )


@lru_cache(maxsize=64)
def _roll(reason: Reason | None, max_hold: int) -> bytes:
    return orjson.dumps({"legal": reason is None, "max_hold": max_hold, "reason": reason})


def _announce(game: Game) -> bytes:
    cells = announceable_cells(game)
    return _announceable(game.layout, cells) if cells else b"{}"


@lru_cache(maxsize=1024)
def _announceable(layout: Layout, cells: tuple[CellIndex, ...]) -> bytes:
    rows: dict[str, list[str]] = {}
    for column, row in [layout.cells[index] for index in cells]:
        rows.setdefault(column.value, []).append(row.value)
    return orjson.dumps(rows)


@by_identity(kept=4096)
def _columns(gaps: Gaps) -> list[_Column]:
    """Kept by sheet, since in a turn it stays as it is."""
    return [_column(column, nexts) for column, nexts in zip(gaps.columns, gaps.nexts, strict=True)]


@lru_cache(maxsize=16384)
def _column(column: ColumnLayout, nexts: tuple[CellIndex, ...]) -> _Column:
    return _Column(column, nexts)


def _open(columns: list[_Column], legal: tuple[tuple[CellIndex, ...], ...]) -> bytes:
    return _object(
        [
            column.open if cells == column.nexts else _open_column(column.column, cells)
            for column, cells in zip(columns, legal, strict=True)
            if cells
        ]
    )


@lru_cache(maxsize=16384)
def _open_column(column: ColumnLayout, cells: tuple[CellIndex, ...]) -> bytes:
    """The piece with the rows of a column's legal cells."""
    return _piece(column.text, _rows(column, cells))


def _rows(column: ColumnLayout, cells: tuple[CellIndex, ...]) -> list[str]:
    return [column.row_texts[index - column.cells[0]] for index in cells]


@lru_cache(maxsize=8192)
def _worth(layout: Layout, dice: Dice, roll: int) -> bytes:
    """Two members: the score of every row, and the dice that count there, by their faces. `dice`: rising."""
    rows = layout.row_texts
    scores = zip(rows, layout.scores(dice, roll), strict=True) if roll else ()
    counted = zip(rows, layout.counted_faces(dice), strict=True) if roll else ()
    worth = {"scores": dict(scores), "counted": {row: faces for row, faces in counted if faces}}
    return orjson.dumps(worth)[1:-1]


def _piece(name: str, value: object) -> bytes:
    return orjson.dumps({name: value})[1:-1]


def _object(pieces: list[bytes]) -> bytes:
    return b"{%b}" % b",".join(pieces)
