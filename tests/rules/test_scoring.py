"""Scores: every distinct roll in every row, against the naive scorer."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.dice import distinct_rolls
from app.rules.layout import layout_of
from app.rules.presets import CLASSIC_5X4, MY_YAHTZEE, PAPIR, PRESETS
from app.rules.scoring import counted_faces, score
from app.rules.variant import Row, Variant
from tests.rules import naive_scorer
from tests.rules.naive_scorer import Numbers, naive_score
from tests.rules.variants import numbers_of, variants

NUMBERS_BY_PRESET = {
    "classic-5x4": naive_scorer.CLASSIC,
    "classic-6x4": naive_scorer.CLASSIC,
    "classic-6x6": naive_scorer.CLASSIC,
    "papir": naive_scorer.PAPIR,
    "papir-solo": naive_scorer.PAPIR,
    "bulgarian-4": naive_scorer.BULGARIAN,
    "bulgarian-6": naive_scorer.BULGARIAN,
    "bulgarian-8": naive_scorer.BULGARIAN,
    "my-yahtzee": naive_scorer.MY_YAHTZEE,
    "swedish-5": naive_scorer.SWEDISH,
    "swedish-6": naive_scorer.SWEDISH,
    "croatian": naive_scorer.CROATIAN,
}

# Its description speaks of five dice in the same breath as of six.
FIVE_DICE_YAHTZEE = replace(MY_YAHTZEE, id="test", dice=5)

# One variant of those that differ in their columns alone: they share their scores.
SCORED_APART = {(variant.rows, variant.dice): variant for variant in PRESETS}.values()
SEEDS = (
    *((variant, NUMBERS_BY_PRESET[variant.id]) for variant in SCORED_APART),
    (FIVE_DICE_YAHTZEE, naive_scorer.MY_YAHTZEE),
)


def test_five_dice_have_252_distinct_rolls_and_six_have_462() -> None:
    assert (len(distinct_rolls(5)), len(distinct_rolls(6))) == (252, 462)
    for dice in (5, 6):
        assert set(distinct_rolls(dice)) == {
            tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice)
        }


@pytest.mark.parametrize(("variant", "numbers"), SEEDS)
def test_every_roll_scores_in_every_row_what_its_seed_says(variant: Variant, numbers: Numbers) -> None:
    layout = layout_of(variant)
    for dice, roll in product(distinct_rolls(variant.dice), (1, 2, 3)):
        expected = tuple(naive_score(row.value, dice, roll, numbers) for row in layout.rows)
        assert layout.scores(dice, roll) == expected, (dice, roll)


def test_every_preset_is_among_the_scored() -> None:
    assert {variant.id for variant in PRESETS} == set(NUMBERS_BY_PRESET)


@settings(max_examples=100, deadline=None)
@given(variant=variants(), chance=st.integers(0, 2**32))
def test_any_rows_that_a_variant_can_have_score_alike(variant: Variant, chance: int) -> None:
    numbers = numbers_of(variant)
    every_face = tuple(range(1, variant.dice + 1))
    some = Random(chance).sample(distinct_rolls(variant.dice), 20)
    for shown, roll in product([every_face, *some], (1, 2, 3)):
        for rule in variant.rows:
            expected = naive_score(rule.row.value, shown, roll, numbers)
            assert score(variant, rule.row, shown, roll) == expected, (rule, shown, roll)


@pytest.mark.parametrize("variant", [variant for variant, _ in SEEDS])
def test_counted_faces_are_at_most_five_of_the_dice_and_none_where_the_row_fails(variant: Variant) -> None:
    for dice in distinct_rolls(variant.dice):
        for rule in variant.rows:
            faces = counted_faces(rule, dice)
            assert len(faces) <= 5
            assert all(faces.count(face) <= dice.count(face) for face in faces)
            assert bool(faces) == (score(variant, rule.row, dice, 1) > 0)


@pytest.mark.parametrize("variant", [variant for variant, _ in SEEDS])
def test_the_order_of_the_dice_changes_no_score(variant: Variant) -> None:
    layout = layout_of(variant)
    for dice in distinct_rolls(variant.dice)[::7]:
        turned = (*dice[3:], *reversed(dice[:3]))
        assert layout.scores(turned, 2) == layout.scores(dice, 2)


@pytest.mark.parametrize("roll", [3, 4, 5])
def test_rolls_after_the_third_are_worth_what_the_third_is(roll: int) -> None:
    layout = layout_of(PAPIR)
    assert score(PAPIR, Row.STRAIGHT, (1, 2, 3, 4, 5, 5), roll) == 46
    assert layout.scores((1, 2, 3, 4, 5, 5), roll)[layout.rows.index(Row.STRAIGHT)] == 46


def test_a_row_that_the_variant_has_not_scores_nothing_at_all() -> None:
    with pytest.raises(KeyError):
        score(CLASSIC_5X4, Row.TWO_PAIRS, (1, 1, 2, 2, 3), 1)


def _papir_values() -> dict[str, set[int]]:
    """The lists of the description of Yamb Papir, its section 4."""
    return {
        "ones": {0, 1, 2, 3, 4, 5},
        "twos": {0, 2, 4, 6, 8, 10},
        "threes": {0, 3, 6, 9, 12, 15},
        "fours": {0, 4, 8, 12, 16, 20},
        "fives": {0, 5, 10, 15, 20, 25},
        "sixes": {0, 6, 12, 18, 24, 30},
        "max": set(range(5, 31)),
        "min": set(range(5, 31)),
        "straight": {0, 46, 56, 66},
        "triling": {0, 33, 36, 39, 42, 45, 48},
        "full": {0} | set(range(37, 59)) - {40, 55},
        "poker": {0, 44, 48, 52, 56, 60, 64},
        "yamb": {0, 55, 60, 65, 70, 75, 80},
    }


def test_the_scores_of_papir_are_the_allowed_values_of_its_description() -> None:
    layout = layout_of(PAPIR)
    rolled = [layout.scores(dice, roll) for dice, roll in product(distinct_rolls(6), (1, 2, 3))]
    reached = {row.value: {scores[place] for scores in rolled} for place, row in enumerate(layout.rows)}
    assert reached == _papir_values()
