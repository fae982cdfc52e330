"""Undo: the last entry taken back until anybody rolls, with the same dice, and nothing else changed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.actions import Fill, IllegalAction, Reason, Undo
from app.rules.events import Filled, Undone
from app.rules.game import apply, evolve, start
from app.rules.legality import is_over, legal_actions, undo_refusal
from app.rules.notation import parse_game
from app.rules.plain import game_from_plain, game_to_plain, record_from_plain, record_to_plain
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.record import WrongRecord, verify
from app.rules.sheet import total
from app.rules.state import Game, Undoing
from app.rules.variant import Variant
from tests.rules.games import POLICIES, Choose, honest_record, steps
from tests.rules.positions import cell, reason_for
from tests.rules.referee import Referee, is_lawful
from tests.rules.variants import variants
from tests.values import replace


def after(line: str) -> Game:
    """The position at the end of a game in notation."""
    return parse_game(line).last


def without_entry(game: Game) -> Game:
    return replace(game, entry=None)


@settings(max_examples=15, deadline=None)
@given(
    variant=variants(), seats=st.integers(1, 8), seed=st.integers(0, 2**32), choose=st.sampled_from(POLICIES)
)
def test_a_game_with_undos_ends_and_the_referee_agrees(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    first = folded = game = start(variant, seats, Undoing.ENTRY)
    referee = Referee(first.variant, seats)
    for step in steps(variant, seats, seed, choose, undo=Undoing.ENTRY):
        for event in step.events:
            referee.follow(event)
            folded = evolve(folded, event)
        game = step.after
        assert folded == game
        assert game_from_plain(game.variant, game_to_plain(game)) == game
    assert is_over(game)
    assert [total(game.layout, sheet) for sheet in game.sheets] == referee.totals()


@settings(max_examples=15, deadline=None)
@given(variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_undoing_and_filling_again_changes_nothing(variant: Variant, seats: int, seed: int) -> None:
    for step in steps(variant, seats, seed, undo=Undoing.ENTRY):
        if not isinstance(step.action, Fill) or is_over(step.after):
            continue
        undone, events = apply(step.after, Undo())
        assert events == (Undone(step.before.seat),)
        before = without_entry(step.before)
        assert replace(undone, announced=None, pending=()) == replace(before, announced=None, pending=())
        again, _ = apply(undone, step.action)
        assert again == step.after


def test_the_turn_is_as_it_was_before_the_entry() -> None:
    before = after("classic-5x4/2/entry 64313 6....")
    undone = after("classic-5x4/2/entry 64313 6.... free.sixes undo")
    assert undone == before
    assert (undone.seat, undone.roll, undone.undo_seat) == (0, 2, None)


def test_another_cell_can_be_filled_instead() -> None:
    game = after("classic-5x4/2/entry 64313 free.sixes undo free.threes")
    assert game.seat == 1
    assert game.sheets[0].count(None) == len(game.sheets[0]) - 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("classic-5x4/2", Reason.UNDO_OFF),
        ("classic-5x4/2 64313 free.sixes", Reason.UNDO_OFF),
        ("classic-5x4/2/entry", Reason.NOTHING_TO_UNDO),
        ("classic-5x4/2/entry 64313", Reason.NOTHING_TO_UNDO),
        ("classic-5x4/2/entry 64313 announced.ones!", Reason.NOTHING_TO_UNDO),
        ("classic-5x4/2/entry 64313 free.sixes 11111", Reason.NOTHING_TO_UNDO),
        ("classic-5x4/2/entry 64313 free.sixes undo", Reason.NOTHING_TO_UNDO),
        ("classic-5x4/2/entry 64313 announced.ones! 64.13 64..3", Reason.NOTHING_TO_UNDO),
        ("(dice=5;ones;down)/1/entry 11111 down.ones", Reason.GAME_OVER),
    ],
)
def test_what_cannot_be_undone_is_refused_with_its_reason(line: str, reason: Reason) -> None:
    game = after(line)
    assert Undo() not in legal_actions(game)
    assert undo_refusal(game) is reason
    assert reason_for(game, Undo()) is reason


def test_an_entry_that_makes_itself_cannot_be_undone_but_one_before_can() -> None:
    assert after("classic-5x4/1/entry 64313 announced.ones! ..... .....").undo_seat is None
    assert after("classic-5x4/1/entry 64313 announced.ones! ..... announced.ones").undo_seat == 0


def test_what_was_announced_by_filling_stays_announced() -> None:
    game = after("papir/2/entry 643135 announced.ones undo")
    assert game.announced == cell("announced ones")
    assert [binding.cell for binding in game.pending[1]] == [cell("notification ones")]
    assert reason_for(game, Fill(cell("free ones"))) is Reason.OTHER_ANNOUNCED


def test_a_called_seat_is_called_again_after_its_undo() -> None:
    before = after("papir/2/entry 643135 announced.ones 222333")
    assert after("papir/2/entry 643135 announced.ones 222333 notification.ones undo") == before
    assert before.pending[1]


def test_passes_between_are_taken_back_too() -> None:
    """Seat 0 has nothing to fill after seat 1's entry, and passes."""
    table = "(dice=5;ones;announced:1,notification:next:must)/2/entry"
    game = after(f"{table} 11111 announced.ones 11112 notification.ones")
    assert game.seat == 1
    undone, _ = apply(game, Undo())
    assert (undone.turn, undone.seat, undone.roll) == (2, 1, 1)
    assert undone.pending[1]


def test_an_illegal_undo_changes_nothing() -> None:
    game = after("classic-5x4/2/entry 64313")
    with pytest.raises(IllegalAction):
        apply(game, Undo())
    assert game == after("classic-5x4/2/entry 64313")


@pytest.mark.parametrize("variant", [CLASSIC_5X4, PAPIR], ids=lambda variant: variant.id)
def test_the_record_of_a_game_with_undos_is_honest(variant: Variant) -> None:
    record = honest_record(variant, 3, 8, undo=Undoing.ENTRY)
    assert any(isinstance(event, Undone) for event in record.log)
    assert verify(record) == record.final
    assert record_from_plain(record_to_plain(record)) == record


def test_an_undo_that_nobody_could_make_is_found_in_a_record() -> None:
    record = honest_record(CLASSIC_5X4, 2, 9, undo=Undoing.ENTRY)
    place = next(at for at, event in enumerate(record.log) if isinstance(event, Undone))
    with pytest.raises(WrongRecord, match=f"event {place}: undo_off"):
        verify(replace(record, undo=Undoing.OFF))
    other = replace(record.log[place], seat=1 - record.log[place].seat)
    with pytest.raises(WrongRecord, match=f"event {place}: seat"):
        verify(replace(record, log=(*record.log[:place], other, *record.log[place + 1 :])))
    filled = next(at for at, event in enumerate(record.log) if isinstance(event, Filled))
    twice = (*record.log[: filled + 1], Undone(0), Undone(0), *record.log[filled + 1 :])
    with pytest.raises(WrongRecord):
        verify(replace(record, log=twice))


def test_the_referee_of_the_dice_agrees_on_games_without_undo() -> None:
    assert is_lawful(honest_record(CLASSIC_5X4, 2, 10))


def test_a_game_stored_before_there_was_an_undo_is_read_with_none() -> None:
    plain = game_to_plain(start(CLASSIC_5X4, 2))
    del plain["undo"], plain["entry"]
    assert game_from_plain(CLASSIC_5X4, plain) == start(CLASSIC_5X4, 2)
