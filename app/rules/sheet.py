"""One player's sheet: a score for every filled cell, and the sums that follow from it.

Source of the sums: docs/rules.md, Rows.
"""

from dataclasses import dataclass

from app.rules.by_identity import by_identities
from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.middle import middle_points
from app.rules.variant import ColumnKind, Row, Variant

Sheet = tuple[int | None, ...]
"""Scores by cell index; None where empty. Cells of the maximum column are always empty here."""

Scores = tuple[int | None, ...]
"""Scores of one column, in sheet order."""


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """What is not filled yet, for every column: `next_cells`, and how many cells are empty.

    A playable column without a next cell is full.
    """

    columns: tuple[ColumnLayout, ...]
    nexts: tuple[tuple[CellIndex, ...], ...]
    empty: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColumnSums:
    """The parts of a column. `middle` is None until every cell it needs is filled."""

    upper: int
    bonus: int
    middle: int | None
    lower: int

    @property
    def total(self) -> int:
        """The column's points."""
        return self.upper + self.bonus + (self.middle or 0) + self.lower


def empty_sheet(layout: Layout) -> Sheet:
    """A sheet without an entry."""
    return (None,) * len(layout.cells)


def is_full(layout: Layout, sheet: Sheet) -> bool:
    """Whether every playable cell is filled."""
    return not any(gaps_of(layout, sheet).nexts)


def empty_cells(column: ColumnLayout, sheet: Sheet) -> tuple[CellIndex, ...]:
    """The column's empty cells, in sheet order."""
    return tuple([index for index in column.cells if sheet[index] is None])


def has_empty_cell(column: ColumnLayout, sheet: Sheet) -> bool:
    """Whether any cell of the column is empty."""
    return None in sheet[column.cells[0] : column.cells[-1] + 1]


@by_identities(kept=4096)
def gaps_of(layout: Layout, sheet: Sheet) -> Gaps:
    """Kept, since the same sheet is asked many times in a turn."""
    columns = layout.columns
    nexts = tuple([next_cells(column, sheet) for column in columns])
    empty = tuple([sheet[column.cells[0] : column.cells[-1] + 1].count(None) for column in columns])
    return Gaps(columns, nexts, empty)


def next_cells(column: ColumnLayout, sheet: Sheet) -> tuple[CellIndex, ...]:
    """The first empty cell of each lane, each once, in sheet order."""
    if not column.is_ordered:
        return empty_cells(column, sheet) if column.lanes else ()
    firsts: set[CellIndex] = set()
    for lane in column.lanes:
        for index in lane:
            if sheet[index] is None:
                firsts.add(index)
                break
    return tuple(sorted(firsts))


def column_scores(layout: Layout, sheet: Sheet, column: ColumnLayout) -> Scores:
    """What stands in a column, the maximum column's own entries included."""
    if column.column.kind is ColumnKind.MAXIMUM:
        return _best_of_rows(layout, sheet)
    return sheet[column.cells[0] : column.cells[-1] + 1]


def _best_of_rows(layout: Layout, sheet: Sheet) -> Scores:
    least, rows = Row.MIN, len(layout.rows)
    best = []
    for place, row in enumerate(layout.rows):
        # Over all columns: the column's own cells are empty.
        filled = [score for score in sheet[place::rows] if score is not None]
        best.append((min if row is least else max)(filled) if filled else None)
    return tuple(best)


def column_sums(layout: Layout, scores: Scores) -> ColumnSums:
    """The parts of a column from its scores."""
    points = [score or 0 for score in scores]
    upper = sum(points[: layout.upper_end])
    return ColumnSums(
        upper=upper,
        bonus=award(layout.variant, upper),
        middle=_middle(layout, scores),
        lower=sum(points[layout.lower_start :]),
    )


def award(variant: Variant, upper: int) -> int:
    """What an upper part of so many points earns: the award of the highest step reached."""
    return next((step.award for step in reversed(variant.bonus_steps) if upper >= step.at_least), 0)


def _middle(layout: Layout, scores: Scores) -> int | None:
    if layout.middle is None:
        return None
    needed = [scores[place] for place in layout.middle]
    filled = [score for score in needed if score is not None]
    if len(filled) < len(needed):
        return None
    highest, lowest, *ones = filled
    return middle_points(layout.variant, ones[0] if ones else 0, highest, lowest)


def sums_by_column(layout: Layout, sheet: Sheet) -> dict[ColumnKind, ColumnSums]:
    """The parts of every column."""
    return {
        column.column.kind: column_sums(layout, column_scores(layout, sheet, column))
        for column in layout.columns
    }


def total(layout: Layout, sheet: Sheet) -> int:
    """The points of the whole sheet."""
    return sum(sums.total for sums in sums_by_column(layout, sheet).values())
