"""The score panel: points and shares of the parts, and the perfect game of every preset."""

import pytest

from app.rules.game import start
from app.rules.panel import Panel, PanelPart, panel, perfect_game
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESET_BY_ID, PRESETS
from app.rules.variant import Variant
from tests.rules.games import anything, steps
from tests.rules.variants import FREE, with_columns
from tests.values import replace

# Upper, middle, lower, total.
PERFECT_GAMES = {
    # A column of any preset with all six numbers and the product in the middle: five of each face are
    # 5 * (1+2+3+4+5+6) = 105, and 30 for the bonus: 135. Five sixes less five ones, times five ones:
    # (30 - 5) * 5 = 125. Classic's lower part: straight 50, full 6+6+6+5+5 + 40 = 68, poker 24 + 50 = 74,
    # yamb 30 + 60 = 90: 282. Four columns: 540, 500, 1128.
    "classic-5x4": (540, 500, 1128, 2168),
    "classic-6x4": (540, 500, 1128, 2168),
    # Six columns. Straights score by size, so that hand costs nothing.
    "classic-6x6": (810, 750, 1692, 3252),
    # Ten columns, the maximum column like any. Straight 66 (hand fills after roll 1, the others may), triling
    # 18 + 30 = 48, full 28 + 30 = 58, poker 24 + 40 = 64, yamb 30 + 50 = 80: 316. So 1350, 1250, 3160.
    "papir": (1350, 1250, 3160, 5760),
    "papir-solo": (1215, 1125, 2844, 5184),
    # 105 points are above 90: 60. Lower: straight 40, full 58, poker 64, yamb 80: 242.
    "bulgarian-4": (660, 500, 968, 2128),
    "bulgarian-6": (990, 750, 1452, 3192),
    "bulgarian-8": (1320, 1000, 1936, 4256),
    # Six columns. No bonus: 105; max - min: 25. Triling 30 + 20 = 50, straight 66, full 58, poker
    # 30 + 40 = 70, yamb 80: 324.
    "my-yahtzee": (630, 150, 1944, 2724),
    # Two pairs 6+6+5+5 + 10 = 32, straight 66, full 58, poker 64, yamb 80: 300.
    "swedish-5": (540, 500, 1200, 2240),
    "swedish-6": (540, 500, 1200, 2240),
    # Triling 18 + 10 = 28, straight 45, full 58, poker 64, yamb 80: 275.
    "croatian": (540, 500, 1100, 2140),
}


def test_the_perfect_games_are_the_numbers_written_down() -> None:
    two_seats = {variant.id: perfect_game(start(variant, 2)) for variant in PRESETS}
    assert {name: two_seats[name] for name in PERFECT_GAMES} == PERFECT_GAMES


def test_the_perfect_game_is_that_of_the_variant_as_the_table_plays_it() -> None:
    assert perfect_game(start(PAPIR, 1)) == PERFECT_GAMES["papir-solo"]


def test_an_empty_sheet_has_nothing_and_everything_before_it() -> None:
    shown = panel(start(CLASSIC_5X4, 1), 0)
    assert shown == Panel(*(PanelPart(0, points, points) for points in PERFECT_GAMES["classic-5x4"]))
    assert (shown.total.now_share, shown.total.attainable_share) == (0, 1)


@pytest.mark.parametrize(
    "variant", [PRESET_BY_ID["papir"], PRESET_BY_ID["bulgarian-4"]], ids=lambda one: one.id
)
def test_shares_are_between_nothing_and_all_in_a_whole_game(variant: Variant) -> None:
    for step in list(steps(variant, 2, 11, anything))[::5]:
        for seat in (0, 1):
            shown = panel(step.after, seat)
            for part in (shown.upper, shown.middle, shown.lower, shown.total):
                assert 0 <= part.now_share <= 1
                assert 0 <= part.attainable_share <= 1


def test_points_below_zero_are_no_share() -> None:
    assert PanelPart(-8, -8, 500).now_share == 0
    assert PanelPart(-8, -8, 500).attainable_share == 0


def test_a_part_that_the_sheet_does_not_have_has_nothing_of_everything() -> None:
    lower_only = with_columns(FREE, rows=CLASSIC_5X4.rows[8:], bonus_steps=())
    lower_only = replace(lower_only, middle=PRESET_BY_ID["my-yahtzee"].middle)
    shown = panel(start(lower_only, 1), 0)
    assert shown.upper == shown.middle == PanelPart(0, 0, 0)
    assert shown.upper.attainable_share == 0
    assert shown.lower.attainable_share == 1
