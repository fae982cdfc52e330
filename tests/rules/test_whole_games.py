"""Whole games by chance: each ends, follows every rule by the referee's count, and is the fold of its log."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.actions import Fill
from app.rules.events import Filled
from app.rules.game import evolve, standings, start
from app.rules.legality import can_play, is_over, legal_actions, legal_scores
from app.rules.presets import PRESETS
from app.rules.sheet import total
from app.rules.variant import Variant
from tests.rules.games import POLICIES, Choose, steps
from tests.rules.referee import Referee
from tests.rules.variants import papir_subsets, variants


def _follow(variant: Variant, seats: int, seed: int, choose: Choose) -> None:
    """Plays a game and holds every step and the end against the referee."""
    game = folded = start(variant, seats)
    referee = Referee(game.variant, seats)
    filled = 0
    for step in steps(variant, seats, seed, choose):
        assert step.before == game
        assert can_play(game)
        for event in step.events:
            referee.follow(event)
            folded = evolve(folded, event)
            filled += isinstance(event, Filled)
        game = step.after
        assert folded == game
    assert is_over(game)
    assert filled == seats * game.variant.turns
    assert [total(game.layout, sheet) for sheet in game.sheets] == referee.totals()
    assert sorted((seat, points) for _, seat, points in standings(game)) == list(enumerate(referee.totals()))


@pytest.mark.parametrize(("seats", "choose"), list(enumerate(POLICIES * 2, start=1)))
@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_game_of_a_preset_is_played_by_the_rules_to_its_end(
    variant: Variant, seats: int, choose: Choose
) -> None:
    _follow(variant, seats, seed=seats, choose=choose)


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
    _follow(variant, seats, seed, choose)


@settings(max_examples=15, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 8), seed=st.integers(0, 2**32), choose=st.sampled_from(POLICIES)
)
def test_a_game_of_any_variant_is_played_by_the_rules_to_its_end(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    _follow(variant, seats, seed, choose)


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
