"""A turn: rolls, holds, filling, passing, the end (docs/rules.md, A turn)."""

import pytest

from app.rules.actions import Fill, Reason, Roll
from app.rules.events import Announced, Filled, Passed, Rolled
from app.rules.game import MAX_SEATS, apply, start
from app.rules.legality import can_play, is_over, legal_actions, legal_scores, roll_refusal, rolls_allowed
from app.rules.notation import parse_game
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.variant import Column, ColumnKind, Row
from tests.rules.positions import cell, position, reason_for
from tests.rules.variants import ANNOUNCED, DOWN, FREE, HAND, LATE, LATE_SWEDISH, UP, with_columns
from tests.values import replace


def test_a_turn_begins_with_a_roll_of_every_die_and_nothing_else() -> None:
    assert legal_actions(start(CLASSIC_5X4, 2)) == (Roll(),)


def test_held_dice_stay_and_the_others_take_the_drawn_faces_of_their_positions() -> None:
    game = position(CLASSIC_5X4, None, None, dice=(6, 6, 1, 3, 6))
    after, events = apply(game, Roll((0, 1, 4)), (1, 2, 3, 4, 5))
    assert events == (Rolled(0, 2, (6, 6, 3, 4, 6), (0, 1, 4)),)
    assert (after.dice, after.held, after.roll) == ((6, 6, 3, 4, 6), (0, 1, 4), 2)


def test_every_die_may_be_held_and_none() -> None:
    game = position(CLASSIC_5X4, None, dice=(6, 6, 1, 3, 6))
    assert apply(game, Roll((0, 1, 2, 3, 4)), (1, 1, 1, 1, 1))[0].dice == (6, 6, 1, 3, 6)
    assert apply(game, Roll(), (1, 1, 1, 1, 1))[0].dice == (1, 1, 1, 1, 1)


def test_a_die_that_was_held_before_may_be_rolled_again() -> None:
    game = replace(position(CLASSIC_5X4, None, dice=(6, 6, 1, 3, 6), roll=2), held=(0, 1))
    assert apply(game, Roll((4,)), (2, 2, 2, 2, 2))[0].dice == (2, 2, 2, 2, 6)


@pytest.mark.parametrize("drawn", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 7)])
def test_a_roll_takes_a_face_from_one_to_six_for_every_die(drawn: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="5 faces from 1 to 6"):
        apply(start(CLASSIC_5X4, 1), Roll(), drawn)


def test_after_each_roll_a_cell_may_be_filled_and_after_the_third_one_must() -> None:
    for roll, reason in ((1, None), (2, None), (3, Reason.NO_ROLLS_LEFT)):
        game = position(CLASSIC_5X4, None, dice=(1, 2, 3, 4, 5), roll=roll)
        assert legal_scores(game)[cell("free straight")] == 45
        assert roll_refusal(game) is reason


def test_the_score_is_what_the_dice_give_and_zero_crosses_out() -> None:
    game = position(CLASSIC_5X4, None, None, dice=(1, 2, 3, 4, 6), roll=2)
    after, events = apply(game, Fill(cell("free straight")))
    assert events == (Filled(0, cell("free straight"), 0),)
    assert (after.seat, after.turn, after.roll, after.dice, after.held) == (1, 2, 0, (), ())


def test_two_held_dice_are_allowed_where_the_variant_allows_two() -> None:
    game = position(with_columns(FREE, max_hold=2), None, dice=(1, 2, 3, 4, 5))
    assert reason_for(game, Roll((1, 4))) is None
    assert reason_for(game, Roll((1, 2, 4))) is Reason.TOO_MANY_HELD
    holds = [action.hold for action in legal_actions(game) if isinstance(action, Roll)]
    assert sorted(map(len, holds)) == [0] + [1] * 5 + [2] * 10


def test_with_only_announced_cells_left_one_must_announce_before_rolling_again() -> None:
    game = position(CLASSIC_5X4, ["announced full", "announced yamb"], dice=(1, 2, 3, 4, 5))
    assert roll_refusal(game) is Reason.NOTHING_TO_ROLL_FOR
    announced = replace(game, announced=cell("announced full"))
    assert roll_refusal(announced) is None


def test_with_only_hand_cells_left_the_first_roll_is_the_only_one() -> None:
    game = position(with_columns(FREE, HAND), ["hand full"], dice=(1, 2, 3, 4, 5))
    assert roll_refusal(game) is Reason.NOTHING_TO_ROLL_FOR


@pytest.mark.parametrize(("late", "refused_after"), [(LATE, 2), (LATE_SWEDISH, 2)])
def test_with_only_late_announced_cells_left_the_roll_is_refused_after_their_window(
    late: Column, refused_after: int
) -> None:
    for roll in (1, 2):
        game = position(with_columns(FREE, late), ["late_announced full"], dice=(1, 2, 3, 4, 5), roll=roll)
        expected = Reason.NOTHING_TO_ROLL_FOR if roll == refused_after else None
        assert roll_refusal(game) is expected


def test_five_rolls_for_the_last_cell_where_the_variant_allows_them() -> None:
    variant = with_columns(DOWN, last_cell_rolls=5)
    assert rolls_allowed(position(variant, ["down poker", "down yamb"])) == 3
    game = position(variant, ["down yamb"], dice=(1, 2, 3, 4, 5), roll=4)
    assert rolls_allowed(game) == 5
    assert roll_refusal(game) is None
    assert roll_refusal(replace(game, roll=5)) is Reason.NO_ROLLS_LEFT


def test_the_cells_of_the_maximum_column_are_no_last_cell() -> None:
    variant = with_columns(DOWN, Column(ColumnKind.MAXIMUM), last_cell_rolls=5)
    assert rolls_allowed(position(variant, ["down yamb"])) == 5


def test_a_straight_as_last_cell_after_roll_five_is_worth_what_the_third_roll_gives() -> None:
    variant = with_columns(UP, of=PAPIR, last_cell_rolls=5)
    game = position(variant, ["up straight"], dice=(1, 2, 3, 4, 5, 5), roll=5)
    assert legal_scores(game) == {cell("up straight"): 46}


def test_a_last_announced_cell_must_be_announced_before_its_five_rolls() -> None:
    game = position(
        with_columns(ANNOUNCED, last_cell_rolls=5, auto_fill=True), ["announced yamb"], dice=(1, 2, 3, 4, 5)
    )
    assert roll_refusal(game) is Reason.NOTHING_TO_ROLL_FOR
    game = replace(game, announced=cell("announced yamb"), roll=4)
    after, events = apply(game, Roll((0, 1, 2, 3, 4)), (6, 6, 6, 6, 6))
    assert isinstance(events[-1], Filled)
    assert is_over(after)


def test_a_seat_whose_sheet_is_full_passes_until_the_others_are_done() -> None:
    game = position(CLASSIC_5X4, ["down poker", "down yamb"], [], [], dice=(1, 1, 1, 1, 1), roll=3)
    after, events = apply(game, Fill(cell("down poker")))
    assert events == (Filled(0, cell("down poker"), 54), Passed(1), Passed(2))
    assert (after.seat, after.turn, after.round, after.rounds) == (0, 4, 48, 48)


def test_a_pass_counts_as_the_seats_turn_so_that_no_two_turns_share_their_dice() -> None:
    game = position(CLASSIC_5X4, ["down poker", "down yamb"], [], dice=(1, 1, 1, 1, 1), roll=3)
    after, _ = apply(game, Fill(cell("down poker")))
    assert (game.seat_turn, after.seat_turn) == (1, 2)


def test_a_pass_is_no_round() -> None:
    """The second seat is called upon and plays, the first has nothing to play and passes meanwhile."""
    game = parse_game(
        "(dice=5;ones;down,announced:1,notification:next:must;middle=difference)/2 "
        "11111 announced.ones 11111 notification.ones 22222 down.ones 22222 down.ones 33333 announced.ones"
    ).last
    assert (game.turn, game.seat_turn) == (7, 4)
    assert (game.seat, game.round, game.rounds) == (0, 3, 3)


def test_the_game_is_over_when_no_seat_has_a_playable_empty_cell() -> None:
    game = position(CLASSIC_5X4, ["free yamb"], [], dice=(1, 1, 1, 1, 1), roll=1)
    after, events = apply(game, Fill(cell("free yamb")))
    assert events == (Filled(0, cell("free yamb"), 65),)
    assert is_over(after)
    assert legal_actions(after) == ()
    assert not can_play(after)
    assert legal_scores(after) == {}


@pytest.mark.parametrize("seats", [0, -1, MAX_SEATS + 1])
def test_a_game_has_one_to_eight_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="1 to 8 seats"):
        start(CLASSIC_5X4, seats)


def test_after_the_last_roll_the_announced_cell_fills_itself_where_the_variant_says_so() -> None:
    game = position(CLASSIC_5X4, None, None, dice=(6, 6, 1, 3, 6), roll=2, announced="announced sixes")
    after, events = apply(game, Roll((0, 1, 4)), (6, 6, 6, 6, 2))
    assert events == (Rolled(0, 3, (6, 6, 6, 6, 6), (0, 1, 4)), Filled(0, cell("announced sixes"), 30))
    assert after.seat == 1


def test_before_the_last_roll_nothing_fills_itself() -> None:
    game = position(CLASSIC_5X4, None, None, dice=(6, 6, 1, 3, 6), roll=1, announced="announced sixes")
    assert len(apply(game, Roll(), (6, 6, 6, 6, 2))[1]) == 1


def test_without_auto_fill_the_player_fills_the_announced_cell_himself() -> None:
    game = position(PAPIR, None, None, dice=(6, 6, 1, 3, 6, 1), roll=2, announced="announced sixes")
    after, events = apply(game, Roll(), (6, 6, 6, 6, 2, 1))
    assert events == (Rolled(0, 3, (6, 6, 6, 6, 2, 1), ()),)
    assert legal_actions(after) == (Fill(cell("announced sixes")),)


def test_hand_cells_are_open_after_the_first_roll_alone() -> None:
    variant = with_columns(DOWN, HAND)
    by_roll = [
        {cell.column for cell in legal_scores(position(variant, None, dice=(1, 1, 1, 1, 1), roll=roll))}
        for roll in (1, 2, 3)
    ]
    down, hand = ColumnKind.DOWN, ColumnKind.HAND
    assert by_roll == [{down, hand}, {down}, {down}]


def test_the_final_column_opens_from_the_top_when_every_other_playable_cell_is_filled() -> None:
    final = [f"final {rule.row}" for rule in PAPIR.rows]
    dice = (1, 1, 2, 2, 3, 3)
    assert set(legal_scores(position(PAPIR, [*final, "down yamb"], [], dice=dice))) == {cell("down yamb")}
    assert legal_scores(position(PAPIR, final, [], dice=dice)) == {cell("final ones"): 2}
    assert legal_scores(position(PAPIR, final[8:], [], dice=dice)) == {cell("final straight"): 0}


def test_the_final_column_waits_for_columns_on_either_side_of_it() -> None:
    variant = with_columns(UP, Column(ColumnKind.FINAL), DOWN)
    for waiting in ("up ones", "down yamb"):
        assert set(legal_scores(position(variant, [waiting, "final yamb"], dice=(1, 1, 1, 1, 1)))) == {
            cell(waiting)
        }


def test_a_seat_can_not_play_when_the_rolls_that_would_open_its_cells_are_over() -> None:
    variant = with_columns(FREE, HAND)
    assert can_play(position(variant, ["hand ones"]))
    assert can_play(position(variant, ["hand ones"], dice=(1, 1, 1, 1, 1), roll=1))
    assert not can_play(position(variant, ["hand ones"], dice=(1, 1, 1, 1, 1), roll=2))


def test_five_of_six_dice_count_the_best_for_the_row() -> None:
    scores = legal_scores(position(PAPIR, None, None, dice=(6, 6, 6, 6, 6, 6), roll=1))
    assert scores[cell("free sixes")] == 30
    assert scores[cell("free max")] == 30
    assert cell("free min") in scores
    assert legal_scores(position(PAPIR, None, None, dice=(1, 6, 2, 6, 3, 6)))[cell("free min")] == 18
    assert Row.MIN in {cell.row for cell in scores}


def test_announcing_and_filling_in_one_shows_both_events() -> None:
    game = position(CLASSIC_5X4, None, None, dice=(6, 6, 6, 6, 6))
    _, events = apply(game, Fill(cell("announced yamb")))
    assert events == (Announced(0, cell("announced yamb")), Filled(0, cell("announced yamb"), 90))
