"""The order of each column, in the words of the seeds."""

import pytest

from app.rules.columns import lanes_of, starts_of
from app.rules.layout import layout_of
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.sheet import next_cells
from app.rules.variant import Column, ColumnKind, Row
from tests.rules.positions import cell, sheet_of
from tests.rules.variants import with_columns

ROWS = tuple(rule.row for rule in CLASSIC_5X4.rows)


def _next_rows(column: Column, filled: str) -> set[str]:
    """Rows that are next when those named are filled."""
    layout = layout_of(with_columns(Column(ColumnKind.HAND), column))
    entries = {cell(f"{column.kind} {row}"): 0 for row in filled.split()}
    indexes = next_cells(layout.column_by_kind[column.kind], sheet_of(layout, entries))
    return {layout.cells[index].row.value for index in indexes}


DOWN = Column(ColumnKind.DOWN)
UP = Column(ColumnKind.UP)
FREE = Column(ColumnKind.FREE)
FROM_SIXES = Column(ColumnKind.FROM_MIDDLE, split=Row.SIXES)
FROM_MAX = Column(ColumnKind.FROM_MIDDLE, split=Row.MAX)
ENDS_IN = Column(ColumnKind.ENDS_IN, split=Row.MAX)
BOTH_ENDS = Column(ColumnKind.BOTH_ENDS)
EVERY_OTHER = Column(ColumnKind.EVERY_OTHER)
FINAL = Column(ColumnKind.FINAL)
MAXIMUM = Column(ColumnKind.MAXIMUM)


@pytest.mark.parametrize(
    ("column", "filled", "expected"),
    [
        # "Aces have to be written first, then twos, and so on."
        (DOWN, "", "ones"),
        (DOWN, "ones", "twos"),
        (DOWN, "ones twos threes fours fives sixes max min straight full poker", "yamb"),
        # "Yamb has to be written first, then Poker, and so on."
        (UP, "", "yamb"),
        (UP, "yamb", "poker"),
        (UP, "yamb poker full straight min max", "sixes"),
        # Free: whatever is empty, whenever.
        (FREE, "twos min", "ones threes fours fives sixes max straight full poker yamb"),
        # In opposite directions: from the sixes up and from the maximum down.
        (FROM_SIXES, "", "sixes max"),
        (FROM_SIXES, "sixes", "fives max"),
        (FROM_SIXES, "max min straight", "sixes full"),
        (FROM_SIXES, "sixes fives fours threes twos ones", "max"),
        # "The seventh column is filled from MAX to the top, that is, from MIN to the bottom."
        (FROM_MAX, "", "max min"),
        (FROM_MAX, "max", "sixes min"),
        (FROM_MAX, "min", "max straight"),
        # "The eighth column is filled from top to MAX, that is, from bottom to MIN."
        (ENDS_IN, "", "ones yamb"),
        (ENDS_IN, "ones twos threes fours fives sixes", "max yamb"),
        (ENDS_IN, "ones twos threes fours fives sixes max", "yamb"),
        (ENDS_IN, "yamb poker full straight", "ones min"),
        # The columns up and down in one, which meet anywhere.
        (BOTH_ENDS, "", "ones yamb"),
        (BOTH_ENDS, "ones twos", "threes yamb"),
        (BOTH_ENDS, "ones yamb poker full straight min max sixes fives fours", "twos threes"),
        (BOTH_ENDS, "ones twos yamb poker full straight min max sixes fives fours", "threes"),
        # "Every other": odd places from the top down, even places the other way.
        (EVERY_OTHER, "", "ones yamb"),
        (EVERY_OTHER, "ones", "threes yamb"),
        (EVERY_OTHER, "ones threes fives max straight", "poker yamb"),
        (EVERY_OTHER, "yamb", "ones full"),
        # "The ninth column is filled in at the very end of the game, from top to bottom."
        (FINAL, "ones", "twos"),
    ],
)
def test_the_rows_that_are_next_follow_the_words_of_the_seeds(
    column: Column, filled: str, expected: str
) -> None:
    assert _next_rows(column, filled) == set(expected.split())


def test_the_columns_that_have_no_order_have_a_lane_for_each_row() -> None:
    for kind in ("free", "announced", "late_announced", "hand", "notification"):
        lanes = lanes_of(Column(ColumnKind(kind)), ROWS)
        assert lanes == tuple((row,) for row in ROWS)


def test_the_maximum_column_has_no_lane() -> None:
    assert lanes_of(MAXIMUM, ROWS) == ()


@pytest.mark.parametrize("column", [DOWN, UP, FREE, FROM_SIXES, FROM_MAX, ENDS_IN, BOTH_ENDS, EVERY_OTHER])
@pytest.mark.parametrize("rows", [ROWS, tuple(rule.row for rule in PAPIR.rows), ROWS[:8]])
def test_the_lanes_of_a_column_reach_every_row(column: Column, rows: tuple[Row, ...]) -> None:
    assert {row for lane in lanes_of(column, rows) for row in lane} == set(rows)


def test_every_other_of_thirteen_rows_goes_down_by_odd_places_and_up_by_even_ones() -> None:
    down, up = lanes_of(EVERY_OTHER, tuple(rule.row for rule in PAPIR.rows))
    assert [row.value for row in down] == ["ones", "threes", "fives", "max", "straight", "full", "yamb"]
    assert [row.value for row in up] == ["poker", "triling", "min", "sixes", "fours", "twos"]


@pytest.mark.parametrize(
    ("column", "starts"),
    [
        (FROM_SIXES, {"sixes": "up", "max": "down"}),
        (FROM_MAX, {"max": "up", "min": "down"}),
        (ENDS_IN, {"ones": "down", "yamb": "up"}),
        (BOTH_ENDS, {"ones": "down", "yamb": "up"}),
        (EVERY_OTHER, {"ones": "down", "yamb": "up"}),
        (DOWN, {}),
        (UP, {}),
        (FREE, {}),
        (FINAL, {}),
        (MAXIMUM, {}),
    ],
)
def test_a_column_of_several_lanes_tells_where_it_begins_and_which_way(
    column: Column, starts: dict[str, str]
) -> None:
    assert starts_of(column, ROWS) == starts


def test_the_starts_are_the_rows_that_are_next_on_an_empty_sheet() -> None:
    for column in (FROM_SIXES, FROM_MAX, ENDS_IN, BOTH_ENDS, EVERY_OTHER):
        assert {row.value for row in starts_of(column, ROWS)} == _next_rows(column, "")
