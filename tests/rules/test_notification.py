"""The notification column, sentence by sentence (docs/rules.md, Notification)."""

from itertools import product

import pytest

from app.rules.actions import Announce, Fill, Roll
from app.rules.events import Passed
from app.rules.game import apply, evolve, start
from app.rules.legality import legal_cells, legal_scores, must_fill, roll_refusal
from app.rules.presets import CLASSIC_5X4, PAPIR, PAPIR_SOLO, PRESET_BY_ID, for_seats
from app.rules.state import Binding, Game
from app.rules.variant import Cell, ColumnKind, Variant
from tests.rules.games import steps, unevenly
from tests.rules.positions import cell, position
from tests.rules.variants import (
    ANNOUNCED,
    FREE,
    NOTIFICATION,
    NOTIFICATION_ALL,
    NOTIFICATION_ALL_MAY,
    NOTIFICATION_MAY,
    with_columns,
)
from tests.values import replace

DICE = (1, 2, 3, 4, 5)
NEXT = with_columns(FREE, ANNOUNCED, NOTIFICATION)
NEXT_MAY = with_columns(FREE, ANNOUNCED, NOTIFICATION_MAY)
ALL = with_columns(FREE, ANNOUNCED, NOTIFICATION_ALL)
ALL_MAY = with_columns(FREE, ANNOUNCED, NOTIFICATION_ALL_MAY)
ROWS = [rule.row.value for rule in CLASSIC_5X4.rows]
EVERY_NOTIFICATION = [f"notification {row}" for row in ROWS]


def _legal(game: Game) -> set[Cell]:
    return {game.layout.cells[index] for index in legal_cells(game)}


def _bound_rows(game: Game) -> list[list[tuple[str, int]]]:
    return [[(binding.cell.row.value, binding.by) for binding in bindings] for bindings in game.pending]


def _announce(variant: Variant, seats: int, seat: int, row: str = "sixes") -> Game:
    game = position(variant, *[None] * seats, seat=seat, dice=DICE)
    return apply(game, Announce(cell(f"announced {row}")))[0]


@pytest.mark.parametrize(("seat", "bound"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_an_announcement_binds_the_next_seat_in_turn_order(seat: int, bound: int) -> None:
    assert [len(bindings) for bindings in _bound_rows(_announce(NEXT, 4, seat))] == [
        int(other == bound) for other in range(4)
    ]


def test_an_announcement_can_bind_every_other_seat() -> None:
    assert _bound_rows(_announce(ALL, 4, 1)) == [[("sixes", 1)], [], [("sixes", 1)], [("sixes", 1)]]


def test_where_the_bound_cell_is_filled_already_the_announcement_binds_nothing_for_that_seat() -> None:
    game = position(ALL, None, ["notification ones"], None, dice=DICE)
    after, _ = apply(game, Announce(cell("announced sixes")))
    assert _bound_rows(after) == [[], [], [("sixes", 0)]]


def test_a_seat_that_must_has_only_that_row_of_its_notification_column_after_each_roll() -> None:
    for roll in (1, 2, 3):
        game = position(NEXT, None, None, dice=(6, 6, 1, 1, 1), roll=roll, bound={0: [("sixes", 1)]})
        assert legal_scores(game) == {cell("notification sixes"): 12}
        assert must_fill(game) == (Binding(cell("notification sixes"), 1),)
        assert (roll_refusal(game) is None) == (roll < 3)


def test_a_seat_that_must_writes_zero_where_its_dice_fail() -> None:
    game = position(NEXT, None, None, dice=DICE, roll=3, bound={0: [("yamb", 1)]})
    assert legal_scores(game) == {cell("notification yamb"): 0}


def test_a_seat_that_may_has_one_more_legal_cell() -> None:
    bound = position(NEXT_MAY, None, None, dice=DICE, roll=2, bound={0: [("sixes", 1)]})
    free = position(NEXT_MAY, None, None, dice=DICE, roll=2)
    assert _legal(bound) == _legal(free) | {cell("notification sixes")}
    assert must_fill(bound) == ()


def test_what_a_seat_may_lapses_with_its_turn() -> None:
    game = position(NEXT_MAY, None, None, dice=DICE, bound={0: [("sixes", 1)]})
    after, _ = apply(game, Fill(cell("free ones")))
    assert _bound_rows(after) == [[], []]


def test_what_counts_is_the_announcement_and_not_its_result() -> None:
    game = _announce(NEXT, 2, 0, row="yamb")
    after, _ = apply(game, Fill(cell("announced yamb")))
    assert _legal(replace(after, dice=DICE, roll=1)) == {cell("notification yamb")}


def test_playing_a_notification_binds_nobody() -> None:
    game = position(ALL, None, None, None, dice=DICE, bound={0: [("sixes", 1)]})
    after, _ = apply(game, Fill(cell("notification sixes")))
    assert _bound_rows(after) == [[], [], []]


def test_two_announcements_of_two_rows_leave_the_choice_and_the_other_lapses() -> None:
    bound = {0: [("sixes", 1), ("ones", 2)]}
    game = position(ALL, None, None, None, dice=DICE, bound=bound)
    assert _legal(game) == {cell("notification ones"), cell("notification sixes")}
    after, _ = apply(game, Fill(cell("notification ones")))
    assert _bound_rows(after) == [[], [], []]


@pytest.mark.parametrize("variant", [ALL, ALL_MAY], ids=["must", "may"])
def test_two_announcements_of_one_row_open_one_cell(variant: Variant) -> None:
    game = position(variant, None, None, None, dice=DICE, bound={0: [("sixes", 1), ("sixes", 2)]})
    notified = [cell for cell in legal_scores(game) if cell.column is ColumnKind.NOTIFICATION]
    assert notified == [cell("notification sixes")]
    assert len(legal_cells(game)) == len(set(legal_cells(game)))


def test_a_notification_cell_for_which_no_announcement_can_come_any_more_opens_freely() -> None:
    game = position(NEXT, EVERY_NOTIFICATION, ["free ones"], dice=DICE)
    assert _legal(game) == set(map(cell, EVERY_NOTIFICATION))


@pytest.mark.parametrize("variant", [NEXT, ALL, NEXT_MAY, ALL_MAY])
def test_a_seat_for_which_an_announcement_still_can_come_passes(variant: Variant) -> None:
    game = position(variant, ["free ones", "announced ones", "free twos"], EVERY_NOTIFICATION, dice=DICE)
    after, events = apply(game, Fill(cell("free ones")))
    assert events[1:] == (Passed(1),)
    assert after.seat == 0


def test_with_next_only_the_seat_before_can_announce_to_a_seat() -> None:
    sheets = (["free ones"], EVERY_NOTIFICATION, ["announced ones"])
    assert _legal(position(NEXT, *sheets, seat=1, dice=DICE)) == set(map(cell, EVERY_NOTIFICATION))


def test_with_all_any_other_seat_can_announce_to_a_seat() -> None:
    game = position(ALL, ["free ones"], EVERY_NOTIFICATION, ["announced ones"], dice=DICE)
    _, events = apply(game, Fill(cell("free ones")))
    assert events[1:] == (Passed(1),)


def test_a_seats_own_announced_column_keeps_nothing_closed() -> None:
    game = position(ALL, ["announced ones", *EVERY_NOTIFICATION], ["free ones"], [], dice=DICE)
    assert _legal(game) == {cell("announced ones"), *map(cell, EVERY_NOTIFICATION)}


@pytest.mark.parametrize("variant", [NEXT, NEXT_MAY])
def test_the_last_announcement_binds_before_the_rest_opens_freely(variant: Variant) -> None:
    game = position(variant, ["announced sixes"], EVERY_NOTIFICATION, dice=DICE)
    game, events = apply(game, Fill(cell("announced sixes")))
    assert len(events) == 2
    rolled, _ = apply(game, Roll(), DICE)
    assert _legal(rolled) == {cell("notification sixes")}
    game, _ = apply(rolled, Fill(cell("notification sixes")))
    assert game.seat == 1, "the other seat's sheet is full"
    rolled, _ = apply(game, Roll(), DICE)
    assert _legal(rolled) == set(map(cell, EVERY_NOTIFICATION)) - {cell("notification sixes")}


def test_two_seats_that_wait_for_each_other_do_not_wait() -> None:
    game = position(NEXT, ["free ones", *EVERY_NOTIFICATION], EVERY_NOTIFICATION, dice=DICE)
    after, events = apply(game, Fill(cell("free ones")))
    assert len(events) == 1
    assert after.seat == 1


def test_a_seat_with_a_full_sheet_is_bound_to_nothing() -> None:
    game = position(ALL, None, [], dice=DICE)
    after, _ = apply(game, Announce(cell("announced ones")))
    assert _bound_rows(after) == [[], []]


def test_the_final_column_waits_for_the_notification_column_too() -> None:
    game = position(
        PAPIR, ["free ones", "announced ones"], ["notification ones", "final ones"], dice=(1,) * 6
    )
    _, events = apply(game, Fill(cell("free ones")))
    assert events[1:] == (Passed(1),)


def test_a_table_of_one_plays_without_the_notification_column() -> None:
    assert for_seats(PAPIR, 1) is PAPIR_SOLO
    assert start(PAPIR, 1).variant is PAPIR_SOLO
    assert start(PAPIR, 2).variant is PAPIR
    assert PRESET_BY_ID["papir-solo"].column(ColumnKind.NOTIFICATION) is None
    assert for_seats(CLASSIC_5X4, 1) is CLASSIC_5X4


def test_a_custom_variant_at_a_table_of_one_gets_the_id_of_what_is_left() -> None:
    alone = for_seats(NEXT, 1)
    assert [column.kind.value for column in alone.columns] == ["free", "announced"]
    assert alone.id == for_seats(ALL, 1).id
    assert alone.id.startswith("x-")


def test_a_seat_that_is_called_upon_never_passes_and_its_cell_is_always_empty() -> None:
    passes = 0
    for variant, seats in product((NEXT, ALL, NEXT_MAY, ALL_MAY), (2, 3, 5)):
        for step in steps(variant, seats, seats, unevenly):
            game = step.before
            for event in step.events:
                if isinstance(event, Passed):
                    passes += 1
                    assert not game.pending[event.seat]
                game = evolve(game, event)
                for seat, bindings in enumerate(game.pending):
                    indexes = [game.layout.index_by_cell[binding.cell] for binding in bindings]
                    assert all(game.sheets[seat][index] is None for index in indexes)
    assert passes
