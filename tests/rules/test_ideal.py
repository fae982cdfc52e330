"""What is attainable: the best of a search that tries everything, where it can; never more than before."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.rules.dice import Dice
from app.rules.game import start
from app.rules.ideal import attainable, points_of
from app.rules.legality import legal_actions
from app.rules.presets import PRESETS
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import (
    BonusStep,
    Cell,
    Column,
    Middle,
    Row,
    RowRule,
    StraightByRoll,
    Variant,
)
from tests.rules.games import POLICIES, Choose, any_kind, steps
from tests.rules.ideal_search import by_scores, by_whole_games, scores_of
from tests.rules.variants import (
    ANNOUNCED,
    DOWN,
    FINAL,
    FREE,
    HAND,
    LATE,
    LATE_SWEDISH,
    MAXIMUM,
    NOTIFICATION,
    NOTIFICATION_MAY,
    UP,
    variants,
)
from tests.values import replace

ONES, SIXES, MAX, MIN = (RowRule(row) for row in (Row.ONES, Row.SIXES, Row.MAX, Row.MIN))
STRAIGHT = RowRule(Row.STRAIGHT, straight=StraightByRoll((66, 56, 46)))
RISING = RowRule(Row.STRAIGHT, straight=StraightByRoll((20, 30, 70), shortest=4))
YAMB = RowRule(Row.YAMB, bonus=50)


def toy(rows: tuple[RowRule, ...], *columns: Column, **changes: object) -> Variant:
    """A variant of a few rows, of which a sum of 20 earns a bonus."""
    usual = {"dice": 5, "max_hold": 5, "middle": Middle.DIFFERENCE, "bonus_steps": (BonusStep(20, 9),)}
    return Variant(id="toy", rows=rows, columns=columns, **usual | changes)  # type: ignore[arg-type]


TOYS = (
    toy((STRAIGHT,), HAND, LATE_SWEDISH, MAXIMUM),
    toy((STRAIGHT,), LATE_SWEDISH, ANNOUNCED, FINAL),
    toy((RISING,), HAND, FREE, LATE),
    toy((STRAIGHT, YAMB), DOWN, last_cell_rolls=5),
    toy((ONES, STRAIGHT), HAND, auto_fill=True),
    toy((SIXES, RISING), LATE_SWEDISH, MAXIMUM),
    toy((SIXES, STRAIGHT), ANNOUNCED, MAXIMUM, auto_fill=True),
)


@pytest.mark.parametrize(
    "variant", TOYS, ids=lambda variant: "-".join(column.kind for column in variant.columns)
)
def test_it_is_the_best_of_all_continuations_at_every_step_of_a_game(variant: Variant) -> None:
    for seed in range(3):
        for step in steps(variant, 1, seed):
            assert attainable(step.before, 0) == by_whole_games(step.before, 0)


@pytest.mark.parametrize("notification", [NOTIFICATION, NOTIFICATION_MAY], ids=lambda one: one.duty)
def test_it_is_the_best_of_all_continuations_where_announcements_bind(notification: Column) -> None:
    variant = toy((STRAIGHT,), ANNOUNCED, notification)
    for seed in range(3):
        for step in steps(variant, 2, seed):
            for seat in (0, 1):
                assert attainable(step.before, seat) == by_whole_games(step.before, seat)


ROWS = (
    (ONES, MAX, MIN),
    (ONES, SIXES, MAX, MIN),
    (MAX, MIN, STRAIGHT),
    (ONES, STRAIGHT),
    (SIXES, RISING, YAMB),
)
COLUMNS = (DOWN, UP, FREE, HAND, LATE_SWEDISH, ANNOUNCED, FINAL)
MOST_ENDS = 1200


@st.composite
def toys(draw: st.DrawFn) -> Variant:
    """A variant of two to four rows and one to four columns, the maximum column often among them."""
    rows = draw(st.sampled_from(ROWS))
    columns = draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3, unique=True))
    if columns == [FINAL]:
        columns = [FREE, FINAL]
    with_ones = rows[0] is ONES and draw(st.sampled_from((True, True, False)))
    return toy(
        rows,
        *columns,
        *([MAXIMUM] if draw(st.booleans()) else []),
        middle=Middle.TIMES_ONES if with_ones else Middle.DIFFERENCE,
        middle_floor=draw(st.sampled_from((False, False, True))),
        bonus_steps=tuple(
            BonusStep(*step) for step in draw(st.sampled_from((((3, 11),), ((2, 3), (5, 40)), ())))
        ),
        dice=draw(st.sampled_from((5, 6))),
    )


@st.composite
def positions(draw: st.DrawFn) -> Game:
    """A sheet filled by chance, more badly than well, in whichever moment of a turn."""
    variant = draw(toys())
    chance = Random(draw(st.integers(0, 2**32)))
    game = start(variant, 1)
    cells = [game.layout.cells[index] for index in game.layout.playable]
    entries = _entries(variant, cells, chance)
    sheet = tuple(entries.get(cell) for cell in game.layout.cells)
    roll = chance.randrange(4)
    dice = tuple(chance.randint(1, 6) for _ in range(variant.dice)) if roll else ()
    return _with_announcement(replace(game, sheets=(sheet,), roll=roll, dice=dice), chance)


def _entries(variant: Variant, cells: list[Cell], chance: Random) -> dict[Cell, int]:
    """Scores in so many cells that the rest can be tried out."""
    chance.shuffle(cells)
    if chance.random() < 0.6:
        # What is hard to get right: empty ones beside a middle that is lost.
        cells.sort(key=lambda cell: cell.row is not Row.ONES)
    entries: dict[Cell, int] = {}
    ends = 1
    for cell in cells:
        scores = scores_of(variant, cell)
        ends *= len(scores)
        if ends > MOST_ENDS or chance.random() < (0.8 if cell.row in {Row.MAX, Row.MIN} else 0.2):
            ends //= len(scores)
            entries[cell] = _poor_score(cell.row, scores, chance)
    return entries


def _poor_score(row: Row, scores: list[int], chance: Random) -> int:
    at = chance.randrange(len(scores))
    if row in {Row.MAX, Row.MIN} and chance.random() < 0.8:
        at = at // 3 if row is Row.MAX else len(scores) - 1 - at // 3
    return scores[at]


def _with_announcement(game: Game, chance: Random) -> Game:
    windows = {column.kind: column.window for column in game.variant.columns if column.window}
    empty = [game.layout.cells[index] for index in game.layout.playable if game.sheet[index] is None]
    could = [
        cell
        for cell in empty
        if cell.column in windows and any(roll <= game.roll for roll in windows[cell.column])
    ]
    return replace(game, announced=chance.choice(could)) if could and chance.random() < 0.5 else game


@settings(max_examples=80, deadline=None)
@given(positions())
def test_it_is_the_best_over_all_scores_that_the_empty_cells_can_get(game: Game) -> None:
    assume(game.roll == 0 or legal_actions(game))
    assert attainable(game, 0) == by_scores(game, 0)


def _position(variant: Variant, entries: dict[str, int], dice: Dice = (), roll: int = 0) -> Game:
    game = start(variant, 1)
    sheet = tuple(entries.get(f"{cell.column} {cell.row}") for cell in game.layout.cells)
    assert sum(score is not None for score in sheet) == len(entries)
    return replace(game, sheets=(sheet,), dice=dice, roll=roll)


LOSING = toy((ONES, MAX, MIN), FREE, HAND, middle=Middle.TIMES_ONES, bonus_steps=(BonusStep(4, 30),))


def test_ones_stay_away_from_a_middle_below_zero_unless_the_bonus_is_worth_more() -> None:
    free_is_lost = {"free max": 10, "free min": 15, "hand ones": 0, "hand max": 9, "hand min": 9}
    game = _position(LOSING, free_is_lost)
    # 4 ones: 4 + 30 - 5 * 4 = 14; no ones: 0; 5 ones: 5 + 30 - 25 = 10. Each part by itself: 35, 0, and 14.
    assert attainable(game, 0) == (35, 0, 0, 14)
    assert by_scores(game, 0) == (35, 0, 0, 14)


def test_one_column_gives_its_ones_to_the_maximum_column_at_its_own_cost() -> None:
    variant = replace(LOSING, columns=(FREE, HAND, MAXIMUM), bonus_steps=())
    entries = {"free max": 20, "free min": 22, "hand max": 10, "hand min": 18}
    game = _position(variant, entries)
    # Free: 5 - 2 * 5 = -5. Maximum: max 20, min 18, ones 5: 5 + 2 * 5 = 15. Hand has none.
    assert attainable(game, 0).total == 10
    assert by_scores(game, 0)[3] == 10


def test_dice_that_cannot_be_rolled_again_must_go_into_an_open_cell() -> None:
    game = _position(toy((ONES, STRAIGHT), FREE), {}, dice=(2, 2, 3, 3, 6), roll=3)
    # Either the ones are 0 and a straight of a later turn is worth 66, or the straight is crossed out.
    assert attainable(game, 0) == (5, 0, 66, 66)


@pytest.mark.parametrize(
    ("column", "roll", "lower"),
    [
        (FREE, 0, 66),
        (FREE, 1, 56),
        (FREE, 2, 46),
        (HAND, 0, 66),
        (LATE_SWEDISH, 0, 56),
        (LATE_SWEDISH, 1, 56),
        (LATE_SWEDISH, 2, 46),
        (LATE, 0, 66),
        (LATE, 1, 56),
        (ANNOUNCED, 0, 66),
        (ANNOUNCED, 1, 56),
    ],
    ids=str,
)
def test_a_straight_by_roll_is_worth_what_the_rolls_left_to_its_column_give(
    column: Column, roll: int, lower: int
) -> None:
    game = _position(toy((STRAIGHT,), column), {}, dice=(1, 1, 1, 1, 1) if roll else (), roll=roll)
    assert attainable(game, 0).lower == lower


def test_a_straight_on_the_table_keeps_its_value_in_reach() -> None:
    game = _position(toy((STRAIGHT,), FREE), {}, dice=(1, 2, 3, 4, 5), roll=1)
    assert attainable(game, 0).lower == 66


def test_another_cell_can_take_the_rolls_that_a_straight_has_no_use_for() -> None:
    game = _position(toy((STRAIGHT, YAMB), FREE), {}, dice=(1, 1, 2, 4, 6), roll=2)
    assert attainable(game, 0).lower == 66 + 80


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_it_never_rises_in_a_game_of_a_preset_and_ends_as_the_total(variant: Variant) -> None:
    _falls_to_the_total(variant, 2, 5, any_kind)


@settings(max_examples=5, deadline=None)
@given(
    variant=variants(),
    seats=st.integers(1, 4),
    seed=st.integers(0, 2**32),
    choose=st.sampled_from(POLICIES),
)
def test_it_never_rises_in_any_game_and_ends_as_the_total(
    variant: Variant, seats: int, seed: int, choose: Choose
) -> None:
    _falls_to_the_total(variant, seats, seed, choose)


def _falls_to_the_total(variant: Variant, seats: int, seed: int, choose: Choose) -> None:
    game = start(variant, seats)
    before = [attainable(game, seat) for seat in range(seats)]
    for step in steps(variant, seats, seed, choose):
        game = step.after
        after = [attainable(game, seat) for seat in range(seats)]
        for old, new in zip(before, after, strict=True):
            assert all(now <= then for now, then in zip(new, old, strict=True))
        before = after
    for seat, sheet in enumerate(game.sheets):
        assert before[seat] == points_of(game.layout, sheet)
        assert before[seat].total == total(game.layout, sheet)


def test_every_cell_of_every_column_counts_whatever_its_order() -> None:
    assert attainable(start(toy((SIXES,), *COLUMNS), 1), 0).upper == len(COLUMNS) * (30 + 9)
