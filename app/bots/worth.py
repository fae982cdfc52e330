"""What an entry is worth to a sheet: its points, less what its cell would usually come to.

A sheet is valued as what stands on it and, for every empty cell, the usual score of its row; the bonus of a
column by how likely each step still is, the middle by its formula over written and usual scores. The maximum
column is valued alike, over the best that its rows have or usually come to. An entry is worth as much as the
value of the sheet rises by it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, inf, log, sqrt
from typing import NamedTuple

from app.bots.one_row import RowTurn, row_scores, usual
from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.middle import middle_points
from app.rules.sheet import Sheet
from app.rules.variant import FACE_BY_ROW, MIDDLE_ROWS, ROLLS, ColumnKind, Row, Variant

CHOICE = 0.5
"""How far above its mean a score usually is, in standard deviations, since a player chooses which cell of
many his dice fill. Found by playing (docs/bots.md)."""


class Expected(NamedTuple):
    """What a cell has, or usually comes to, and the deviation of that: 0 of what is written."""

    score: float
    deviation: float = 0.0


Cells = Sequence[Expected]
"""Those of a column, in sheet order."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What stands on a sheet, and what it usually comes to.

    `columns`: the cells of each column, by its place, the maximum column's apart, which are in `best`.
    """

    layout: Layout
    columns: dict[int, Cells]
    best: Cells

    def worths(self, index: CellIndex) -> tuple[float, ...]:
        """What each score of an empty cell's row, rising, is worth in that cell."""
        layout = self.layout
        place, column = layout.places[index], index // len(layout.rows)
        scores = row_scores(layout.variant.rows[place], layout.variant.dice).scores
        worths = _in_column(layout, self.columns[column], place, scores)
        if not self.best:
            return worths
        others = [cells[place] for at, cells in self.columns.items() if at != column]
        best = _best_with(layout, place, others, scores)
        return _added(worths, _in_column(layout, self.best, place, best))


def prospect_of(layout: Layout, sheet: Sheet) -> Prospect:
    """The prospect of a sheet."""
    columns = {
        column.place: _cells(layout, sheet, column) for column in layout.columns if column.column.is_playable
    }
    best: Cells = ()
    if ColumnKind.MAXIMUM in layout.column_by_kind:
        rows = enumerate(zip(*columns.values(), strict=True))
        best = [_best_in_row(layout, place, cells) for place, cells in rows]
    return Prospect(layout, columns, best)


def _cells(layout: Layout, sheet: Sheet, column: ColumnLayout) -> Cells:
    common = _usual_cells(layout, 1 if column.column.kind is ColumnKind.HAND else ROLLS)
    written = (sheet[index] for index in column.cells)
    return [empty if score is None else Expected(score) for score, empty in zip(written, common, strict=True)]


@lru_cache(maxsize=128)
def _usual_cells(layout: Layout, rolls: int) -> Cells:
    """What the empty cells of a column usually come to whose turns have so many rolls."""
    variant = layout.variant
    turns = (RowTurn(rule, variant.dice, variant.max_hold, rolls) for rule in variant.rows)
    return tuple(
        Expected(mean + _sign(row) * CHOICE * deviation, deviation)
        for row, (mean, deviation) in zip(layout.rows, map(usual, turns), strict=True)
    )


def _best_in_row(layout: Layout, place: int, cells: Sequence[Expected]) -> Expected:
    """What the best of a row is or usually comes to, the better the more of its cells are empty."""
    sign = _sign(layout.rows[place])
    reach = _reach(sign, cells)
    score, deviation = max(
        (Expected(cell.score + reach * cell.deviation, cell.deviation) for cell in cells),
        key=lambda cell: sign * cell.score,
    )
    scores = row_scores(layout.variant.rows[place], layout.variant.dice).scores
    return Expected(min(max(score, scores[0]), scores[-1]), deviation)


def _best_with(layout: Layout, place: int, others: Cells, scores: Sequence[int]) -> list[float]:
    """For each score the same of a row in which it stands beside the others."""
    sign = _sign(layout.rows[place])
    reach = _reach(sign, others)
    beside = max((sign * (cell.score + reach * cell.deviation) for cell in others), default=-inf)
    return [min(max(sign * max(beside, sign * score), scores[0]), scores[-1]) for score in scores]


def _reach(sign: int, cells: Cells) -> float:
    """How many deviations above its mean a cell of so many usually is that is the best of them."""
    # The largest of n normal numbers is some √(2 ln n) deviations above their mean.
    empty = sum(cell.deviation > 0 for cell in cells)
    return sign * sqrt(2 * log(empty)) if empty else 0.0


def _sign(row: Row) -> int:
    """1 where more is better, -1 in min."""
    return -1 if row is Row.MIN else 1


def _in_column(layout: Layout, cells: Cells, place: int, scores: Sequence[float]) -> tuple[float, ...]:
    """By how much each of the scores, in the cell at that place, raises the value of the column."""
    row = layout.rows[place]
    if row in MIDDLE_ROWS:
        return _in_middle(layout, cells, place, scores)
    if row not in FACE_BY_ROW:
        return tuple(score - cells[place].score for score in scores)
    upper = _in_upper(layout, cells, place, scores)
    return _added(upper, _in_middle(layout, cells, place, scores)) if row is Row.ONES else upper


def _added(one: Iterable[float], other: Iterable[float]) -> tuple[float, ...]:
    return tuple(mine + its for mine, its in zip(one, other, strict=True))


def _in_middle(layout: Layout, cells: Cells, place: int, scores: Sequence[float]) -> tuple[float, ...]:
    if layout.middle is None or place not in layout.middle:
        return (0.0,) * len(scores)
    parts = [cells[part].score for part in layout.middle]
    before = _middle(layout, parts)
    at = layout.middle.index(place)
    return tuple(_middle(layout, [*parts[:at], score, *parts[at + 1 :]]) - before for score in scores)


def _middle(layout: Layout, parts: Sequence[float]) -> float:
    highest, lowest, *ones = parts
    return middle_points(layout.variant, ones[0] if ones else 0.0, highest, lowest)


def _in_upper(layout: Layout, cells: Cells, place: int, scores: Sequence[float]) -> tuple[float, ...]:
    own, upper = cells[place], cells[: layout.upper_end]
    others = sum(cell.score for cell in upper) - own.score
    variance = sum(cell.deviation**2 for cell in upper) - own.deviation**2
    variant = layout.variant
    before = own.score + _award(variant, others + own.score, variance + own.deviation**2)
    return tuple(score + _award(variant, others + score, variance) - before for score in scores)


def _award(variant: Variant, mean: float, variance: float) -> float:
    """What the bonus is worth on average for an upper part of that mean and variance, taken as normal."""
    award, reached = 0.0, 0
    # Nothing is left to chance in a part that is written: a deviation of almost 0 is a step.
    deviation = sqrt(max(variance, 1e-9))
    for step in variant.bonus_steps:
        # Points are whole: the normal curve is cut half a point below the step.
        likely = (1 + erf((mean - step.at_least + 0.5) / deviation / sqrt(2))) / 2
        award += likely * (step.award - reached)
        reached = step.award
    return award
