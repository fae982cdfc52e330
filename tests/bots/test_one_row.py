"""A turn spent on one row, held against numbers that others have worked out."""

from math import comb
from random import Random

import pytest

from app.bots.holds import holds_of
from app.bots.one_row import RowTurn, onward, row_scores, usual
from app.rules.dice import FACES, distinct_rolls
from app.rules.variant import Row, RowRule, StraightBySize

STRAIGHT = RowRule(Row.STRAIGHT, straight=StraightBySize(1, 1))


def test_a_yamb_in_three_rolls_of_five_dice_comes_as_often_as_a_yahtzee() -> None:
    """4.6029 %, the well-known number of who rolls for nothing else."""
    turn = RowTurn(RowRule(Row.YAMB, bonus=50), 5, 5, 3)
    scores = row_scores(turn.rule, 5)
    is_yamb = tuple(float(score > 0) for score in scores.scores)
    after_one = map(max, onward(turn, is_yamb)[0], scores.spread(is_yamb, 1))
    assert holds_of(5).means(list(after_one))[0] == pytest.approx(0.046029, abs=0.000001)


def test_a_straight_in_three_rolls_comes_as_often_as_the_large_one_of_yahtzee() -> None:
    """26.11 %, the well-known number of who rolls for nothing else."""
    spent = usual(RowTurn(STRAIGHT, 5, 5, 3))
    assert spent.mean == pytest.approx(0.2611, abs=0.0001)
    assert spent.deviation == pytest.approx((0.2611 * 0.7389) ** 0.5, abs=0.0001)


@pytest.mark.parametrize("dice", [5, 6])
def test_the_best_hold_of_one_roll_is_the_one_found_for_all(dice: int) -> None:
    holds, chance = holds_of(dice), Random(3)
    for max_hold in range(dice + 1):
        # Few values, so that many holds are equal.
        means = [chance.choice((0.0, 1.0, 2.5)) for _ in holds.faces]
        rolls = range(len(holds.faces) - holds.whole)
        assert [holds.best_of(roll, means, max_hold) for roll in rolls] == holds.best(means, max_hold)


@pytest.mark.parametrize(("rolls", "chance"), [(1, 1 / 6), (3, 91 / 216), (5, 1 - (5 / 6) ** 5)])
def test_sixes_come_to_the_chance_of_each_die_alone(rolls: int, chance: float) -> None:
    spent = usual(RowTurn(RowRule(Row.SIXES), 5, 5, rolls))
    assert spent.mean == pytest.approx(30 * chance)
    assert spent.deviation == pytest.approx(6 * (5 * chance * (1 - chance)) ** 0.5)


def test_of_six_sixes_five_count() -> None:
    """Six dice, one roll: the mean of six dice, less one six where all six show it."""
    assert usual(RowTurn(RowRule(Row.SIXES), 6, 6, 1)).mean == pytest.approx(6 - 6 / 6**6)


def test_the_least_of_min_is_as_far_from_its_end_as_the_most_of_max() -> None:
    most, least = (usual(RowTurn(RowRule(row), 6, 5, 3)) for row in (Row.MAX, Row.MIN))
    assert most.mean == pytest.approx(35 - least.mean)


def test_without_holding_a_turn_is_the_best_of_its_rolls() -> None:
    """A straight: 1 in 32.4 (240 of 7776) for each of three rolls."""
    chance = 240 / 7776
    assert usual(RowTurn(STRAIGHT, 5, 0, 3)).mean == pytest.approx(1 - (1 - chance) ** 3)


def test_rolling_on_from_four_sixes_is_worth_a_chance_for_each_roll_that_is_left() -> None:
    turn = RowTurn(RowRule(Row.YAMB, bonus=50), 5, 5, 3)
    of_scores = tuple(1.0 if score == 80 else 0.0 for score in row_scores(turn.rule, 5).scores)
    after_one, after_two = onward(turn, of_scores)
    place = holds_of(5).place_of_roll((6, 1, 6, 6, 6))
    assert after_two[place] == pytest.approx(1 / 6)
    assert after_one[place] == pytest.approx(11 / 36)


@pytest.mark.parametrize("dice", [5, 6])
def test_the_mean_over_a_whole_roll_is_that_of_all_its_outcomes(dice: int) -> None:
    """Each distinct roll counts as often as its dice can be put in order."""
    holds = holds_of(dice)
    values = [float(place**2 % 97) for place in range(len(distinct_rolls(dice)))]
    weighted = 0.0
    for roll, value in zip(distinct_rolls(dice), values, strict=True):
        left, orders = dice, 1
        for face in FACES:
            orders *= comb(left, roll.count(face))
            left -= roll.count(face)
        weighted += orders * value
    assert holds.means(values)[0] == pytest.approx(weighted / 6**dice)


@pytest.mark.parametrize("max_hold", [0, 2, 6])
def test_no_hold_keeps_more_dice_than_allowed_or_others_than_were_rolled(max_hold: int) -> None:
    holds = holds_of(6)
    means = holds.means([float(sum(roll)) for roll in distinct_rolls(6)])
    for roll, hold in zip(distinct_rolls(6), holds.best(means, max_hold), strict=True):
        high = sorted((face for face in roll if face > 3), reverse=True)[:max_hold]
        assert holds.faces[hold] == tuple(sorted(high))
