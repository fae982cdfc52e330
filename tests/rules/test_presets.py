"""What each variant that ships is, and does where it differs from the others."""

from random import Random

import pytest

from app.rules.actions import Announce, Fill, Reason, Roll
from app.rules.events import Announced, Filled, Rolled
from app.rules.game import apply
from app.rules.layout import layout_of
from app.rules.legality import legal_actions, legal_scores
from app.rules.presets import (
    BULGARIAN_4,
    BULGARIAN_6,
    BULGARIAN_8,
    CLASSIC_6X4,
    CLASSIC_6X6,
    CROATIAN,
    MY_YAHTZEE,
    PAPIR,
    PRESETS,
    SWEDISH_5,
    SWEDISH_6,
    SWEDISH_OPTIONAL_COLUMNS,
)
from app.rules.sheet import next_cells
from app.rules.variant import FIXED_ROWS, Cell, ColumnKind, Row, Variant
from tests.rules.positions import cell, position, reason_for, sheet_of
from tests.rules.variants import with_columns

# "Down, Free, Up, Assign", then "Middle" and "Hand"; the columns of Papir by their numbers; "Надолу",
# "Произволно", "Нагоре", "Обявено" and so on; the six of My Yahtzee by their numbers; "Stigande",
# "Fallande", "Fri", "Deklaration".
COLUMNS = {
    "classic-5x4": "down free up announced",
    "classic-6x4": "down free up announced",
    "classic-6x6": "down free up announced from_middle hand",
    "papir": "down free up announced hand notification from_middle ends_in final maximum",
    "papir-solo": "down free up announced hand from_middle ends_in final maximum",
    "bulgarian-4": "down free up announced",
    "bulgarian-6": "down free up announced both_ends from_middle",
    "bulgarian-8": "down free up announced both_ends from_middle every_other late_announced",
    "my-yahtzee": "down free up hand from_middle ends_in",
    "swedish-5": "down up free announced",
    "swedish-6": "down up free announced",
    "croatian": "down up free announced",
}

LOWER_ROWS = {
    "classic": "straight full poker yamb",
    "papir": "straight triling full poker yamb",
    "bulgarian": "straight full poker yamb",
    "my": "triling straight full poker yamb",
    "swedish": "two_pairs straight full poker yamb",
    "croatian": "triling straight full poker yamb",
}

TURNS = {
    "classic-5x4": 48,
    "classic-6x4": 48,
    "classic-6x6": 72,
    "papir": 117,
    "papir-solo": 104,
    "bulgarian-4": 48,
    "bulgarian-6": 72,
    "bulgarian-8": 96,
    "my-yahtzee": 78,
    "swedish-5": 52,
    "swedish-6": 52,
    "croatian": 52,
}


def _named(variant: Variant) -> str:
    return variant.id


SWEDISH_FULL = with_columns(*SWEDISH_5.columns, *SWEDISH_OPTIONAL_COLUMNS, of=SWEDISH_5)


def _next_rows(variant: Variant, kind: ColumnKind, filled: str) -> set[str]:
    """The rows of a column that are next when those named are filled."""
    layout = layout_of(variant)
    sheet = sheet_of(layout, {Cell(kind, Row(row)): 0 for row in filled.split()})
    return {layout.cells[index].row.value for index in next_cells(layout.column_by_kind[kind], sheet)}


@pytest.mark.parametrize("variant", PRESETS, ids=_named)
def test_the_columns_and_rows_of_a_variant_stand_in_the_order_of_its_description(variant: Variant) -> None:
    assert [column.kind.value for column in variant.columns] == COLUMNS[variant.id].split()
    rows = [rule.row.value for rule in variant.rows]
    assert rows == [*FIXED_ROWS, *LOWER_ROWS[variant.id.split("-")[0]].split()]
    assert variant.turns == TURNS[variant.id]


@pytest.mark.parametrize("variant", PRESETS, ids=_named)
def test_only_my_yahtzee_limits_the_dice_that_are_held(variant: Variant) -> None:
    game = position(variant, None, None, dice=(1, 2, 3, 4, 5, 6)[: variant.dice])
    every_die = Roll(tuple(range(variant.dice)))
    expected = Reason.TOO_MANY_HELD if variant is MY_YAHTZEE else None
    assert reason_for(game, every_die) is expected
    assert reason_for(game, Roll(every_die.hold[:5])) is None


def test_a_die_of_my_yahtzee_always_rolls() -> None:
    game = position(MY_YAHTZEE, None, dice=(6, 6, 6, 6, 6, 6))
    holds = [action.hold for action in legal_actions(game) if isinstance(action, Roll)]
    assert max(map(len, holds)) == 5
    assert len(holds) == 2**6 - 1


@pytest.mark.parametrize("variant", [one for one in PRESETS if one.column(ColumnKind.ANNOUNCED)], ids=_named)
def test_only_classic_fills_the_announced_cell_by_itself_after_the_third_roll(variant: Variant) -> None:
    game = position(variant, None, None, dice=(6,) * variant.dice, roll=2, announced="announced yamb")
    _, events = apply(game, Roll(), (6,) * variant.dice)
    assert isinstance(events[0], Rolled)
    filled = [event for event in events if isinstance(event, Filled)]
    assert [event.cell for event in filled] == (
        [cell("announced yamb")] if variant.id.startswith("classic") else []
    )


@pytest.mark.parametrize("variant", [CLASSIC_6X6, BULGARIAN_6, BULGARIAN_8], ids=_named)
def test_from_the_middle_goes_up_from_the_sixes_and_down_from_the_maximum(variant: Variant) -> None:
    kind = ColumnKind.FROM_MIDDLE
    assert _next_rows(variant, kind, "") == {"sixes", "max"}
    assert _next_rows(variant, kind, "max") == {"sixes", "min"}
    assert _next_rows(variant, kind, "sixes fives fours threes twos ones max min") == {"straight"}


@pytest.mark.parametrize("variant", [PAPIR, MY_YAHTZEE, SWEDISH_FULL], ids=_named)
def test_from_the_middle_goes_up_from_max_and_down_from_min(variant: Variant) -> None:
    first_lower = variant.rows[8].row.value
    kind = ColumnKind.FROM_MIDDLE
    assert _next_rows(variant, kind, "") == {"max", "min"}
    assert _next_rows(variant, kind, "min") == {"max", first_lower}
    assert _next_rows(variant, kind, "max") == {"sixes", "min"}


@pytest.mark.parametrize("variant", [PAPIR, MY_YAHTZEE], ids=_named)
def test_ends_in_goes_from_the_top_to_max_and_from_yamb_to_min(variant: Variant) -> None:
    kind = ColumnKind.ENDS_IN
    lower = " ".join(rule.row.value for rule in variant.rows[8:])
    assert _next_rows(variant, kind, "") == {"ones", "yamb"}
    assert _next_rows(variant, kind, "ones twos threes fours fives sixes") == {"max", "yamb"}
    assert _next_rows(variant, kind, lower) == {"ones", "min"}
    assert _next_rows(variant, kind, f"{lower} min") == {"ones"}


def test_the_two_ways_of_both_ends_meet_at_any_row() -> None:
    rows = [rule.row.value for rule in BULGARIAN_6.rows]
    for met in range(len(rows)):
        filled = " ".join([*rows[:met], *rows[met + 1 :]])
        assert _next_rows(BULGARIAN_6, ColumnKind.BOTH_ENDS, filled) == {rows[met]}


def test_both_ends_can_be_filled_in_any_mixture_of_its_two_ways() -> None:
    rows = [rule.row.value for rule in BULGARIAN_6.rows]
    for seed in range(20):
        rng, filled, left = Random(seed), "", list(rows)
        while left:
            assert _next_rows(BULGARIAN_6, ColumnKind.BOTH_ENDS, filled) == {left[0], left[-1]}
            filled += f" {left.pop(rng.choice((0, -1)))}"


def test_every_other_of_twelve_rows_goes_down_by_odd_ones_and_up_by_even_ones() -> None:
    kind = ColumnKind.EVERY_OTHER
    assert _next_rows(BULGARIAN_8, kind, "") == {"ones", "yamb"}
    assert _next_rows(BULGARIAN_8, kind, "ones") == {"threes", "yamb"}
    assert _next_rows(BULGARIAN_8, kind, "yamb full min") == {"ones", "sixes"}
    assert _next_rows(BULGARIAN_8, kind, "ones threes fives max straight poker") == {"yamb"}


def test_every_other_of_thirteen_rows_begins_with_ones_and_poker() -> None:
    kind = ColumnKind.EVERY_OTHER
    assert _next_rows(SWEDISH_FULL, kind, "") == {"ones", "poker"}
    assert _next_rows(SWEDISH_FULL, kind, "poker straight") == {"ones", "min"}
    assert _next_rows(SWEDISH_FULL, kind, "ones threes fives max two_pairs full") == {"yamb", "poker"}


@pytest.mark.parametrize(("variant", "rolls"), [(BULGARIAN_8, {1, 2}), (SWEDISH_FULL, {2})], ids=["1,2", "2"])
def test_a_late_announcement_has_the_window_of_its_description(variant: Variant, rolls: set[int]) -> None:
    for roll in (1, 2, 3):
        game = position(variant, None, None, dice=(2, 3, 4, 5, 6), roll=roll)
        announced = reason_for(game, Announce(cell("late_announced straight"))) is None
        filled = cell("late_announced straight") in legal_scores(game)
        assert announced == filled == (roll in rolls)


def test_a_late_announced_cell_is_filled_after_the_rolls_that_are_left() -> None:
    game = position(BULGARIAN_8, None, None, dice=(2, 3, 4, 5, 5), roll=2)
    game, events = apply(game, Announce(cell("late_announced straight")))
    assert events == (Announced(0, cell("late_announced straight")),)
    game, _ = apply(game, Roll((0, 1, 2, 3)), (1, 1, 1, 1, 6))
    assert legal_actions(game) == (Fill(cell("late_announced straight")),)
    assert legal_scores(game) == {cell("late_announced straight"): 40}


@pytest.mark.parametrize("variant", [CLASSIC_6X6, PAPIR, MY_YAHTZEE, SWEDISH_FULL], ids=_named)
def test_the_hand_column_takes_only_the_first_roll(variant: Variant) -> None:
    for roll in (1, 2, 3):
        game = position(variant, None, None, dice=(1, 2, 3, 4, 5, 6)[: variant.dice], roll=roll)
        is_open = any(one.column is ColumnKind.HAND for one in legal_scores(game))
        assert is_open == (roll == 1)


@pytest.mark.parametrize("variant", [PAPIR, MY_YAHTZEE, SWEDISH_FULL], ids=_named)
def test_a_straight_by_roll_in_the_hand_column_is_worth_the_first_value(variant: Variant) -> None:
    game = position(variant, None, None, dice=(1, 2, 3, 4, 5, 5)[: variant.dice])
    assert legal_scores(game)[cell("hand straight")] == 66


def test_variants_of_one_description_differ_in_dice_and_columns_alone() -> None:
    assert BULGARIAN_4.rows == BULGARIAN_6.rows == BULGARIAN_8.rows
    assert CLASSIC_6X4.rows == CLASSIC_6X6.rows
    assert SWEDISH_5.rows == SWEDISH_6.rows
    assert CROATIAN.rows != SWEDISH_5.rows
