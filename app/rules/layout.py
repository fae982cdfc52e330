"""A variant made ready for play: cells by index, lanes, and a score for every distinct roll.

Made once for each variant; every game of the variant shares it.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from app.rules.actions import Roll
from app.rules.columns import lanes_of
from app.rules.dice import Dice, distinct_rolls
from app.rules.scoring import score_by_rule
from app.rules.variant import ROLLS, Cell, Column, ColumnKind, Row, Variant

CellIndex = int
"""Place of a cell in a sheet: column by column, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnLayout:
    """A column's cells and lanes as indexes. `is_ordered`: some lane has more than one cell."""

    column: Column
    cells: tuple[CellIndex, ...]
    lanes: tuple[tuple[CellIndex, ...], ...]
    is_ordered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """What can be known of a variant before any die is rolled. Equal variants share one object."""

    variant: Variant
    rows: tuple[Row, ...]
    cells: tuple[Cell, ...]
    index_by_cell: dict[Cell, CellIndex]
    columns: tuple[ColumnLayout, ...]
    column_by_kind: dict[ColumnKind, ColumnLayout]
    playable: tuple[CellIndex, ...]
    scores_by_roll: tuple[dict[Dice, tuple[int, ...]], ...]
    rolls: tuple[Roll, ...]

    def scores(self, dice: Dice, roll: int) -> tuple[int, ...]:
        """Scores of every row, in sheet order, for `dice` after roll `roll` (1 and up)."""
        return self.scores_by_roll[min(roll, ROLLS) - 1][tuple(sorted(dice))]

    def row_place(self, index: CellIndex) -> int:
        """Place of a cell's row on the sheet, from 0."""
        return index % len(self.rows)


@lru_cache(maxsize=256)
def layout_of(variant: Variant) -> Layout:
    """The layout of a variant. Costs some milliseconds the first time."""
    rows = tuple(rule.row for rule in variant.rows)
    cells = tuple(Cell(column.kind, row) for column in variant.columns for row in rows)
    index_by_cell = {cell: index for index, cell in enumerate(cells)}
    columns = tuple(_column_layout(column, rows, index_by_cell) for column in variant.columns)
    return Layout(
        variant=variant,
        rows=rows,
        cells=cells,
        index_by_cell=index_by_cell,
        columns=columns,
        column_by_kind={layout.column.kind: layout for layout in columns},
        playable=tuple(index for layout in columns if layout.column.is_playable for index in layout.cells),
        scores_by_roll=tuple(_score_table(variant, roll) for roll in range(1, ROLLS + 1)),
        rolls=_rolls(variant),
    )


def _column_layout(
    column: Column, rows: tuple[Row, ...], index_by_cell: dict[Cell, CellIndex]
) -> ColumnLayout:
    lanes = lanes_of(column, rows)
    return ColumnLayout(
        column=column,
        cells=tuple(index_by_cell[Cell(column.kind, row)] for row in rows),
        lanes=tuple(tuple(index_by_cell[Cell(column.kind, row)] for row in lane) for lane in lanes),
        is_ordered=any(len(lane) > 1 for lane in lanes),
    )


def _score_table(variant: Variant, roll: int) -> dict[Dice, tuple[int, ...]]:
    return {
        dice: tuple(score_by_rule(rule, dice, roll) for rule in variant.rows)
        for dice in distinct_rolls(variant.dice)
    }


def _rolls(variant: Variant) -> tuple[Roll, ...]:
    """Every roll after the first, by what it holds."""
    positions = range(variant.dice)
    return tuple(Roll(hold) for size in range(variant.max_hold + 1) for hold in combinations(positions, size))
