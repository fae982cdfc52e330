"""What an entry is worth to a sheet: its points, less what its cell would usually come to.

A sheet is valued as what stands on it and, for every empty cell, the usual score of its row; the bonus of a
column by how likely each step still is, the middle by its formula over written and usual scores. An entry is
worth as much as this value rises by it. The maximum column is left out: no entry changes much in it.
"""

from collections.abc import Iterable
from math import erf, sqrt
from typing import NamedTuple

from app.bots.one_row import RowTurn, row_scores, usual
from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.sheet import Sheet, middle_points
from app.rules.variant import FACE_BY_ROW, MIDDLE_ROWS, ROLLS, ColumnKind, Row, Variant

CHOICE = 0.5
"""How far above its mean a score usually is, in standard deviations, since a player chooses which cell of
many his dice fill. Found by playing (docs/bots.md)."""


class Expected(NamedTuple):
    """What a cell has, or usually comes to, and the variance of that."""

    score: float
    variance: float


def worths(layout: Layout, sheet: Sheet, index: CellIndex) -> tuple[float, ...]:
    """What each score of an empty cell's row, rising, is worth in it."""
    column = layout.columns[index // len(layout.rows)]
    place = layout.places[index]
    rule = layout.variant.rows[place]
    cells = [expected(layout, sheet, column, at) for at in range(len(layout.rows))]
    scores = row_scores(rule, layout.variant.dice).scores
    if rule.row in MIDDLE_ROWS:
        return _of_middle(layout, cells, place, scores)
    if rule.row not in FACE_BY_ROW:
        return tuple(score - cells[place].score for score in scores)
    upper = _of_upper(layout, cells, place, scores)
    if rule.row is not Row.ONES:
        return upper
    return tuple(map(sum, zip(upper, _of_middle(layout, cells, place, scores), strict=True)))


def expected(layout: Layout, sheet: Sheet, column: ColumnLayout, place: int) -> Expected:
    """What the cell at that place of a column has, or usually comes to."""
    score = sheet[column.cells[place]]
    if score is not None:
        return Expected(score, 0.0)
    variant = layout.variant
    rule = variant.rows[place]
    rolls = 1 if column.column.kind is ColumnKind.HAND else ROLLS
    mean, deviation = usual(RowTurn(rule, variant.dice, variant.max_hold, rolls))
    choice = -CHOICE if rule.row is Row.MIN else CHOICE
    return Expected(mean + choice * deviation, deviation**2)


def _of_middle(layout: Layout, cells: list[Expected], place: int, scores: Iterable[int]) -> tuple[float, ...]:
    if layout.middle is None or place not in layout.middle:
        return tuple(0.0 for _ in scores)
    before = _middle(layout, cells)
    return tuple(
        _middle(layout, [*cells[:place], Expected(score, 0.0), *cells[place + 1 :]]) - before
        for score in scores
    )


def _middle(layout: Layout, cells: list[Expected]) -> float:
    highest, lowest, *ones = (cells[place].score for place in layout.middle or ())
    return middle_points(layout.variant, ones[0] if ones else 0.0, highest, lowest)


def _of_upper(layout: Layout, cells: list[Expected], place: int, scores: Iterable[int]) -> tuple[float, ...]:
    upper = cells[layout.upper_rows]
    mean, variance = (sum(part) for part in zip(*upper, strict=True))
    own = upper[place]
    others, others_variance = mean - own.score, variance - own.variance
    before = own.score + _award(layout.variant, mean, variance)
    return tuple(score + _award(layout.variant, others + score, others_variance) - before for score in scores)


def _award(variant: Variant, mean: float, variance: float) -> float:
    """What the bonus is worth on average for an upper part with that mean and variance, taken as normal."""
    award, given = 0.0, 0
    deviation = sqrt(max(variance, 1e-9))
    for step in variant.bonus_steps:
        # Points are whole: half a point below the step is where the normal curve is cut.
        likely = (1 + erf((mean - step.at_least + 0.5) / deviation / sqrt(2))) / 2
        award += likely * (step.award - given)
        given = step.award
    return award
