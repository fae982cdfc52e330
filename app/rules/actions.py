"""What a player can do, and why he can't. Actions are imperative; no action carries faces."""

from enum import StrEnum

from msgspec import Struct

from app.rules.variant import Cell, Row


class Roll(Struct, frozen=True):
    """Roll every die but those at the positions in `hold` (from 0, rising)."""

    hold: tuple[int, ...] = ()


class Announce(Struct, frozen=True):
    """Name the cell that this turn will fill."""

    cell: Cell


class Fill(Struct, frozen=True):
    """Write what the dice give into a cell."""

    cell: Cell


class Undo(Struct, frozen=True):
    """Take the last entry back. The one action that isn't of the seat to move but of the one before."""


Action = Roll | Announce | Fill | Undo


class Reason(StrEnum):
    """Why an action is illegal. The texts are the codes of the protocol."""

    GAME_OVER = "game_over"
    ROLL_FIRST = "roll_first"
    NO_ROLLS_LEFT = "no_rolls_left"
    NOTHING_TO_ROLL_FOR = "nothing_to_roll_for"
    TOO_MANY_HELD = "too_many_held"
    UNKNOWN_DIE = "unknown_die"
    HELD_BEFORE_FIRST_ROLL = "held_before_first_roll"
    UNKNOWN_CELL = "unknown_cell"
    CELL_FILLED = "cell_filled"
    FILLS_ITSELF = "fills_itself"
    OUT_OF_ORDER = "out_of_order"
    ONLY_AFTER_FIRST_ROLL = "only_after_first_roll"
    NOT_ANNOUNCED = "not_announced"
    OTHER_ANNOUNCED = "other_announced"
    BOUND = "bound"
    NO_NOTIFICATION = "no_notification"
    FINAL_TOO_EARLY = "final_too_early"
    NOT_ANNOUNCEABLE = "not_announceable"
    ALREADY_ANNOUNCED = "already_announced"
    WINDOW_CLOSED = "window_closed"
    UNDO_OFF = "undo_off"
    NOTHING_TO_UNDO = "nothing_to_undo"


class IllegalAction(ValueError):
    """The action is not among the legal ones. `rows`: those of its column that come first, if any do."""

    def __init__(self, reason: Reason, action: Action, rows: tuple[Row, ...] = ()) -> None:
        super().__init__(f"{reason}: {action}")
        self.reason = reason
        self.action = action
        self.rows = rows
