"""Own dice: what a row can have, which cells are open, replacing, announcing, whole games by chance."""

import random
from itertools import product

import pytest

from app.rules.actions import Reason
from app.rules.dice import distinct_rolls
from app.rules.events import Announced, Filled
from app.rules.game import MAX_SEATS
from app.rules.layout import layout_of
from app.rules.own_dice.actions import (
    AnnounceAloud,
    Cleared,
    ClearSheet,
    Emptied,
    EmptyCell,
    FillByHand,
    IllegalEntry,
    SheetAction,
    SheetEvent,
    SheetReason,
    Withdraw,
    Withdrawn,
)
from app.rules.own_dice.game import (
    OwnDiceGame,
    announceable_cells,
    apply,
    evolve,
    is_over,
    open_cells,
    standings,
    start,
)
from app.rules.own_dice.values import values_by_row, values_of_dice
from app.rules.plain import own_dice_game_from_plain, own_dice_game_to_plain
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS
from app.rules.sheet import total
from app.rules.variant import Row, Variant
from tests.rules.naive_scorer import naive_score
from tests.rules.positions import cell
from tests.rules.test_scoring import NUMBERS_BY_PRESET

# As the description of the large sheet lists them: "MAX: 5 - 30", "FUL: 0, 37 - 58 (except 40 and 55)".
LISTED = {
    "ones": [0, 1, 2, 3, 4, 5],
    "twos": [0, 2, 4, 6, 8, 10],
    "threes": [0, 3, 6, 9, 12, 15],
    "fours": [0, 4, 8, 12, 16, 20],
    "fives": [0, 5, 10, 15, 20, 25],
    "sixes": [0, 6, 12, 18, 24, 30],
    "max": [*range(5, 31)],
    "min": [*range(5, 31)],
    "straight": [0, 46, 56, 66],
    "triling": [0, 33, 36, 39, 42, 45, 48],
    "full": [0, *(value for value in range(37, 59) if value not in {40, 55})],
    "poker": [0, 44, 48, 52, 56, 60, 64],
    "yamb": [0, 55, 60, 65, 70, 75, 80],
}
TWO = start(PAPIR, 2)
CLASSIC = start(CLASSIC_5X4, 2)


def done(game: OwnDiceGame, *actions: SheetAction, seat: int = 0) -> OwnDiceGame:
    """The game after these actions of one seat."""
    for action in actions:
        game, _ = apply(game, seat, action)
    return game


def refused(game: OwnDiceGame, action: SheetAction, seat: int = 0) -> IllegalEntry:
    """Why the action can't be done."""
    with pytest.raises(IllegalEntry) as caught:
        apply(game, seat, action)
    return caught.value


def fill(name: str, score: int, replaces: int | None = None) -> FillByHand:
    return FillByHand(cell(name), score, replaces)


def test_the_values_of_papir_are_those_that_its_description_lists() -> None:
    assert {row.value: list(values) for row, values in values_by_row(layout_of(PAPIR)).items()} == LISTED


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_row_can_have_every_score_that_dice_give_and_no_other(variant: Variant) -> None:
    numbers = NUMBERS_BY_PRESET[variant.id]
    for row, values in values_by_row(layout_of(variant)).items():
        expected = {
            naive_score(row.value, dice, roll, numbers)
            for dice, roll in product(distinct_rolls(variant.dice), (1, 2, 3))
        }
        assert list(values) == sorted(expected), row


def test_dice_that_are_tapped_give_one_value_or_those_of_a_straight_by_roll() -> None:
    values = values_of_dice(layout_of(PAPIR), (6, 2, 3, 4, 5, 6))
    assert (values[Row.STRAIGHT], values[Row.SIXES], values[Row.YAMB]) == ((46, 56, 66), (12,), (0,))


@pytest.mark.parametrize("dice", [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 7), (0, 1, 2, 3, 4, 5), (), (1,) * 7])
def test_dice_that_the_variant_does_not_have_are_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="6 faces from 1 to 6"):
        values_of_dice(layout_of(PAPIR), dice)


@pytest.mark.parametrize("score", [1, 45, 67, -46, 2**63])
def test_a_value_the_row_can_not_have_is_refused_with_those_it_can(score: int) -> None:
    game = done(TWO, fill("free straight", 46))
    error = refused(game, fill("free straight", score, replaces=46))
    assert (error.reason, error.values) == (SheetReason.VALUE_NOT_ALLOWED, (0, 46, 56, 66))
    assert refused(TWO, fill("free straight", score)).reason is SheetReason.VALUE_NOT_ALLOWED


REFUSALS: tuple[tuple[Reason | SheetReason, OwnDiceGame, SheetAction], ...] = (
    (Reason.UNKNOWN_CELL, CLASSIC, fill("hand ones", 1)),
    (Reason.UNKNOWN_CELL, CLASSIC, AnnounceAloud(cell("late_announced ones"))),
    (Reason.FILLS_ITSELF, TWO, fill("maximum ones", 1)),
    (Reason.FILLS_ITSELF, TWO, EmptyCell(cell("maximum ones"), 1)),
    (Reason.OUT_OF_ORDER, TWO, fill("down twos", 2)),
    (Reason.OUT_OF_ORDER, TWO, fill("from_middle sixes", 6)),
    (Reason.FINAL_TOO_EARLY, TWO, fill("final ones", 1)),
    (Reason.CELL_FILLED, done(TWO, fill("free ones", 3)), fill("free ones", 4)),
    (Reason.CELL_FILLED, done(TWO, fill("announced ones", 3)), AnnounceAloud(cell("announced ones"))),
    (Reason.NOT_ANNOUNCEABLE, TWO, AnnounceAloud(cell("free ones"))),
    (
        Reason.ALREADY_ANNOUNCED,
        done(TWO, AnnounceAloud(cell("announced ones"))),
        AnnounceAloud(cell("announced twos")),
    ),
    (SheetReason.CELL_CHANGED, done(TWO, fill("free ones", 3)), fill("free ones", 4, replaces=2)),
    (SheetReason.CELL_CHANGED, TWO, fill("free ones", 4, replaces=2)),
    (SheetReason.CELL_CHANGED, done(TWO, fill("free ones", 3)), EmptyCell(cell("free ones"), 2)),
    (SheetReason.CELL_EMPTY, TWO, EmptyCell(cell("free ones"), 2)),
    (SheetReason.NOTHING_ANNOUNCED, TWO, Withdraw()),
)


@pytest.mark.parametrize(("reason", "game", "action"), REFUSALS)
def test_an_entry_is_refused(reason: Reason | SheetReason, game: OwnDiceGame, action: SheetAction) -> None:
    assert refused(game, action).reason is reason


def test_every_reason_of_sheets_has_a_refusal() -> None:
    covered = {reason for reason, _, _ in REFUSALS} | {SheetReason.VALUE_NOT_ALLOWED}
    assert set(SheetReason) <= covered


def test_an_order_that_is_broken_names_the_rows_that_come_first() -> None:
    error = refused(TWO, fill("from_middle sixes", 6))
    assert error.rows == (Row.MAX, Row.MIN)


def test_gates_of_rolls_and_of_other_players_are_open() -> None:
    names = ("hand yamb", "announced ones", "notification sixes")
    filled = done(TWO, fill(names[0], 80), fill(names[1], 5), fill(names[2], 30))
    assert total(filled.layout, filled.sheets[0]) > 0
    assert filled.sheets[1] == TWO.sheets[1]


def test_a_value_is_replaced_wherever_it_stands() -> None:
    game = done(TWO, fill("down ones", 3), fill("down twos", 6), fill("down ones", 4, replaces=3))
    assert game.sheets[0][game.layout.index_by_cell[cell("down ones")]] == 4


def test_a_cell_that_was_emptied_comes_next_in_its_order() -> None:
    game = done(TWO, fill("down ones", 3), fill("down twos", 6), EmptyCell(cell("down ones"), 3))
    assert refused(game, fill("down threes", 3)).rows == (Row.ONES,)
    mended = done(game, fill("down ones", 2), fill("down threes", 3))
    assert total(mended.layout, mended.sheets[0]) > 0


def test_filling_the_announced_cell_ends_the_announcement_and_another_does_not() -> None:
    announced = cell("announced sixes")
    game, events = apply(TWO, 1, AnnounceAloud(announced))
    assert events == (Announced(1, announced),)
    assert game.announced == (None, announced)
    game = done(game, fill("free ones", 1), seat=1)
    assert game.announced == (None, announced)
    assert done(game, fill("announced sixes", 18), seat=1).announced == (None, None)
    assert apply(game, 1, Withdraw()) == (TWO_WITH_ONE, (Withdrawn(1),))


TWO_WITH_ONE = done(TWO, fill("free ones", 1), seat=1)


def test_clearing_empties_the_sheet_and_takes_the_announcement_back() -> None:
    game = done(TWO, fill("free ones", 3), AnnounceAloud(cell("announced ones")))
    assert apply(game, 0, ClearSheet()) == (TWO, (Cleared(0),))


def test_events_tell_what_was_done() -> None:
    game, events = apply(TWO, 0, fill("free ones", 3))
    assert events == (Filled(0, cell("free ones"), 3),)
    assert apply(game, 0, EmptyCell(cell("free ones"), 3))[1] == (Emptied(0, cell("free ones"), 3),)


@pytest.mark.parametrize("seats", range(1, MAX_SEATS + 1))
@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_sheet_has_every_column_of_its_variant_at_a_table_of_any_size(variant: Variant, seats: int) -> None:
    """A single sheet of papir has its ten columns: the player sees to what an opponent would announce."""
    game = start(variant, seats)
    assert game.variant == variant
    assert list(game.layout.column_by_kind) == [column.kind for column in variant.columns]


@pytest.mark.parametrize("seats", [0, 9])
def test_a_game_has_one_to_eight_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        start(PAPIR, seats)


def random_action(rng: random.Random, game: OwnDiceGame, seat: int) -> SheetAction:
    """Mostly a new entry; at times another value, a cell emptied, an announcement or its end."""
    sheet, cells = game.sheets[seat], game.layout.cells
    values = values_by_row(game.layout)
    filled = [index for index, score in enumerate(sheet) if score is not None]
    kind = rng.random()
    if kind < 0.06 and filled:
        index = rng.choice(filled)
        return FillByHand(cells[index], rng.choice(values[cells[index].row]), sheet[index])
    if kind < 0.1 and filled:
        index = rng.choice(filled)
        return EmptyCell(cells[index], sheet[index] or 0)
    if kind < 0.2 and game.announced[seat] is not None:
        return Withdraw()
    if kind < 0.3 and game.announced[seat] is None and announceable_cells(game, seat):
        return AnnounceAloud(cells[rng.choice(announceable_cells(game, seat))])
    index = rng.choice(open_cells(game, seat))
    return FillByHand(cells[index], rng.choice(values[cells[index].row]))


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
@pytest.mark.parametrize("seats", [1, 3])
def test_a_random_game_ends_full_and_is_the_fold_of_its_events(variant: Variant, seats: int) -> None:
    rng = random.Random(f"{variant.id} {seats}")
    game = start(variant, seats)
    log: list[SheetEvent] = []
    while not is_over(game):
        seat = rng.choice([one for one in range(seats) if open_cells(game, one)])
        game, events = apply(game, seat, random_action(rng, game, seat))
        log += events
        assert own_dice_game_from_plain(game.variant, own_dice_game_to_plain(game)) == game
    again = start(variant, seats)
    for event in log:
        again = evolve(again, event)
    assert again == game
    assert all(sheet[index] is not None for sheet in game.sheets for index in game.layout.playable)
    assert min(standings(game))[0] == 1


def test_a_full_sheet_can_be_corrected_and_the_places_follow() -> None:
    game = full_games()
    assert [seat for _, seat, _ in standings(game)] == [0, 1]
    least = done(game, fill("free yamb", 0, replaces=80))
    assert is_over(least)
    assert [seat for _, seat, _ in standings(least)] == [1, 0]
    taken = done(game, EmptyCell(cell("free yamb"), 80))
    assert not is_over(taken)
    assert done(taken, fill("free yamb", 80)) == game
    assert not is_over(done(game, ClearSheet()))


def full_games() -> OwnDiceGame:
    """Two full sheets of papir, each with the most everywhere but for one point less in the second."""
    game = TWO
    for seat in range(2):
        while open_cells(game, seat):
            game = done(game, highest(game, open_cells(game, seat)[0]), seat=seat)
    return done(game, fill("free max", 29, replaces=30), seat=1)


CLOSED = {Reason.OUT_OF_ORDER, Reason.FINAL_TOO_EARLY}


def test_the_cells_that_are_open_are_exactly_those_that_can_be_filled() -> None:
    rng = random.Random(5)
    game = start(PAPIR, 1)
    while not is_over(game):
        can = open_cells(game, 0)
        for index in game.layout.playable:
            if game.sheets[0][index] is None and index not in can:
                assert refused(game, highest(game, index)).reason in CLOSED
        filled = [done(game, highest(game, index)) for index in can]
        game = rng.choice(filled)


def highest(game: OwnDiceGame, index: int) -> FillByHand:
    """The most that a cell can have, written into it."""
    cell = game.layout.cells[index]
    return FillByHand(cell, values_by_row(game.layout)[cell.row][-1])
