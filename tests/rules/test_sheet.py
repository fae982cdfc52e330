"""The sums of a sheet: upper and its bonus, middle, lower, the maximum column; standings."""

import pytest

from app.rules.game import standings, start
from app.rules.layout import layout_of
from app.rules.presets import BULGARIAN_4, CLASSIC_5X4, CROATIAN, MY_YAHTZEE, PAPIR, SWEDISH_5, SWEDISH_6
from app.rules.sheet import ColumnSums, sums_by_column, total
from app.rules.state import Game
from app.rules.variant import ColumnKind, Middle, Variant
from tests.rules.positions import cell, sheet_of
from tests.rules.variants import DOWN, FREE, HAND, MAXIMUM, UP, with_columns


def _sums(variant: Variant, entries: str) -> ColumnSums:
    """The sums of the down column with "row score row score …"."""
    words = entries.split()
    scores = {cell(f"down {row}"): int(score) for row, score in zip(words[::2], words[1::2], strict=True)}
    layout = layout_of(variant)
    return sums_by_column(layout, sheet_of(layout, scores))[ColumnKind.DOWN]


@pytest.mark.parametrize(
    ("variant", "upper", "bonus"),
    [
        (CLASSIC_5X4, 60, 0),
        (CLASSIC_5X4, 61, 30),
        (PAPIR, 59, 0),
        (PAPIR, 60, 30),
        (CROATIAN, 59, 0),
        (CROATIAN, 60, 30),
        (SWEDISH_5, 62, 0),
        (SWEDISH_5, 63, 30),
        (SWEDISH_6, 62, 0),
        (SWEDISH_6, 63, 30),
        (MY_YAHTZEE, 105, 0),
        (BULGARIAN_4, 60, 0),
        (BULGARIAN_4, 61, 30),
        (BULGARIAN_4, 70, 30),
        (BULGARIAN_4, 71, 40),
        (BULGARIAN_4, 80, 40),
        (BULGARIAN_4, 81, 50),
        (BULGARIAN_4, 90, 50),
        (BULGARIAN_4, 91, 60),
        (BULGARIAN_4, 105, 60),
        (with_columns(DOWN, bonus_steps=()), 105, 0),
    ],
)
def test_the_award_is_that_of_the_highest_step_reached(variant: Variant, upper: int, bonus: int) -> None:
    sums = _sums(variant, f"sixes 30 fives 25 ones {upper - 55}")
    assert (sums.upper, sums.bonus, sums.total) == (upper, bonus, upper + bonus)


@pytest.mark.parametrize(
    "entries", ["", "max 27 min 11", "ones 4 max 27", "ones 4 min 11", "ones 4", "max 27", "min 11"]
)
def test_the_middle_is_unknown_until_ones_max_and_min_are_filled(entries: str) -> None:
    assert _sums(CLASSIC_5X4, entries).middle is None


def test_the_middle_is_the_difference_times_the_ones() -> None:
    assert _sums(CLASSIC_5X4, "ones 4 max 27 min 11").middle == 64
    assert _sums(CLASSIC_5X4, "ones 0 max 27 min 11").middle == 0


def test_the_middle_can_be_below_zero_unless_the_variant_has_a_floor() -> None:
    entries = "ones 4 max 11 min 27"
    assert _sums(CLASSIC_5X4, entries).middle == -64
    assert _sums(CLASSIC_5X4, entries).total == 4 - 64
    assert _sums(with_columns(DOWN, middle_floor=True), entries).middle == 0


def test_the_croatian_middle_is_never_below_zero() -> None:
    assert _sums(CROATIAN, "ones 4 max 11 min 27").middle == 0
    assert _sums(CROATIAN, "ones 4 max 27 min 11").middle == 64


def test_the_middle_of_my_yahtzee_is_the_plain_difference_also_below_zero() -> None:
    assert _sums(MY_YAHTZEE, "max 27 min 11").middle == 16
    assert _sums(MY_YAHTZEE, "ones 5 max 11 min 27") == ColumnSums(upper=5, bonus=0, middle=-16, lower=0)


def test_the_plain_difference_needs_no_ones() -> None:
    variant = with_columns(DOWN, middle=Middle.DIFFERENCE)
    assert _sums(variant, "max 27 min 11").middle == 16
    assert _sums(variant, "max 27").middle is None
    assert _sums(with_columns(DOWN, middle=Middle.DIFFERENCE, middle_floor=True), "max 11 min 27").middle == 0


def test_max_and_min_count_in_the_middle_alone() -> None:
    assert _sums(CLASSIC_5X4, "ones 1 max 27 min 11 yamb 90 full 58") == ColumnSums(
        upper=1, bonus=0, middle=16, lower=148
    )


def test_a_column_is_the_sum_of_its_parts_and_the_total_that_of_the_columns() -> None:
    layout = layout_of(CLASSIC_5X4)
    entries = {cell("down sixes"): 30, cell("free yamb"): 90, cell("free ones"): 2}
    sheet = sheet_of(layout, entries)
    assert {kind: sums.total for kind, sums in sums_by_column(layout, sheet).items()} == {
        ColumnKind.DOWN: 30,
        ColumnKind.FREE: 92,
        ColumnKind.UP: 0,
        ColumnKind.ANNOUNCED: 0,
    }
    assert total(layout, sheet) == 122


MAXIMUM_OF_THREE = with_columns(DOWN, FREE, UP, MAXIMUM)


def _maximum(entries: dict[str, int]) -> ColumnSums:
    layout = layout_of(MAXIMUM_OF_THREE)
    sheet = sheet_of(layout, {cell(name): score for name, score in entries.items()})
    return sums_by_column(layout, sheet)[ColumnKind.MAXIMUM]


def test_the_maximum_column_holds_the_best_of_each_row_and_in_min_the_lowest() -> None:
    sums = _maximum(
        {
            "down ones": 3,
            "free ones": 4,
            "down max": 20,
            "up max": 27,
            "down min": 15,
            "free min": 11,
            "up yamb": 0,
        }
    )
    assert sums == ColumnSums(upper=4, bonus=0, middle=64, lower=0)


def test_the_maximum_column_has_a_bonus_of_its_own() -> None:
    sums = _maximum({"down sixes": 30, "free fives": 25, "up threes": 6})
    assert (sums.upper, sums.bonus) == (61, 30)


def test_the_maximum_column_is_empty_while_the_others_are() -> None:
    assert _maximum({}) == ColumnSums(upper=0, bonus=0, middle=None, lower=0)
    assert _maximum({"down max": 20, "down min": 10}).middle is None


def test_the_maximum_column_counts_in_the_total() -> None:
    layout = layout_of(MAXIMUM_OF_THREE)
    assert total(layout, sheet_of(layout, {cell("down yamb"): 90})) == 180


def _with_totals(*totals: int) -> Game:
    game = start(with_columns(HAND), len(totals))
    sheets = tuple(sheet_of(game.layout, {cell("hand yamb"): points}) for points in totals)
    return Game(layout=game.layout, sheets=sheets, pending=game.pending)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ((10,), [(1, 0, 10)]),
        ((10, 20), [(1, 1, 20), (2, 0, 10)]),
        ((10, 10), [(1, 0, 10), (1, 1, 10)]),
        ((5, 9, 9, 12), [(1, 3, 12), (2, 1, 9), (2, 2, 9), (4, 0, 5)]),
        ((9, 12, 5, 12), [(1, 1, 12), (1, 3, 12), (3, 0, 9), (4, 2, 5)]),
        ((0, 0, 0), [(1, 0, 0), (1, 1, 0), (1, 2, 0)]),
        ((-3, 0), [(1, 1, 0), (2, 0, -3)]),
    ],
)
def test_equal_totals_share_the_place_and_the_next_place_is_skipped(
    totals: tuple[int, ...], expected: list[tuple[int, int, int]]
) -> None:
    assert list(standings(_with_totals(*totals))) == expected
