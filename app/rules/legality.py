"""What is legal now, and the reason why something isn't. The one owner of legality.

Sources: docs/rules.md, A turn, Announcing, The notification column.
"""

from collections.abc import Iterable
from typing import assert_never

from app.rules.actions import Action, Announce, Fill, Reason, Roll
from app.rules.dice import positions_of
from app.rules.layout import CellIndex, ColumnLayout
from app.rules.scoring import counted_faces
from app.rules.sheet import empty_cells, is_full, next_cells
from app.rules.state import Binding, Game
from app.rules.variant import ROLLS, Cell, ColumnKind, Duty, Reach, Row


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Every action of the seat to move; empty when the game is over."""
    actions: list[Action] = []
    if roll_refusal(game) is None:
        actions.extend((Roll(),) if game.roll == 0 else game.layout.rolls)
    actions.extend(Announce(game.layout.cells[index]) for index in announceable_cells(game))
    actions.extend(Fill(game.layout.cells[index]) for index in legal_cells(game))
    return tuple(actions)


def legal_scores(game: Game) -> dict[Cell, int]:
    """The score that each legal cell would give, in sheet order."""
    legal = legal_cells(game)
    if not legal:
        return {}
    scores = game.layout.scores(game.dice, game.roll)
    return {game.layout.cells[index]: scores[game.layout.row_place(index)] for index in legal}


def counted_positions(game: Game, rows: Iterable[Row]) -> dict[Row, tuple[int, ...]]:
    """The dice positions that count in each of `rows` as the dice lie now."""
    wanted = set(rows)
    rules = (rule for rule in game.variant.rows if rule.row in wanted)
    return {rule.row: positions_of(counted_faces(rule, game.dice), game.dice) for rule in rules}


def is_over(game: Game) -> bool:
    """Whether no seat has a playable empty cell."""
    return all(is_full(game.layout, sheet) for sheet in game.sheets)


def rolls_allowed(game: Game) -> int:
    """Rolls of this turn: three, or the variant's own number where one playable cell is left."""
    if game.variant.last_cell_rolls == ROLLS:
        return ROLLS
    empty = sum(game.sheet[index] is None for index in game.layout.playable)
    return game.variant.last_cell_rolls if empty == 1 else ROLLS


def can_play(game: Game) -> bool:
    """Whether some cell is legal now or can become legal in this turn. A seat that can't play passes."""
    return bool(open_cells(game, range(max(game.roll, 1), rolls_allowed(game) + 1)))


def must_fill(game: Game) -> tuple[Binding, ...]:
    """What binds the seat to move to its notification column in this turn, by a duty that it can't refuse."""
    notification = game.layout.column_by_kind.get(ColumnKind.NOTIFICATION)
    if notification is None or notification.column.duty is not Duty.MUST:
        return ()
    return game.pending[game.seat]


def legal_cells(game: Game) -> tuple[CellIndex, ...]:
    """Cells that can be filled now, in sheet order."""
    return open_cells(game, (game.roll,)) if game.roll else ()


def open_cells(game: Game, rolls: Iterable[int]) -> tuple[CellIndex, ...]:
    """Cells that can be filled after one of `rolls` (numbers of rolls of this turn), if nothing is announced until then
    but what opens the cell itself."""
    index_by_cell = game.layout.index_by_cell
    if game.announced is not None:
        return (index_by_cell[game.announced],) if rolls else ()
    bindings = must_fill(game)
    if bindings:
        return tuple(sorted({index_by_cell[binding.cell] for binding in bindings})) if rolls else ()
    rolls = tuple(rolls)
    cells: list[CellIndex] = []
    for column in game.layout.columns:
        if _is_gate_open(game, column, rolls):
            cells.extend(_unlocked_cells(game, column))
    return tuple(cells)


def announceable_cells(game: Game) -> tuple[CellIndex, ...]:
    """Cells that can be announced now, in sheet order."""
    if game.announced is not None or must_fill(game):
        return ()
    columns = (column for column in game.layout.columns if game.roll in column.column.window)
    return tuple(index for column in columns for index in empty_cells(column, game.sheet))


def refusal(game: Game, action: Action) -> Reason | None:
    """Why the action is illegal; None for a legal one."""
    if is_over(game):
        return Reason.GAME_OVER
    match action:
        case Roll():
            return roll_refusal(game) or _hold_refusal(game, action)
        case Announce():
            return _announce_refusal(game, action.cell)
        case Fill():
            return _fill_refusal(game, action.cell)
        case _:
            assert_never(action)


def rows_first(game: Game, action: Action) -> tuple[Row, ...]:
    """The rows that come first in the column that the action names; none for a column without an order."""
    column = None if isinstance(action, Roll) else game.layout.column_by_kind.get(action.cell.column)
    return next_rows(game, column) if column else ()


def next_rows(game: Game, column: ColumnLayout) -> tuple[Row, ...]:
    """The rows that are next in an ordered column."""
    if not column.is_ordered:
        return ()
    return tuple(game.layout.cells[index].row for index in next_cells(column, game.sheet))


def roll_refusal(game: Game) -> Reason | None:
    """Why the seat to move can't roll, whatever it holds."""
    if is_over(game):
        return Reason.GAME_OVER
    allowed = rolls_allowed(game)
    if game.roll >= allowed:
        return Reason.NO_ROLLS_LEFT
    if not open_cells(game, range(game.roll + 1, allowed + 1)):
        return Reason.NOTHING_TO_ROLL_FOR
    return None


def closed_reason(game: Game, column: ColumnLayout) -> Reason | None:
    """Why the empty cells of a column that aren't legal now are not; None where all are legal."""
    legal = frozenset(legal_cells(game))
    closed = [index for index in empty_cells(column, game.sheet) if index not in legal]
    return _cell_refusal(game, column, closed[0]) if closed else None


def _hold_refusal(game: Game, action: Roll) -> Reason | None:
    hold = action.hold
    if list(hold) != sorted(set(hold)) or any(not 0 <= position < game.variant.dice for position in hold):
        return Reason.UNKNOWN_DIE
    if hold and game.roll == 0:
        return Reason.HELD_BEFORE_FIRST_ROLL
    return Reason.TOO_MANY_HELD if len(hold) > game.variant.max_hold else None


def _announce_refusal(game: Game, cell: Cell) -> Reason | None:
    index = game.layout.index_by_cell.get(cell)
    if index is None:
        return Reason.UNKNOWN_CELL
    if index in announceable_cells(game):
        return None
    window = game.layout.column_by_kind[cell.column].column.window
    if not window:
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
    if index in legal_cells(game):
        return None
    return _cell_refusal(game, game.layout.column_by_kind[cell.column], index)


def _cell_refusal(game: Game, column: ColumnLayout, index: CellIndex) -> Reason:
    """The reason for a cell that is known not to be legal."""
    if not column.column.is_playable:
        return Reason.FILLS_ITSELF
    if game.sheet[index] is not None:
        return Reason.CELL_FILLED
    if game.announced is not None:
        return Reason.OTHER_ANNOUNCED
    bindings = must_fill(game)
    if bindings and all(game.layout.index_by_cell[binding.cell] != index for binding in bindings):
        return Reason.BOUND
    if game.roll == 0:
        return Reason.ROLL_FIRST
    if not _is_gate_open(game, column, (game.roll,)) or column.column.kind is ColumnKind.NOTIFICATION:
        return _REASON_BY_GATE[column.column.kind]
    return Reason.OUT_OF_ORDER


_REASON_BY_GATE = {
    ColumnKind.HAND: Reason.ONLY_AFTER_FIRST_ROLL,
    ColumnKind.ANNOUNCED: Reason.NOT_ANNOUNCED,
    ColumnKind.LATE_ANNOUNCED: Reason.NOT_ANNOUNCED,
    ColumnKind.NOTIFICATION: Reason.NO_NOTIFICATION,
    ColumnKind.FINAL: Reason.FINAL_TOO_EARLY,
}


def _is_gate_open(game: Game, column: ColumnLayout, rolls: tuple[int, ...]) -> bool:
    """Whether the column as a whole can be filled after one of `rolls`, nothing being announced yet."""
    kind = column.column.kind
    if kind is ColumnKind.HAND:
        return 1 in rolls
    if column.column.window:
        return any(roll in column.column.window for roll in rolls)
    if kind is ColumnKind.FINAL:
        final = frozenset(column.cells)
        return all(game.sheet[index] is not None for index in game.layout.playable if index not in final)
    return bool(rolls)


def _unlocked_cells(game: Game, column: ColumnLayout) -> tuple[CellIndex, ...]:
    """The cells of a column with an open gate that its order, or an announcement, leaves open."""
    if column.column.kind is not ColumnKind.NOTIFICATION or _opens_freely(game, column):
        return next_cells(column, game.sheet)
    bound = {game.layout.index_by_cell[binding.cell] for binding in game.pending[game.seat]}
    return tuple(sorted(bound))


def _opens_freely(game: Game, notification: ColumnLayout) -> bool:
    """Whether no announcement can come any more to the seat to move, and none is pending."""
    if game.pending[game.seat]:
        return False
    announced = game.layout.column_by_kind[ColumnKind.ANNOUNCED]
    if notification.column.reach is Reach.NEXT:
        announcers = [(game.seat - 1) % game.seats]
    else:
        announcers = [seat for seat in range(game.seats) if seat != game.seat]
    return not any(empty_cells(announced, game.sheets[seat]) for seat in announcers)
