"""What a player does on a sheet of an own-dice table, what happens there, and why something can't be done."""

from enum import StrEnum

from msgspec import Struct

from app.rules.actions import Reason
from app.rules.events import Announced, Filled
from app.rules.variant import Cell, Row


class FillByHand(Struct, frozen=True):
    """Write `score` into a cell. `replaces`: what stands there; None where the cell is empty."""

    cell: Cell
    score: int
    replaces: int | None = None


class EmptyCell(Struct, frozen=True):
    """Take what stands in a cell, `score`, out of it."""

    cell: Cell
    score: int


class ClearSheet(Struct, frozen=True):
    """Take everything out of the sheet, and the announcement back."""


class AnnounceAloud(Struct, frozen=True):
    """Tell the whole table which cell is going to be filled."""

    cell: Cell


class Withdraw(Struct, frozen=True):
    """Take the announcement back."""


SheetAction = FillByHand | EmptyCell | ClearSheet | AnnounceAloud | Withdraw


class Emptied(Struct, frozen=True):
    """What stood in a cell of the seat was taken out: `score`."""

    seat: int
    cell: Cell
    score: int


class Cleared(Struct, frozen=True):
    """The seat's sheet is empty again."""

    seat: int


class Withdrawn(Struct, frozen=True):
    """The seat's announcement was taken back."""

    seat: int


SheetEvent = Filled | Emptied | Cleared | Announced | Withdrawn
"""An own-dice game is the fold of these. Filling a filled cell replaces what stands there."""


class SheetReason(StrEnum):
    """Why an action on a sheet can't be done, beside the reasons of other games."""

    VALUE_NOT_ALLOWED = "value_not_allowed"
    CELL_CHANGED = "cell_changed"
    CELL_EMPTY = "cell_empty"
    NOTHING_ANNOUNCED = "nothing_announced"


class IllegalEntry(ValueError):
    """The action can't be done; nothing changed.

    `rows`: those of the column that come first, where its order is the reason. `values`: what the row can
    have, where the value is. `score`: what stands in the cell, where that is.
    """

    def __init__(
        self,
        reason: Reason | SheetReason,
        cell: Cell | None = None,
        *,
        rows: tuple[Row, ...] = (),
        values: tuple[int, ...] = (),
        score: int | None = None,
    ) -> None:
        super().__init__(f"{reason}: {cell}")
        self.reason = reason
        self.cell = cell
        self.rows = rows
        self.values = values
        self.score = score
