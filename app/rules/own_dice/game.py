"""An own-dice game: its state, what can be done on its sheets, and how that becomes events.

Source: docs/rules.md, Own dice. Column orders and the gate of the final column hold; gates that depend on
a roll or on another player's turn are open, since the players see to them.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from app.rules.actions import Reason
from app.rules.events import Announced, Filled
from app.rules.game import MAX_SEATS
from app.rules.layout import CellIndex, ColumnLayout, Layout, layout_of
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
from app.rules.own_dice.values import values_by_row
from app.rules.sheet import Sheet, empty_sheet, gaps_of, is_full, next_cells
from app.rules.standings import Standing, ranked
from app.rules.variant import Cell, ColumnKind, Variant


class OwnDiceGame(Struct, frozen=True):
    """A game under way or over. `announced`: for each seat the cell it has announced and not filled yet."""

    layout: Layout
    sheets: tuple[Sheet, ...]
    announced: tuple[Cell | None, ...]

    @property
    def variant(self) -> Variant:
        """The variant as this table plays it."""
        return self.layout.variant


def start(variant: Variant, seats: int) -> OwnDiceGame:
    """A game with empty sheets of every column of the variant. `seats`: 1 to 8."""
    if not 1 <= seats <= MAX_SEATS:
        raise ValueError(f"a game has 1 to {MAX_SEATS} seats, not {seats}")
    layout = layout_of(variant)
    return OwnDiceGame(layout, (empty_sheet(layout),) * seats, (None,) * seats)


def is_over(game: OwnDiceGame, seats: Iterable[int] | None = None) -> bool:
    """Whether every playable cell of every sheet is filled, or of those seats' sheets."""
    sheets = game.sheets if seats is None else [game.sheets[seat] for seat in seats]
    return all(is_full(game.layout, sheet) for sheet in sheets)


def standings(game: OwnDiceGame) -> tuple[Standing, ...]:
    """(place, seat, total) by place; equal totals share the place."""
    return ranked(game.layout, game.sheets)


def open_cells(game: OwnDiceGame, seat: int) -> tuple[CellIndex, ...]:
    """The empty cells that the seat can fill, in sheet order."""
    nexts = gaps_of(game.layout, game.sheets[seat]).nexts
    return tuple(
        index for column in game.layout.columns if _is_open(column, nexts) for index in nexts[column.place]
    )


def announceable_cells(game: OwnDiceGame, seat: int) -> tuple[CellIndex, ...]:
    """The empty cells of the columns that are announced, in sheet order."""
    sheet = game.sheets[seat]
    columns = (column for column in game.layout.columns if column.column.window)
    return tuple(index for column in columns for index in next_cells(column, sheet))


def apply(game: OwnDiceGame, seat: int, action: SheetAction) -> tuple[OwnDiceGame, tuple[SheetEvent, ...]]:
    """The game after an action on the sheet of a seat, and what happened. Raises IllegalEntry.

    Full sheets can be corrected too: they say who has won, and nothing else does.
    """
    event = _decide(game, seat, action)
    return evolve(game, event), (event,)


def evolve(game: OwnDiceGame, event: SheetEvent) -> OwnDiceGame:
    """The game after an event. Total over events that `apply` made; doesn't check them."""
    match event:
        case Filled():
            done = _written(game, event.seat, event.cell, event.score)
            return _announcing(done, event.seat, None) if game.announced[event.seat] == event.cell else done
        case Emptied():
            return _written(game, event.seat, event.cell, None)
        case Cleared():
            cleared = _with_sheet(game, event.seat, empty_sheet(game.layout))
            return _announcing(cleared, event.seat, None)
        case Announced():
            return _announcing(game, event.seat, event.cell)
        case Withdrawn():
            return _announcing(game, event.seat, None)
        case _:
            assert_never(event)


def _decide(game: OwnDiceGame, seat: int, action: SheetAction) -> SheetEvent:
    match action:
        case FillByHand():
            _check_fill(game, seat, action)
            return Filled(seat, action.cell, action.score)
        case EmptyCell():
            _check_present(game, seat, action.cell, action.score)
            return Emptied(seat, action.cell, action.score)
        case ClearSheet():
            return Cleared(seat)
        case AnnounceAloud():
            _check_announcement(game, seat, action.cell)
            return Announced(seat, action.cell)
        case Withdraw():
            if game.announced[seat] is None:
                raise IllegalEntry(SheetReason.NOTHING_ANNOUNCED)
            return Withdrawn(seat)
        case _:
            assert_never(action)


def _check_fill(game: OwnDiceGame, seat: int, action: FillByHand) -> None:
    index = _index_of(game, action.cell)
    present = game.sheets[seat][index]
    if present is not None and action.replaces is None:
        raise IllegalEntry(Reason.CELL_FILLED, action.cell, score=present)
    if present != action.replaces:
        raise IllegalEntry(SheetReason.CELL_CHANGED, action.cell, score=present)
    values = values_by_row(game.layout)[action.cell.row]
    if action.score not in values:
        raise IllegalEntry(SheetReason.VALUE_NOT_ALLOWED, action.cell, values=values)
    if present is None:
        _check_open(game, seat, action.cell, index)


def _check_open(game: OwnDiceGame, seat: int, cell: Cell, index: CellIndex) -> None:
    column = game.layout.column_by_kind[cell.column]
    nexts = gaps_of(game.layout, game.sheets[seat]).nexts
    if not _is_open(column, nexts):
        raise IllegalEntry(Reason.FINAL_TOO_EARLY, cell)
    if index not in nexts[column.place]:
        rows = tuple(game.layout.cells[first].row for first in nexts[column.place])
        raise IllegalEntry(Reason.OUT_OF_ORDER, cell, rows=rows)


def _check_present(game: OwnDiceGame, seat: int, cell: Cell, score: int) -> None:
    present = game.sheets[seat][_index_of(game, cell)]
    if present is None:
        raise IllegalEntry(SheetReason.CELL_EMPTY, cell)
    if present != score:
        raise IllegalEntry(SheetReason.CELL_CHANGED, cell, score=present)


def _check_announcement(game: OwnDiceGame, seat: int, cell: Cell) -> None:
    index = _index_of(game, cell)
    if not game.layout.column_by_kind[cell.column].column.window:
        raise IllegalEntry(Reason.NOT_ANNOUNCEABLE, cell)
    if game.sheets[seat][index] is not None:
        raise IllegalEntry(Reason.CELL_FILLED, cell, score=game.sheets[seat][index])
    if game.announced[seat] is not None:
        raise IllegalEntry(Reason.ALREADY_ANNOUNCED, cell)


def _index_of(game: OwnDiceGame, cell: Cell) -> CellIndex:
    if cell not in game.layout.index_by_cell:
        raise IllegalEntry(Reason.UNKNOWN_CELL, cell)
    if not game.layout.column_by_kind[cell.column].column.is_playable:
        raise IllegalEntry(Reason.FILLS_ITSELF, cell)
    return game.layout.index_by_cell[cell]


def _is_open(column: ColumnLayout, nexts: tuple[tuple[CellIndex, ...], ...]) -> bool:
    """Whether the column's next cells can be filled: the final column waits for all others."""
    others = nexts[: column.place] + nexts[column.place + 1 :]
    return column.column.kind is not ColumnKind.FINAL or not any(others)


def _written(game: OwnDiceGame, seat: int, cell: Cell, score: int | None) -> OwnDiceGame:
    sheet = list(game.sheets[seat])
    sheet[game.layout.index_by_cell[cell]] = score
    return _with_sheet(game, seat, tuple(sheet))


def _with_sheet(game: OwnDiceGame, seat: int, sheet: Sheet) -> OwnDiceGame:
    return replace(game, sheets=(*game.sheets[:seat], sheet, *game.sheets[seat + 1 :]))


def _announcing(game: OwnDiceGame, seat: int, cell: Cell | None) -> OwnDiceGame:
    return replace(game, announced=(*game.announced[:seat], cell, *game.announced[seat + 1 :]))
