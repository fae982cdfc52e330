"""The order of each column, as lanes.

A lane is a list of rows; of each lane only its first empty cell is open. Two lanes may share cells.
Source: docs/rules.md, Columns.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

from app.rules.variant import Column, ColumnKind, Row

Lane = tuple[Row, ...]


class Way(StrEnum):
    """Where a lane runs on the sheet."""

    UP = "up"
    DOWN = "down"


def lanes_of(column: Column, rows: Sequence[Row]) -> tuple[Lane, ...]:
    """The lanes of a column over the rows of a sheet; none for a column that fills itself."""
    return _LANES_BY_KIND[column.kind](tuple(rows), column.split)


def starts_of(column: Column, rows: Sequence[Row]) -> dict[Row, Way]:
    """The rows where a column of several lanes begins, and where each lane runs from there.

    None for a column with one lane, whose order its name tells, and for one without an order.
    """
    lanes = lanes_of(column, rows)
    if len(lanes) < 2 or all(len(lane) == 1 for lane in lanes):
        return {}
    place = {row: at for at, row in enumerate(rows)}
    # In a lane of one cell there is no way to go.
    ordered = (lane for lane in lanes if len(lane) > 1)
    return {lane[0]: Way.DOWN if place[lane[1]] > place[lane[0]] else Way.UP for lane in ordered}


def _down(rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return (rows,)


def _up(rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return (rows[::-1],)


def _any(rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return tuple((row,) for row in rows)


def _from_middle(rows: Lane, split: Row | None) -> tuple[Lane, ...]:
    upper, lower = _halves(rows, split)
    return (upper[::-1], lower)


def _ends_in(rows: Lane, split: Row | None) -> tuple[Lane, ...]:
    upper, lower = _halves(rows, split)
    return (upper, lower[::-1])


def _both_ends(rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return (rows, rows[::-1])


def _every_other(rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return (rows[0::2], rows[1::2][::-1])


def _none(_rows: Lane, _: Row | None) -> tuple[Lane, ...]:
    return ()


def _halves(rows: Lane, split: Row | None) -> tuple[Lane, Lane]:
    """The rows to `split` and those after it."""
    upper = 1 + next(place for place, row in enumerate(rows) if row is split)
    return rows[:upper], rows[upper:]


_LANES_BY_KIND: dict[ColumnKind, Callable[[Lane, Row | None], tuple[Lane, ...]]] = {
    ColumnKind.DOWN: _down,
    ColumnKind.UP: _up,
    ColumnKind.FREE: _any,
    ColumnKind.ANNOUNCED: _any,
    ColumnKind.LATE_ANNOUNCED: _any,
    ColumnKind.HAND: _any,
    ColumnKind.NOTIFICATION: _any,
    ColumnKind.FROM_MIDDLE: _from_middle,
    ColumnKind.ENDS_IN: _ends_in,
    ColumnKind.BOTH_ENDS: _both_ends,
    ColumnKind.EVERY_OTHER: _every_other,
    ColumnKind.FINAL: _down,
    ColumnKind.MAXIMUM: _none,
}
