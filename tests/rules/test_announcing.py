"""Announcing, sentence by sentence (docs/rules.md, Announcing)."""

import pytest

from app.rules.actions import Announce, Fill, Reason, Roll
from app.rules.events import Announced, Filled
from app.rules.game import apply
from app.rules.legality import announceable_cells, legal_actions, legal_cells, roll_refusal
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.state import Binding, Game
from app.rules.variant import Cell, Column, ColumnKind
from tests.rules.positions import cell, position, reason_for
from tests.rules.variants import (
    ANNOUNCED,
    FREE,
    LATE,
    LATE_SWEDISH,
    NOTIFICATION,
    NOTIFICATION_MAY,
    with_columns,
)
from tests.values import replace

DICE = (1, 2, 3, 4, 5)


def _announceable(game: Game) -> set[Cell]:
    return {game.layout.cells[index] for index in announceable_cells(game)}


def _legal(game: Game) -> set[Cell]:
    return {game.layout.cells[index] for index in legal_cells(game)}


@pytest.mark.parametrize(
    ("column", "rolls"),
    [(ANNOUNCED, {1}), (LATE, {1, 2}), (LATE_SWEDISH, {2})],
    ids=["announced", "late", "swedish"],
)
def test_cells_can_be_announced_in_the_window_of_their_column_alone(column: Column, rolls: set[int]) -> None:
    variant = with_columns(FREE, column)
    for roll in range(4):
        game = position(variant, None, dice=DICE if roll else (), roll=roll)
        expected = {Cell(column.kind, rule.row) for rule in variant.rows} if roll in rolls else set()
        assert _announceable(game) == expected


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_after_announcing_that_cell_is_the_only_legal_one_whatever_the_dice_become(roll: int) -> None:
    game = position(CLASSIC_5X4, None, dice=DICE, roll=roll, announced="announced yamb")
    assert _legal(game) == {cell("announced yamb")}
    assert not _announceable(game)


def test_an_announced_cell_may_be_filled_before_the_third_roll_also_at_once() -> None:
    game = position(CLASSIC_5X4, None, None, dice=DICE, roll=1)
    game, _ = apply(game, Announce(cell("announced straight")))
    assert Fill(cell("announced straight")) in legal_actions(game)
    _, events = apply(game, Fill(cell("announced straight")))
    assert events == (Filled(0, cell("announced straight"), 45),)


def test_an_announcement_uses_no_roll() -> None:
    game = position(CLASSIC_5X4, None, dice=DICE)
    after, events = apply(game, Announce(cell("announced ones")))
    assert events == (Announced(0, cell("announced ones")),)
    assert (after.roll, after.dice, after.seat) == (1, DICE, 0)
    assert roll_refusal(after) is None


def test_an_announced_cell_can_not_be_filled_without_announcing_after_the_window() -> None:
    game = position(CLASSIC_5X4, None, dice=DICE, roll=2)
    assert reason_for(game, Fill(cell("announced straight"))) is Reason.NOT_ANNOUNCED


@pytest.mark.parametrize("roll", [1, 2])
def test_filling_a_late_announced_cell_in_its_window_is_announcing_and_filling_in_one(roll: int) -> None:
    game = position(with_columns(FREE, LATE), None, dice=DICE, roll=roll)
    _, events = apply(game, Fill(cell("late_announced straight")))
    assert events == (
        Announced(0, cell("late_announced straight")),
        Filled(0, cell("late_announced straight"), 45),
    )


def test_filling_an_announced_cell_after_roll_one_binds_the_next_seat_like_any_announcement() -> None:
    game = position(PAPIR, None, None, None, dice=(6, 6, 6, 1, 2, 3))
    after, events = apply(game, Fill(cell("announced sixes")))
    assert events == (Announced(0, cell("announced sixes")), Filled(0, cell("announced sixes"), 18))
    assert after.seat == 1
    assert after.pending == ((), (Binding(cell("notification sixes"), by=0),), ())


def test_a_late_announcement_binds_nobody() -> None:
    variant = with_columns(ANNOUNCED, LATE, NOTIFICATION)
    game = position(variant, None, None, dice=DICE)
    after, _ = apply(game, Announce(cell("late_announced sixes")))
    assert after.pending == ((), ())


def test_only_one_of_the_two_announcing_columns_can_be_announced_in_a_turn() -> None:
    variant = with_columns(ANNOUNCED, LATE)
    game, _ = apply(position(variant, None, dice=DICE), Announce(cell("announced ones")))
    assert reason_for(game, Announce(cell("late_announced ones"))) is Reason.ALREADY_ANNOUNCED


def test_a_turn_bound_by_a_duty_has_no_announcement() -> None:
    bound = position(PAPIR, None, None, dice=(1, 2, 3, 4, 5, 6), bound={0: [("ones", 1)]})
    assert not _announceable(bound)
    assert reason_for(bound, Announce(cell("announced ones"))) is Reason.BOUND


def test_a_turn_that_may_play_a_notification_may_announce_instead() -> None:
    variant = with_columns(ANNOUNCED, NOTIFICATION_MAY)
    game = position(variant, None, None, dice=DICE, bound={0: [("ones", 1)]})
    assert cell("announced ones") in _announceable(game)
    game, _ = apply(game, Announce(cell("announced twos")))
    assert _legal(game) == {cell("announced twos")}


def test_held_dice_play_no_part_in_announcing() -> None:
    game = position(CLASSIC_5X4, None, dice=DICE)
    held = replace(game, held=(0, 1))
    assert announceable_cells(game) == announceable_cells(held)


def test_after_the_announcement_all_dice_may_be_rolled_again() -> None:
    game = position(CLASSIC_5X4, None, dice=DICE, announced="announced sixes")
    assert reason_for(game, Roll()) is None


def test_no_other_column_has_cells_to_announce() -> None:
    game = position(PAPIR, None, None, dice=(1, 2, 3, 4, 5, 6))
    assert {cell.column for cell in _announceable(game)} == {ColumnKind.ANNOUNCED}
