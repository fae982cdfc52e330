"""What happened in a game. Events are past tense; a game is the fold of its events."""

from msgspec import Struct

from app.rules.dice import Dice
from app.rules.variant import Cell


class Rolled(Struct, frozen=True):
    """Roll number `roll` of the turn. `dice` are all faces after it, `held` the positions that were kept."""

    seat: int
    roll: int
    dice: Dice
    held: tuple[int, ...]


class Announced(Struct, frozen=True):
    """The seat named the cell its turn will fill."""

    seat: int
    cell: Cell


class Filled(Struct, frozen=True):
    """The seat's turn ended with `score` in `cell`."""

    seat: int
    cell: Cell
    score: int


class Passed(Struct, frozen=True):
    """The seat's turn ended before it began, since no cell could become legal in it."""

    seat: int


class Undone(Struct, frozen=True):
    """The seat took its last entry back: the turn is as it was before it."""

    seat: int


Event = Rolled | Announced | Filled | Passed | Undone
