"""What happened in a game. Events are past tense; a game is the fold of its events."""

from dataclasses import dataclass

from app.rules.dice import Dice
from app.rules.variant import Cell


@dataclass(frozen=True, slots=True)
class Rolled:
    """Roll number `roll` of the turn. `dice` are all faces after it, `held` the positions that were kept."""

    seat: int
    roll: int
    dice: Dice
    held: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Announced:
    """The seat named the cell its turn will fill."""

    seat: int
    cell: Cell


@dataclass(frozen=True, slots=True)
class Filled:
    """The seat's turn ended with `score` in `cell`."""

    seat: int
    cell: Cell
    score: int


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat's turn ended before it began, since no cell could become legal in it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undone:
    """The seat took its last entry back: the turn is as it was before it."""

    seat: int


Event = Rolled | Announced | Filled | Passed | Undone
