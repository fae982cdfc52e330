"""`apply` refuses exactly what `legal_actions` doesn't list, and a refusal changes nothing."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.actions import Action, Announce, Fill, IllegalAction, Roll
from app.rules.game import apply
from app.rules.legality import (
    announceable_cells,
    can_play,
    is_over,
    legal_actions,
    legal_cells,
    legal_scores,
    roll_refusal,
)
from app.rules.plain import game_to_plain
from app.rules.presets import PAPIR, PRESETS
from app.rules.state import Game
from app.rules.variant import Cell, ColumnKind, Row, Variant
from tests.rules.games import POLICIES, Choose, steps
from tests.rules.positions import position
from tests.rules.variants import variants

EVERY_CELL = [Cell(kind, row) for kind, row in product(ColumnKind, Row)]
WRONG_HOLDS = ((-1,), (5,), (6,), (0, 0), (1, 0), (0, 1, 1), (0, 7), (10**9,), (0, 1, 2, 3, 4, 5, 6))


def _conceivable_actions(dice: int) -> Iterator[Action]:
    for size in range(dice + 1):
        yield from map(Roll, combinations(range(dice), size))
    yield from map(Roll, (hold for hold in WRONG_HOLDS if hold != (5,) or dice == 5))
    yield from map(Announce, EVERY_CELL)
    yield from map(Fill, EVERY_CELL)


def _is_legal(game: Game, action: Action) -> bool:
    try:
        apply(game, action, (1, 2, 3, 4, 5, 6)[: game.variant.dice])
    except IllegalAction:
        return False
    return True


def _positions(variant: Variant, seats: int, seed: int, choose: Choose) -> list[Game]:
    """Some positions of a game, its end among them."""
    played = list(steps(variant, seats, seed, choose))
    chosen = Random(seed).sample(played, min(6, len(played)))
    return [played[0].before, *(step.before for step in chosen), played[-1].after]


def _hold(game: Game) -> None:
    listed = legal_actions(game)
    assert len(set(listed)) == len(listed)
    plain = deepcopy(game_to_plain(game))
    for action in _conceivable_actions(game.variant.dice):
        assert _is_legal(game, action) == (action in listed), (action, game)
    assert game_to_plain(game) == plain


# Every policy with papir, whose columns are of almost every kind; with the others one after the other.
WITH_POLICIES = [
    (variant, choose)
    for place, variant in enumerate(PRESETS)
    for turn, choose in enumerate(POLICIES)
    if variant is PAPIR or turn == place % len(POLICIES)
]


@pytest.mark.parametrize(
    ("variant", "choose"), WITH_POLICIES, ids=lambda it: getattr(it, "id", None) or it.__name__
)
def test_apply_refuses_exactly_what_is_not_listed_in_games_of_a_preset(
    variant: Variant, choose: Choose
) -> None:
    for game in _positions(variant, 3, 11, choose):
        _hold(game)


@settings(max_examples=20, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32), choose=st.sampled_from(POLICIES)
)
def test_apply_refuses_exactly_what_is_not_listed_in_games_of_any_variant(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    for game in _positions(variant, seats, seed, choose):
        _hold(game)


@settings(max_examples=15, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32), choose=st.sampled_from(POLICIES)
)
def test_until_the_game_is_over_some_action_is_legal_and_afterwards_none(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    step = None
    for step in steps(variant, seats, seed, choose):
        assert legal_actions(step.before)
        assert bool(legal_scores(step.before)) == bool(legal_cells(step.before))
    assert step is not None
    assert is_over(step.after)
    assert legal_actions(step.after) == ()
    assert (legal_cells(step.after), announceable_cells(step.after)) == ((), ())
    assert roll_refusal(step.after) is not None
    assert not can_play(step.after)


def test_cells_are_listed_in_sheet_order() -> None:
    game = position(PAPIR, None, None, dice=(1, 2, 3, 4, 5, 6))
    assert list(legal_cells(game)) == sorted(legal_cells(game))
    assert list(announceable_cells(game)) == sorted(announceable_cells(game))
    bound = position(PAPIR, None, None, dice=(1,) * 6, bound={0: [("yamb", 1), ("ones", 1)]})
    assert list(legal_cells(bound)) == sorted(legal_cells(bound))
