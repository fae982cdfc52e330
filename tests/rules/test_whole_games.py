"""Whole games by chance: each ends, follows every rule by the referee's count, and is the fold of its log."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.actions import Fill
from app.rules.events import Filled
from app.rules.legality import legal_actions, legal_scores
from app.rules.presets import PRESETS
from app.rules.variant import Variant
from tests.rules.choosers import CHOOSERS
from tests.rules.games import POLICIES, Choose, steps
from tests.rules.random_games import follow, follow_any
from tests.rules.variants import papir_subsets, variants


@pytest.mark.parametrize(("seats", "choose"), list(enumerate(POLICIES * 2, start=1)))
@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_game_of_a_preset_is_played_by_the_rules_to_its_end(
    variant: Variant, seats: int, choose: Choose
) -> None:
    follow(variant, seats, seed=seats, choose=choose)


@settings(max_examples=12, deadline=None)
@given(
    variant=papir_subsets(),
    seats=st.integers(1, 8),
    seed=st.integers(0, 2**32),
    choose=st.sampled_from(POLICIES),
)
def test_a_game_of_any_columns_of_papir_is_played_by_the_rules_to_its_end(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    follow(variant, seats, seed, choose)


@pytest.mark.parametrize("seed", range(1, 41))
def test_a_random_game_of_any_variant_is_played_by_the_rules_to_its_end(seed: int) -> None:
    """A quick share: `python3 dev.py bench random-games --games 20000` plays as many as you like."""
    assert follow_any(seed).fills


@settings(max_examples=15, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 8), seed=st.integers(0, 2**32), choose=st.sampled_from(CHOOSERS)
)
def test_a_game_of_any_variant_is_played_by_the_rules_to_its_end(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    follow(variant, seats, seed, choose)


@settings(max_examples=15, deadline=None)
@given(variant=variants(), seats=st.integers(1, 3), seed=st.integers(0, 2**32))
def test_the_scores_shown_are_those_of_exactly_the_legal_fills(
    variant: Variant, seats: int, seed: int
) -> None:
    for step in steps(variant, seats, seed):
        shown = legal_scores(step.before)
        fills = [action.cell for action in legal_actions(step.before) if isinstance(action, Fill)]
        assert list(shown) == fills
        if isinstance(step.action, Fill):
            written = [event for event in step.events if isinstance(event, Filled)]
            assert [(event.cell, event.score) for event in written] == [
                (step.action.cell, shown[step.action.cell])
            ]
