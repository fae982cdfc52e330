"""Turn after turn around the notification column (docs/rules.md, Notification), as a table, and all positions
of toy variants: none is a dead end.
"""

from typing import NamedTuple

import pytest

from app.rules.actions import Action, Announce, Fill, Reason, Roll
from app.rules.events import Passed
from app.rules.game import apply, start
from app.rules.legality import is_over, legal_actions, legal_cells, rolls_allowed
from app.rules.state import Game
from app.rules.variant import Column, ColumnKind, Row, RowRule, Variant
from tests.rules.positions import cell, position, reason_for
from tests.rules.variants import (
    ANNOUNCED,
    FINAL,
    FREE,
    HAND,
    LATE,
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
NOTHING: tuple[str, ...] = ()
TWO_TO_GO = ("notification ones", "notification twos")


class Turn(NamedTuple):
    """A turn of one roll: what is done in it, who passes after it, who is next, and what he can fill then.

    `notified`: the rows of his notification column that are legal after his first roll; `free`: whether
    cells of other columns are legal too. Both are "" and False when the game is over.
    """

    does: str
    passed: list[int]
    seat: int
    notified: str
    free: bool


Sheets = tuple[tuple[str, ...] | None, ...]
SCENARIOS: dict[str, tuple[Variant, Sheets, list[Turn]]] = {
    "two announcers bind the third, who plays one, and the other lapses": (
        ALL,
        (("announced ones", "free ones"), ("announced twos", "notification twos"), None, None),
        [
            Turn("announce ones, fill announced ones", [], 1, "", True),
            Turn("fill announced twos", [], 2, "ones twos", False),
            Turn("fill notification twos", [], 3, "ones twos", False),
            Turn("fill notification ones", [], 0, "", True),
            Turn("fill free ones", [1], 2, "", True),
        ],
    ),
    "two announcers of one row bind to one cell": (
        ALL,
        (("announced ones", "free ones"), ("announced ones", "free ones"), None),
        [
            Turn("fill announced ones", [], 1, "", True),
            Turn("fill announced ones", [], 2, "ones", False),
            Turn("fill notification ones", [], 0, "", True),
        ],
    ),
    "with next a seat further on is not bound": (
        NEXT,
        (None, None, None),
        [
            Turn("announce sixes, fill announced sixes", [], 1, "sixes", False),
            Turn("fill notification sixes", [], 2, "", True),
            Turn("fill free ones", [], 0, "", True),
        ],
    ),
    "a seat bound to a filled cell plays on freely": (
        NEXT,
        (None, ("free ones", "announced ones", "notification twos")),
        [Turn("announce sixes, fill announced sixes", [], 1, "", True)],
    ),
    "what may be played lapses with the turn and comes again with an announcement": (
        NEXT_MAY,
        (("announced ones", "announced twos", "free ones"), ("free ones", "free twos", "notification ones")),
        [
            Turn("fill announced ones", [], 1, "ones", True),
            Turn("fill free ones", [], 0, "", True),
            Turn("fill free ones", [], 1, "", True),
            Turn("fill free twos", [], 0, "", True),
            Turn("announce twos, fill announced twos", [], 1, "ones", False),
        ],
    ),
    "who may play a notification may announce instead, and binds the others": (
        ALL_MAY,
        (None, None, None),
        [
            Turn("announce ones, fill announced ones", [], 1, "ones", True),
            Turn("announce twos, fill announced twos", [], 2, "ones twos", True),
            Turn("fill notification ones", [], 0, "twos", True),
            Turn("fill free ones", [], 1, "", True),
        ],
    ),
    "who may play the last announcement and does not, has the rest freely afterwards": (
        NEXT_MAY,
        (("announced ones",), ("free ones", "notification ones", "notification sixes")),
        [
            Turn("fill announced ones", [], 1, "ones", True),
            Turn("fill free ones", [0], 1, "ones sixes", False),
        ],
    ),
    "without an announcer the column is free from the first turn on": (
        NEXT,
        (("free ones",), TWO_TO_GO),
        [
            Turn("fill free ones", [], 1, "ones twos", False),
            Turn("fill notification twos", [0], 1, "ones", False),
            Turn("fill notification ones", [], 0, "", False),
        ],
    ),
    "with all, one announcer left among many keeps the column closed": (
        ALL,
        (("free ones",), ("announced sixes", "free ones"), TWO_TO_GO),
        [
            Turn("fill free ones", [], 1, "", True),
            Turn("fill free ones", [2, 0], 1, "", True),
            Turn("fill announced sixes", [], 2, "ones twos", False),
        ],
    ),
    "all who wait for one announcer pass in a row until he announces": (
        ALL,
        (("announced twos", "free ones"), TWO_TO_GO, TWO_TO_GO, TWO_TO_GO),
        [
            Turn("fill free ones", [1, 2, 3], 0, "", True),
            Turn("announce twos, fill announced twos", [], 1, "twos", False),
            Turn("fill notification twos", [], 2, "twos", False),
            Turn("fill notification twos", [], 3, "twos", False),
            Turn("fill notification twos", [0], 1, "ones", False),
        ],
    ),
    "with next, who waits for a seat that itself waits does so only for its announced column": (
        NEXT,
        (("announced twos", "free ones"), TWO_TO_GO, TWO_TO_GO),
        [
            Turn("fill free ones", [1], 2, "ones twos", False),
            Turn("fill notification ones", [], 0, "", True),
            Turn("fill announced twos", [], 1, "twos", False),
        ],
    ),
    "the last cell of the game is the one that the last announcement binds": (
        NEXT,
        (("announced ones",), ("notification ones",)),
        [
            Turn("fill announced ones", [], 1, "ones", False),
            Turn("fill notification ones", [], 0, "", False),
        ],
    ),
    "a late announcement binds nobody": (
        with_columns(FREE, ANNOUNCED, LATE, NOTIFICATION_ALL),
        (None, None),
        [Turn("announce late ones, fill late_announced ones", [], 1, "", True)],
    ),
    "the final column opens when the notification column is full": (
        with_columns(FREE, ANNOUNCED, NOTIFICATION, FINAL),
        (("announced ones",), ("notification ones", "final ones", "final twos")),
        [
            Turn("fill announced ones", [], 1, "ones", False),
            Turn("fill notification ones", [0], 1, "", True),
        ],
    ),
}


def _action(text: str) -> Action:
    match text.split():
        case ["announce", row]:
            return Announce(cell(f"announced {row}"))
        case ["announce", "late", row]:
            return Announce(cell(f"late_announced {row}"))
        case ["fill", column, row]:
            return Fill(cell(f"{column} {row}"))
    raise AssertionError(text)


def _rolled(game: Game) -> Game:
    return apply(game, Roll(), DICE)[0]


def _legal_rows(game: Game) -> tuple[str, bool]:
    """Rows of the notification column that are legal after one roll, and whether anything else is."""
    if is_over(game):
        return "", False
    legal = [game.layout.cells[index] for index in legal_cells(_rolled(game))]
    notified = [cell.row.value for cell in legal if cell.column is ColumnKind.NOTIFICATION]
    return " ".join(notified), len(notified) < len(legal)


@pytest.mark.parametrize("name", SCENARIOS)
def test_in_a_scenario(name: str) -> None:
    variant, sheets, turns = SCENARIOS[name]
    game = position(variant, *sheets)
    for turn in turns:
        game, passed = _rolled(game), []
        for text in turn.does.split(", "):
            game, events = apply(game, _action(text))
            passed += [event.seat for event in events if isinstance(event, Passed)]
        assert Turn(turn.does, passed, game.seat, *_legal_rows(game)) == turn


def test_who_must_can_neither_announce_nor_fill_an_announced_cell() -> None:
    game = position(ALL, None, None, dice=DICE, bound={0: [("sixes", 1)]})
    assert reason_for(game, Announce(cell("announced ones"))) is Reason.BOUND
    assert reason_for(game, Fill(cell("announced ones"))) is Reason.BOUND
    assert reason_for(game, Fill(cell("notification ones"))) is Reason.BOUND


def test_who_may_and_announces_instead_has_only_what_he_announced() -> None:
    game = position(ALL_MAY, None, None, dice=DICE, bound={0: [("sixes", 1)]})
    after, _ = apply(game, Announce(cell("announced ones")))
    assert reason_for(after, Fill(cell("notification sixes"))) is Reason.OTHER_ANNOUNCED
    assert [after.layout.cells[index] for index in legal_cells(after)] == [cell("announced ones")]


def test_a_notification_that_has_lapsed_is_refused_as_one_that_never_came() -> None:
    game = position(NEXT_MAY, None, None, dice=DICE, bound={0: [("sixes", 1)]})
    after, _ = apply(game, Fill(cell("free ones")))
    after, _ = apply(_rolled(after), Fill(cell("free ones")))
    assert after.seat == 0
    assert reason_for(_rolled(after), Fill(cell("notification sixes"))) is Reason.NO_NOTIFICATION


def test_a_bound_last_cell_has_the_rolls_of_a_last_cell() -> None:
    variant = replace(NEXT, last_cell_rolls=5)
    game = position(variant, None, ["notification ones"], seat=1, dice=DICE, bound={1: [("ones", 0)]})
    assert rolls_allowed(game) == 5
    for _ in range(4):
        game = _rolled(game)
    assert reason_for(game, Roll()) is Reason.NO_ROLLS_LEFT
    assert [game.layout.cells[index] for index in legal_cells(game)] == [cell("notification ones")]


def test_a_cell_that_fills_itself_after_its_announcement_binds_as_any() -> None:
    variant = replace(NEXT, auto_fill=True)
    game, _ = apply(position(variant, None, None, dice=DICE), Announce(cell("announced ones")))
    game = _rolled(_rolled(game))
    assert game.seat == 1
    assert _legal_rows(game) == ("ones", False)


ONE_ROW = (RowRule(Row.ONES),)
TWO_ROWS = (RowRule(Row.ONES), RowRule(Row.YAMB))
TOYS = [
    ((FREE, ANNOUNCED), ONE_ROW, 4),
    ((FREE, ANNOUNCED), TWO_ROWS, 2),
    ((ANNOUNCED,), TWO_ROWS, 3),
    ((HAND, ANNOUNCED, FINAL), ONE_ROW, 3),
]


def _positions_from(first: Game) -> list[Game]:
    """Every position that can be reached, scores, dice and holds left aside: legality doesn't know them."""
    seen = {first}
    found = [first]
    for game in found:
        for action in legal_actions(game):
            if isinstance(action, Roll) and action.hold:
                continue
            after = _bare(apply(game, action, DICE)[0])
            if after not in seen:
                seen.add(after)
                found.append(after)
    return found


def _bare(game: Game) -> Game:
    sheets = tuple(tuple(None if score is None else 0 for score in sheet) for sheet in game.sheets)
    return replace(game, sheets=sheets, turn=game.seat + 1)


@pytest.mark.parametrize(
    "notification",
    [NOTIFICATION, NOTIFICATION_MAY, NOTIFICATION_ALL, NOTIFICATION_ALL_MAY],
    ids=lambda column: f"{column.reach.value} {column.duty.value}",
)
@pytest.mark.parametrize(("columns", "rows", "seats"), TOYS)
def test_no_position_that_can_be_reached_is_a_dead_end(
    columns: tuple[Column, ...], rows: tuple[RowRule, ...], seats: int, notification: Column
) -> None:
    variant = with_columns(*columns, notification, rows=rows, bonus_steps=())
    positions = _positions_from(start(variant, seats))
    ends = [game for game in positions if not legal_actions(game)]
    assert ends
    assert all(None not in sheet for game in ends for sheet in game.sheets)
