"""What is legal now, and the reason why something isn't. The one owner of legality.

Sources: docs/rules.md, A turn, Columns, Announcing, Notification.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never

from app.rules.actions import Action, Announce, Fill, Reason, Roll, Undo
from app.rules.layout import CellIndex, ColumnLayout
from app.rules.sheet import empty_cells, gaps_of, has_empty_cell, is_full
from app.rules.state import Binding, Game, Undoing, kept
from app.rules.variant import ROLLS, Cell, ColumnKind, Duty, Reach, Row


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Every action of the seat to move, and the undo of the one before; empty when the game is over."""
    actions: list[Action] = []
    layout = game.layout
    if roll_refusal(game) is None:
        actions.extend((Roll(),) if game.roll == 0 else layout.rolls)
    actions += [layout.announces[index] for index in announceable_cells(game)]
    actions += [layout.fills[index] for index in legal_cells(game)]
    if undo_refusal(game) is None:
        actions.append(Undo())
    return tuple(actions)


def legal_scores(game: Game) -> dict[Cell, int]:
    """The score that each legal cell would give, in sheet order."""
    legal = legal_cells(game)
    if not legal:
        return {}
    cells, places = game.layout.cells, game.layout.places
    scores = game.layout.scores(game.dice, game.roll)
    return {cells[index]: scores[places[index]] for index in legal}


@kept
def is_over(game: Game) -> bool:
    """Whether no seat has a playable empty cell."""
    return is_full(game.layout, game.sheet) and all(is_full(game.layout, sheet) for sheet in game.sheets)


@kept
def rolls_allowed(game: Game) -> int:
    """Rolls of this turn: three, or the variant's own number where one playable cell is left."""
    if game.variant.last_cell_rolls == ROLLS:
        return ROLLS
    sheet = game.sheet
    empty = (index for index in game.layout.playable if sheet[index] is None)
    is_last = next(empty, None) is not None and next(empty, None) is None
    return game.variant.last_cell_rolls if is_last else ROLLS


def can_play(game: Game) -> bool:
    """Whether some cell is legal now or can become legal in this turn. A seat that can't play passes."""
    if game.roll == 0:
        return roll_refusal(game) is None
    return _has_open_cell(game, game.roll, rolls_allowed(game))


def must_fill(game: Game) -> tuple[Binding, ...]:
    """What binds the seat to move to its notification column in this turn, by a duty that it can't refuse."""
    pending = game.pending[game.seat]
    if not pending:
        return ()
    notification = game.layout.column_by_kind[ColumnKind.NOTIFICATION].column
    return pending if notification.duty is Duty.MUST else ()


@kept
def legal_cells(game: Game) -> tuple[CellIndex, ...]:
    """Cells that can be filled now, in sheet order."""
    return tuple(chain.from_iterable(legal_by_column(game)))


def announceable_cells(game: Game) -> tuple[CellIndex, ...]:
    """Cells that can be announced now, in sheet order."""
    roll = game.roll
    columns = [column for column in game.layout.announceable if roll in column.column.window]
    if not columns or _tied_cells(game):
        return ()
    sheet = game.sheet
    return tuple([index for column in columns for index in empty_cells(column, sheet)])


def refusal(game: Game, action: Action) -> Reason | None:
    """Why the action is illegal; None for a legal one."""
    reason = _refusal(game, action)
    return Reason.GAME_OVER if reason is not None and is_over(game) else reason


def rows_first(game: Game, action: Action) -> tuple[Row, ...]:
    """The rows that come first in the column that an action names; none for a column without an order."""
    column = None if isinstance(action, Roll | Undo) else game.layout.column_by_kind.get(action.cell.column)
    return next_rows(game, column) if column else ()


def next_rows(game: Game, column: ColumnLayout) -> tuple[Row, ...]:
    """The rows that are next in an ordered column."""
    if not column.is_ordered:
        return ()
    cells = gaps_of(game.layout, game.sheet).nexts[column.place]
    return tuple([game.layout.cells[index].row for index in cells])


@kept
def roll_refusal(game: Game) -> Reason | None:
    """Why the seat to move can't roll, whatever it holds."""
    allowed = rolls_allowed(game)
    if _has_open_cell(game, game.roll + 1, allowed):
        return None
    if is_over(game):
        return Reason.GAME_OVER
    return Reason.NO_ROLLS_LEFT if game.roll >= allowed else Reason.NOTHING_TO_ROLL_FOR


def undo_refusal(game: Game) -> Reason | None:
    """Why the last entry can't be taken back."""
    if game.undo is Undoing.OFF:
        return Reason.UNDO_OFF
    if game.entry is None:
        return Reason.NOTHING_TO_UNDO
    return Reason.GAME_OVER if is_over(game) else None


@kept
def legal_by_column(game: Game) -> tuple[tuple[CellIndex, ...], ...]:
    """`legal_cells`, for each column its own."""
    columns = game.layout.columns
    if game.roll == 0:
        return ((),) * len(columns)
    tied = _tied_cells(game)
    if tied:
        return tuple([tuple([index for index in tied if index in column.cells]) for column in columns])
    by_column: list[tuple[CellIndex, ...]] = [()] * len(columns)
    for place, cells in _untied_cells(game, game.roll, game.roll):
        by_column[place] = cells
    return tuple(by_column)


def closed_reasons(game: Game) -> list[tuple[ColumnLayout, Reason]]:
    """The columns with empty cells that aren't legal now, and why those are not.

    Where reasons differ, as before the first roll of a bound turn, it is that of a cell the turn is tied to.
    """
    layout, tied, is_rolled = game.layout, _tied_cells(game), game.roll > 0
    tied_columns = () if is_rolled else {layout.cells[index].column for index in tied}
    reason_of_others = _reason_of_others(game) if tied else None
    reasons = []
    by_column = zip(layout.columns, legal_by_column(game), gaps_of(layout, game.sheet).empty, strict=True)
    for column, cells, empty in by_column:
        if empty == len(cells):
            continue
        if not column.is_playable:
            reason = _FILLS_ITSELF
        elif reason_of_others is not None and column.column.kind not in tied_columns:
            reason = reason_of_others
        else:
            reason = _gate_reason(column, cells) if is_rolled else _ROLL_FIRST
        reasons.append((column, reason))
    return reasons


def _has_open_cell(game: Game, first: int, last: int) -> bool:
    """Whether a cell can be filled after one of the rolls `first` to `last` of the turn."""
    if _tied_cells(game):
        return first <= last
    return any(cells for _, cells in _untied_cells(game, first, last))


@kept
def _tied_cells(game: Game) -> tuple[CellIndex, ...]:
    """The only cells that this turn can fill, announced in it or bound; none in a free turn."""
    if game.announced is not None:
        return (game.layout.index_by_cell[game.announced],)
    bindings = must_fill(game)
    return _bound_cells(game, bindings) if bindings else ()


def _bound_cells(game: Game, bindings: Iterable[Binding]) -> tuple[CellIndex, ...]:
    """The cells of bindings, each once: two opponents may have announced one row."""
    return tuple(sorted({game.layout.index_by_cell[binding.cell] for binding in bindings}))


def _untied_cells(game: Game, first: int, last: int) -> Iterator[tuple[int, tuple[CellIndex, ...]]]:
    """The cells that can be filled after one of the rolls `first` to `last` of a turn that is tied to none.

    Column by column, each with its place. A cell that has to be announced counts where it can be announced
    after one of them.
    """
    if first > last:
        return
    nexts = gaps_of(game.layout, game.sheet).nexts
    for column in game.layout.columns:
        cells = nexts[column.place]
        if not cells or column.first_roll > last or column.last_roll < first:
            continue
        if column.is_notification and not _opens_freely(game, column):
            cells = _bound_cells(game, game.pending[game.seat])
        elif column.is_final and any(nexts[: column.place] + nexts[column.place + 1 :]):
            continue
        yield column.place, cells


def _opens_freely(game: Game, notification: ColumnLayout) -> bool:
    """Whether no announcement can come any more to the seat to move, and none is pending."""
    if game.pending[game.seat]:
        return False
    if notification.column.reach is Reach.NEXT:
        announcers = [(game.seat - 1) % game.seats]
    else:
        announcers = [seat for seat in range(game.seats) if seat != game.seat]
    announced = game.layout.column_by_kind[ColumnKind.ANNOUNCED]
    return not any(has_empty_cell(announced, game.sheets[seat]) for seat in announcers)


def _refusal(game: Game, action: Action) -> Reason | None:
    match action:
        case Roll():
            return roll_refusal(game) or _hold_refusal(game, action)
        case Announce():
            return _announce_refusal(game, action.cell)
        case Fill():
            return _fill_refusal(game, action.cell)
        case Undo():
            return undo_refusal(game)
        case _:
            assert_never(action)


def _hold_refusal(game: Game, action: Roll) -> Reason | None:
    hold = action.hold
    if not hold:
        return None
    if list(hold) != sorted(set(hold)) or hold[0] < 0 or hold[-1] >= game.variant.dice:
        return Reason.UNKNOWN_DIE
    if game.roll == 0:
        return Reason.HELD_BEFORE_FIRST_ROLL
    return Reason.TOO_MANY_HELD if len(hold) > game.variant.max_hold else None


def _announce_refusal(game: Game, cell: Cell) -> Reason | None:
    index = game.layout.index_by_cell.get(cell)
    if index is None:
        return Reason.UNKNOWN_CELL
    return None if index in announceable_cells(game) else _announce_reason(game, cell, index)


def _announce_reason(game: Game, cell: Cell, index: CellIndex) -> Reason:
    """The reason for a cell that is known not to be announceable."""
    if not game.layout.column_by_kind[cell.column].column.window:
        return Reason.NOT_ANNOUNCEABLE
    if game.announced is not None:
        return Reason.ALREADY_ANNOUNCED
    if game.sheet[index] is not None:
        return Reason.CELL_FILLED
    if must_fill(game):
        return Reason.BOUND
    return Reason.ROLL_FIRST if game.roll == 0 else Reason.WINDOW_CLOSED


def _fill_refusal(game: Game, cell: Cell) -> Reason | None:
    index = game.layout.index_by_cell.get(cell)
    if index is None:
        return Reason.UNKNOWN_CELL
    column = game.layout.column_by_kind[cell.column]
    is_legal = index in legal_by_column(game)[column.place]
    return None if is_legal else _cell_refusal(game, column, index)


def _cell_refusal(game: Game, column: ColumnLayout, index: CellIndex) -> Reason:
    """The reason for a cell that is known not to be legal."""
    if not column.column.is_playable:
        return Reason.FILLS_ITSELF
    if game.sheet[index] is not None:
        return Reason.CELL_FILLED
    tied = _tied_cells(game)
    if tied and index not in tied:
        return _reason_of_others(game)
    return Reason.ROLL_FIRST if game.roll == 0 else _gate_reason(column, legal_by_column(game)[column.place])


def _reason_of_others(game: Game) -> Reason:
    """The reason for the cells that a turn is not tied to, where it is tied to some."""
    return Reason.OTHER_ANNOUNCED if game.announced is not None else Reason.BOUND


def _gate_reason(column: ColumnLayout, open_cells: tuple[CellIndex, ...]) -> Reason:
    """The reason for an empty cell that nothing but its own column closes, of which some cells are open."""
    if column.is_final and open_cells:
        return _OUT_OF_ORDER
    return _REASON_BY_GATE.get(column.column.kind, _OUT_OF_ORDER)


# Asked for every column after every action: a member is slow to find in its class.
_FILLS_ITSELF, _OUT_OF_ORDER, _ROLL_FIRST = Reason.FILLS_ITSELF, Reason.OUT_OF_ORDER, Reason.ROLL_FIRST
# Of a column that isn't here some cell is always open: the closed ones are out of order.
_REASON_BY_GATE = {
    ColumnKind.HAND: Reason.ONLY_AFTER_FIRST_ROLL,
    ColumnKind.ANNOUNCED: Reason.NOT_ANNOUNCED,
    ColumnKind.LATE_ANNOUNCED: Reason.NOT_ANNOUNCED,
    ColumnKind.NOTIFICATION: Reason.NO_NOTIFICATION,
    ColumnKind.FINAL: Reason.FINAL_TOO_EARLY,
}
