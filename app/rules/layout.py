"""A variant made ready for play: cells by index, lanes, gates, and a score for every distinct roll.

Made once for each variant; every game of the variant shares it.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from app.rules.actions import Announce, Fill, Roll
from app.rules.columns import lanes_of
from app.rules.dice import Dice, distinct_rolls
from app.rules.scoring import counted_faces, points
from app.rules.variant import (
    MAX_ROLLS,
    MIDDLE_ROWS,
    ROLLS,
    Cell,
    Column,
    ColumnKind,
    Middle,
    Row,
    RowRule,
    Section,
    Variant,
    section_of,
)

CellIndex = int
"""Place of a cell in a sheet: column by column, row by row."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnLayout:
    """A column's cells and lanes as indexes; `place` is its own among the columns, from 0.

    `is_ordered`: some lane has more than one cell. Its cells can be filled after the rolls `first_roll` to
    `last_roll` of a turn, as far as the number of the roll goes and if nothing is announced. The kinds whose
    cells wait for more than that have a flag each, since a member of an enum is slow to look up. `text`: its
    kind as it is shown; `row_texts`: its rows.
    """

    column: Column
    place: int
    cells: tuple[CellIndex, ...]
    lanes: tuple[tuple[CellIndex, ...], ...]
    is_ordered: bool
    first_roll: int
    last_roll: int
    is_notification: bool
    is_final: bool
    is_playable: bool
    text: str
    row_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Counted faces and scores of every row, in sheet order, by distinct roll (faces rising)."""

    faces: dict[Dice, tuple[Dice, ...]]
    scores_by_roll: tuple[dict[Dice, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """What can be known of a variant before any die is rolled. Compared by its variant.

    `sections`: the part of each row; of the upper one are those before `upper_end`, of the lower one those
    from `lower_start` on.
    `middle`: the places of max, min and, where the formula takes it, ones; None for a sheet without them.
    `announceable`: the columns whose cells can be announced. `places`: for each cell the place of its row on
    the sheet, from 0. `announces`, `fills`: the actions by cell index; `rolls`: every roll after the first,
    by what it holds. `row_texts`: the rows as they are shown.
    """

    variant: Variant
    _hash: int = field(compare=False, repr=False)
    rows: tuple[Row, ...] = field(compare=False)
    sections: tuple[Section, ...] = field(compare=False)
    upper_end: int = field(compare=False)
    lower_start: int = field(compare=False)
    middle: tuple[int, ...] | None = field(compare=False)
    cells: tuple[Cell, ...] = field(compare=False)
    places: tuple[int, ...] = field(compare=False)
    index_by_cell: dict[Cell, CellIndex] = field(compare=False)
    columns: tuple[ColumnLayout, ...] = field(compare=False)
    column_by_kind: dict[ColumnKind, ColumnLayout] = field(compare=False)
    announceable: tuple[ColumnLayout, ...] = field(compare=False)
    playable: tuple[CellIndex, ...] = field(compare=False)
    rolls: tuple[Roll, ...] = field(compare=False)
    announces: tuple[Announce, ...] = field(compare=False)
    fills: tuple[Fill, ...] = field(compare=False)
    row_texts: tuple[str, ...] = field(compare=False)
    table: ScoreTable = field(compare=False)

    def __hash__(self) -> int:
        """That of the variant, made once: values are kept by their layout."""
        return self._hash

    def scores(self, dice: Dice, roll: int) -> tuple[int, ...]:
        """Scores of every row, in sheet order, for `dice` after roll `roll` (1 and up)."""
        return self.table.scores_by_roll[min(roll, ROLLS) - 1][tuple(sorted(dice))]

    def counted_faces(self, dice: Dice) -> tuple[Dice, ...]:
        """Faces of the dice that count, for every row in sheet order; empty where a row isn't satisfied."""
        return self.table.faces[tuple(sorted(dice))]


@lru_cache(maxsize=256)
def layout_of(variant: Variant) -> Layout:
    """The layout of a variant. Costs some tens of milliseconds for rows that no layout had yet."""
    rows = tuple(rule.row for rule in variant.rows)
    sections = tuple(map(section_of, rows))
    cells = tuple(Cell(column.kind, row) for column in variant.columns for row in rows)
    index_by_cell = {cell: index for index, cell in enumerate(cells)}
    columns = tuple(_column_layout(variant, place, index_by_cell) for place in range(len(variant.columns)))
    return Layout(
        variant=variant,
        _hash=hash(variant),
        rows=rows,
        sections=sections,
        upper_end=sections.count(Section.UPPER),
        lower_start=len(rows) - sections.count(Section.LOWER),
        middle=_middle(variant, rows),
        cells=cells,
        places=tuple(range(len(rows))) * len(columns),
        index_by_cell=index_by_cell,
        columns=columns,
        column_by_kind={layout.column.kind: layout for layout in columns},
        announceable=tuple(layout for layout in columns if layout.column.window),
        playable=tuple(index for layout in columns if layout.column.is_playable for index in layout.cells),
        rolls=_rolls(variant),
        announces=tuple(map(Announce, cells)),
        fills=tuple(map(Fill, cells)),
        row_texts=tuple(row.value for row in rows),
        table=_score_table(variant.rows, variant.dice),
    )


def _middle(variant: Variant, rows: tuple[Row, ...]) -> tuple[int, ...] | None:
    if Row.MAX not in rows:
        return None
    needed = (*MIDDLE_ROWS, Row.ONES) if variant.middle is Middle.TIMES_ONES else MIDDLE_ROWS
    return tuple(rows.index(row) for row in needed)


def _column_layout(variant: Variant, place: int, index_by_cell: dict[Cell, CellIndex]) -> ColumnLayout:
    column = variant.columns[place]
    rows = tuple(rule.row for rule in variant.rows)
    lanes = lanes_of(column, rows)
    first_roll, last_roll = _gate(column)
    return ColumnLayout(
        column=column,
        place=place,
        cells=tuple(index_by_cell[Cell(column.kind, row)] for row in rows),
        lanes=tuple(tuple(index_by_cell[Cell(column.kind, row)] for row in lane) for lane in lanes),
        is_ordered=any(len(lane) > 1 for lane in lanes),
        first_roll=first_roll,
        last_roll=last_roll,
        is_notification=column.kind is ColumnKind.NOTIFICATION,
        is_final=column.kind is ColumnKind.FINAL,
        is_playable=column.is_playable,
        text=column.kind.value,
        row_texts=tuple(row.value for row in rows),
    )


def _gate(column: Column) -> tuple[int, int]:
    """The first and the last roll after which the column can be filled."""
    if column.kind is ColumnKind.HAND:
        return 1, 1
    if column.window:
        return column.window[0], column.window[-1]
    return 1, MAX_ROLLS


@lru_cache(maxsize=32)
def _score_table(rules: tuple[RowRule, ...], dice: int) -> ScoreTable:
    """One table for all variants that differ in their columns alone."""
    rolls = distinct_rolls(dice)
    faces = zip(*(_faces_in_row(rule, dice) for rule in rules), strict=True)
    scores = (
        zip(*(_points_in_row(rule, dice, roll) for rule in rules), strict=True)
        for roll in range(1, ROLLS + 1)
    )
    return ScoreTable(
        faces=dict(zip(rolls, faces, strict=True)),
        scores_by_roll=tuple(dict(zip(rolls, in_rows, strict=True)) for in_rows in scores),
    )


@lru_cache(maxsize=512)
def _faces_in_row(rule: RowRule, dice: int) -> tuple[Dice, ...]:
    """Kept by row: most rows of a new variant are those of others."""
    return tuple(counted_faces(rule, roll) for roll in distinct_rolls(dice))


@lru_cache(maxsize=512)
def _points_in_row(rule: RowRule, dice: int, roll: int) -> tuple[int, ...]:
    return tuple(points(rule, faces, roll) for faces in _faces_in_row(rule, dice))


def _rolls(variant: Variant) -> tuple[Roll, ...]:
    positions = range(variant.dice)
    return tuple(Roll(hold) for size in range(variant.max_hold + 1) for hold in combinations(positions, size))
