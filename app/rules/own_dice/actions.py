"""What a player does on a sheet of an own-dice table, what happens there, and why something can't be done."""

from dataclasses import dataclass
from enum import StrEnum

from app.rules.actions import Reason
from app.rules.events import Announced, Filled
from app.rules.variant import Cell, Row


@dataclass(frozen=True, slots=True)
class FillByHand:
    """Write `score` into a cell. `replaces`: what stands there; None where the cell is empty."""

    cell: Cell
    score: int
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class EmptyCell:
    """Take what stands in a cell, `score`, out of it."""

    cell: Cell
    score: int


@dataclass(frozen=True, slots=True)
class ClearSheet:
    """Take everything out of the sheet, and the announcement back."""


@dataclass(frozen=True, slots=True)
class AnnounceAloud:
    """Tell the whole table which cell is going to be filled."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take the announcement back."""


SheetAction = FillByHand | EmptyCell | ClearSheet | AnnounceAloud | Withdraw


@dataclass(frozen=True, slots=True)
class Emptied:
    """What stood in a cell of the seat was taken out: `score`."""

    seat: int
    cell: Cell
    score: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """The seat's sheet is empty again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
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
