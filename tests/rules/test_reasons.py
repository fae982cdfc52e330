"""Every reason for refusing an action, each in a position of its own."""

import pytest

from app.rules.actions import Action, Announce, Fill, IllegalAction, Reason, Roll, Undo
from app.rules.game import apply, start
from app.rules.legality import closed_reasons, rows_first
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.state import Game, Undoing
from app.rules.variant import Cell, ColumnKind, Row
from tests.rules.positions import cell, position, reason_for
from tests.rules.variants import ANNOUNCED, DOWN, FREE, LATE_SWEDISH, NOTIFICATION_MAY, with_columns
from tests.values import replace

FIVE = (1, 2, 3, 4, 5)
SIX = (1, 2, 3, 4, 5, 6)
BOUND = {0: [("sixes", 1)]}

START = start(CLASSIC_5X4, 2)
ROLLED = position(CLASSIC_5X4, None, None, dice=FIVE)
ROLLED_TWICE = position(CLASSIC_5X4, None, None, dice=FIVE, roll=2)
ROLLED_THRICE = position(CLASSIC_5X4, None, None, dice=FIVE, roll=3)
ANNOUNCED_FULL = position(CLASSIC_5X4, None, None, dice=FIVE, announced="announced full")
ONLY_ANNOUNCED_LEFT = position(CLASSIC_5X4, ["announced yamb"], None, dice=FIVE)
OVER = position(CLASSIC_5X4, [], [])
ONE_FILLED = position(CLASSIC_5X4, ["free yamb"], None, dice=FIVE)
ALL_ANNOUNCED_FILLED = position(CLASSIC_5X4, ["free yamb"], None, dice=FIVE)
LARGE = position(PAPIR, None, None, dice=SIX)
LARGE_ROLLED_TWICE = position(PAPIR, None, None, dice=SIX, roll=2)
BOUND_AT_THE_START = position(PAPIR, None, None, bound=BOUND)
BOUND_AND_ROLLED = position(PAPIR, None, None, dice=SIX, bound=BOUND)
TWO_HELD = position(with_columns(DOWN, max_hold=2), None, dice=FIVE)

REFUSALS: tuple[tuple[Reason, Game, Action], ...] = (
    (Reason.GAME_OVER, OVER, Roll()),
    (Reason.GAME_OVER, OVER, Fill(cell("down ones"))),
    (Reason.GAME_OVER, OVER, Announce(cell("announced ones"))),
    (Reason.GAME_OVER, OVER, Fill(cell("hand ones"))),
    (Reason.ROLL_FIRST, START, Fill(cell("down ones"))),
    (Reason.ROLL_FIRST, START, Announce(cell("announced ones"))),
    (Reason.ROLL_FIRST, BOUND_AT_THE_START, Fill(cell("notification sixes"))),
    (Reason.NO_ROLLS_LEFT, ROLLED_THRICE, Roll()),
    (Reason.NO_ROLLS_LEFT, ROLLED_THRICE, Roll((9,))),
    (Reason.NOTHING_TO_ROLL_FOR, ONLY_ANNOUNCED_LEFT, Roll()),
    (Reason.TOO_MANY_HELD, TWO_HELD, Roll((0, 1, 2))),
    (Reason.UNKNOWN_DIE, ROLLED, Roll((5,))),
    (Reason.UNKNOWN_DIE, ROLLED, Roll((-1,))),
    (Reason.UNKNOWN_DIE, ROLLED, Roll((1, 1))),
    (Reason.UNKNOWN_DIE, ROLLED, Roll((2, 1))),
    (Reason.HELD_BEFORE_FIRST_ROLL, START, Roll((0,))),
    (Reason.UNKNOWN_CELL, ROLLED, Fill(cell("hand ones"))),
    (Reason.UNKNOWN_CELL, ROLLED, Fill(cell("down triling"))),
    (Reason.UNKNOWN_CELL, ROLLED, Announce(cell("late_announced ones"))),
    (Reason.CELL_FILLED, ONE_FILLED, Fill(cell("down ones"))),
    (Reason.CELL_FILLED, ONE_FILLED, Announce(cell("announced ones"))),
    (Reason.FILLS_ITSELF, LARGE, Fill(cell("maximum ones"))),
    (Reason.OUT_OF_ORDER, ROLLED, Fill(cell("down twos"))),
    (Reason.OUT_OF_ORDER, ROLLED, Fill(cell("up ones"))),
    (Reason.ONLY_AFTER_FIRST_ROLL, LARGE_ROLLED_TWICE, Fill(cell("hand ones"))),
    (Reason.NOT_ANNOUNCED, ROLLED_TWICE, Fill(cell("announced ones"))),
    (
        Reason.NOT_ANNOUNCED,
        position(with_columns(FREE, LATE_SWEDISH), None, dice=FIVE),
        Fill(cell("late_announced ones")),
    ),
    (Reason.OTHER_ANNOUNCED, ANNOUNCED_FULL, Fill(cell("announced yamb"))),
    (Reason.OTHER_ANNOUNCED, ANNOUNCED_FULL, Fill(cell("down ones"))),
    (Reason.BOUND, BOUND_AND_ROLLED, Fill(cell("down ones"))),
    (Reason.BOUND, BOUND_AND_ROLLED, Fill(cell("notification ones"))),
    (Reason.BOUND, BOUND_AND_ROLLED, Announce(cell("announced ones"))),
    (Reason.BOUND, BOUND_AT_THE_START, Fill(cell("down ones"))),
    (Reason.NO_NOTIFICATION, LARGE, Fill(cell("notification ones"))),
    (
        Reason.NO_NOTIFICATION,
        position(with_columns(ANNOUNCED, NOTIFICATION_MAY), None, None, dice=FIVE, bound=BOUND),
        Fill(cell("notification ones")),
    ),
    (Reason.FINAL_TOO_EARLY, LARGE, Fill(cell("final ones"))),
    (Reason.NOT_ANNOUNCEABLE, ROLLED, Announce(cell("free ones"))),
    (Reason.NOT_ANNOUNCEABLE, LARGE, Announce(cell("notification ones"))),
    (Reason.NOT_ANNOUNCEABLE, LARGE, Announce(cell("maximum ones"))),
    (Reason.ALREADY_ANNOUNCED, ANNOUNCED_FULL, Announce(cell("announced full"))),
    (Reason.ALREADY_ANNOUNCED, ANNOUNCED_FULL, Announce(cell("announced ones"))),
    (Reason.WINDOW_CLOSED, ROLLED_TWICE, Announce(cell("announced ones"))),
    (Reason.UNDO_OFF, ROLLED_TWICE, Undo()),
    (Reason.NOTHING_TO_UNDO, replace(ROLLED_TWICE, undo=Undoing.ENTRY), Undo()),
)


@pytest.mark.parametrize(
    ("reason", "game", "action"),
    [pytest.param(*refusal, id=f"{refusal[0]}-{number}") for number, refusal in enumerate(REFUSALS)],
)
def test_the_action_is_refused_for_that_reason(reason: Reason, game: Game, action: Action) -> None:
    assert reason_for(game, action) is reason


def test_every_reason_is_reached() -> None:
    assert {reason for reason, _, _ in REFUSALS} == set(Reason)


def test_a_refusal_names_the_rows_that_come_first_in_the_column() -> None:
    with pytest.raises(IllegalAction) as refused:
        apply(ROLLED, Fill(cell("down threes")))
    assert refused.value.rows == (Row.ONES,)
    assert refused.value.action == Fill(cell("down threes"))
    assert str(refused.value).startswith("out_of_order")


def test_a_column_without_an_order_has_no_rows_that_come_first() -> None:
    assert rows_first(ROLLED, Fill(cell("free threes"))) == ()
    assert rows_first(ROLLED, Fill(Cell(ColumnKind.HAND, Row.ONES))) == ()
    assert rows_first(ROLLED, Roll()) == ()
    assert rows_first(LARGE, Fill(cell("maximum ones"))) == ()


def _closed(game: Game) -> dict[str, str]:
    """The reasons of the columns that have any."""
    reasons = {column.column.kind.value: reason for column, reason in closed_reasons(game)}
    return {kind: reason.value for kind, reason in reasons.items()}


def test_before_the_first_roll_every_column_waits_for_it() -> None:
    assert set(_closed(START).values()) == {"roll_first"}


def test_after_a_roll_each_column_has_its_own_reason() -> None:
    assert _closed(LARGE_ROLLED_TWICE) == {
        "down": "out_of_order",
        "up": "out_of_order",
        "announced": "not_announced",
        "hand": "only_after_first_roll",
        "notification": "no_notification",
        "from_middle": "out_of_order",
        "ends_in": "out_of_order",
        "final": "final_too_early",
        "maximum": "fills_itself",
    }


@pytest.mark.parametrize("row", ["ones", "sixes", "yamb"])
def test_a_bound_seat_waits_for_its_roll_in_the_notification_column_and_is_bound_in_the_others(
    row: str,
) -> None:
    game = position(PAPIR, None, None, bound={0: [(row, 1)]})
    closed = _closed(game)
    assert closed.pop("notification") == "roll_first"
    assert closed.pop("maximum") == "fills_itself"
    assert set(closed.values()) == {"bound"}


def test_a_bound_seat_that_has_rolled_is_bound_in_the_notification_column_too() -> None:
    assert _closed(BOUND_AND_ROLLED)["notification"] == "bound"


def test_after_an_announcement_every_other_cell_is_closed_by_it() -> None:
    assert set(_closed(ANNOUNCED_FULL).values()) == {"other_announced"}


def test_a_column_that_is_open_or_full_has_no_reason() -> None:
    assert "free" not in _closed(LARGE)
    assert "hand" not in _closed(LARGE)
    assert _closed(position(CLASSIC_5X4, ["free yamb"], None, dice=FIVE)) == {}
    assert _closed(position(CLASSIC_5X4, ["announced yamb"], None, dice=FIVE)) == {}


def test_a_finished_game_closes_nothing_but_what_fills_itself() -> None:
    assert _closed(position(PAPIR, [], [])) == {"maximum": "fills_itself"}
