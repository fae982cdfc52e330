"""The part of a turn that tells what is legal. Pure.

It is made after every action, and most of it has been said before: so it is put together from pieces of JSON,
each of which is kept. A piece is a member of an object, such as `"threes":9`.
"""

from collections.abc import Iterable
from functools import lru_cache

import orjson

from app.rules.actions import Reason
from app.rules.dice import Dice, positions_of
from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.legality import (
    announceable_cells,
    closed_reasons,
    legal_by_column,
    roll_refusal,
    undo_refusal,
)
from app.rules.sheet import next_cells_by_column
from app.rules.state import Game


def legal_part(game: Game) -> orjson.Fragment:
    """The legal actions, the score of every legal cell, and why other empty cells are closed: as JSON."""
    fill, counts = _fill(game) if game.roll else (b"{}", b"{}")
    return orjson.Fragment(
        b'{"roll":%b,"announce":%b,"fill":%b,"counts":%b,"closed":%b,"undo":%b}'
        % (
            _roll(roll_refusal(game), game.variant.max_hold if game.roll else 0),
            _announce(game),
            fill,
            counts,
            _closed(game),
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


def _fill(game: Game) -> tuple[bytes, bytes]:
    """The score of every legal cell, and the dice positions that count in every row with one."""
    layout = game.layout
    scores = _scores(layout, tuple(sorted(game.dice)), game.roll)
    place_of, filled, places = layout.places, [], set[int]()
    for column, cells in zip(layout.columns, legal_by_column(game), strict=True):
        if cells:
            in_column = [place_of[index] for index in cells]
            places.update(in_column)
            filled.append(
                b'"%b":%b' % (column.text.encode(), _object([scores[place] for place in in_column]))
            )
    counts = _counts(layout, game.dice)
    return _object(filled), _object([counts[place] for place in sorted(places)])


@lru_cache(maxsize=8192)
def _scores(layout: Layout, dice: Dice, roll: int) -> tuple[bytes, ...]:
    """For every row the piece with its score."""
    by_row = zip(layout.row_texts, layout.scores(dice, roll), strict=True)
    return tuple(b'"%b":%d' % (row.encode(), score) for row, score in by_row)


@lru_cache(maxsize=16384)
def _counts(layout: Layout, dice: Dice) -> tuple[bytes, ...]:
    """For every row the piece with the dice positions that count in it, as the dice lie."""
    counted = layout.counted_faces(dice)
    # Many rows count the same dice: all of them, or none.
    positions = {faces: _positions(faces, dice) for faces in set(counted)}
    return tuple([name + positions[faces] for name, faces in zip(_names(layout), counted, strict=True)])


def _positions(faces: Dice, dice: Dice) -> bytes:
    return orjson.dumps(positions_of(faces, dice)) if faces else b"[]"


@lru_cache(maxsize=256)
def _names(layout: Layout) -> tuple[bytes, ...]:
    """The beginning of every row's piece."""
    return tuple(b'"%b":' % row.encode() for row in layout.row_texts)


def _closed(game: Game) -> bytes:
    columns, rows = game.layout.columns, game.layout.row_texts
    nexts = next_cells_by_column(columns, game.sheet)
    return _object(
        [
            _closed_column(column, rows, nexts[column.place] if column.is_ordered else (), reason)
            for column, reason in closed_reasons(game)
        ]
    )


@lru_cache(maxsize=8192)
def _closed_column(
    column: ColumnLayout, rows: tuple[str, ...], first: tuple[CellIndex, ...], reason: Reason
) -> bytes:
    """The piece that says why a column is closed, and which of its cells come first."""
    first_rows = [rows[index - column.cells[0]] for index in first]
    return b'"%b":%b' % (column.text.encode(), orjson.dumps({"reason": reason, "rows": first_rows}))


def _object(pieces: Iterable[bytes]) -> bytes:
    return b"{%b}" % b",".join(pieces)
