"""The state of a game: always the fold of its events, and nothing that can be derived."""

from dataclasses import dataclass
from typing import NamedTuple

from app.rules.dice import Dice
from app.rules.layout import Layout
from app.rules.sheet import Sheet
from app.rules.variant import Cell, Variant


class Binding(NamedTuple):
    """A notification cell that an announcement by seat `by` opened."""

    cell: Cell
    by: int


@dataclass(frozen=True, slots=True)
class Game:
    """A game under way or over.

    `turn` counts from 1 over all seats; `roll` is the number of rolls made in it, `dice` the faces after the
    last of them, `held` the positions kept in it. `pending` has for each seat what binds its next turn, or
    the present one.
    """

    layout: Layout
    sheets: tuple[Sheet, ...]
    pending: tuple[tuple[Binding, ...], ...]
    turn: int = 1
    roll: int = 0
    dice: Dice = ()
    held: tuple[int, ...] = ()
    announced: Cell | None = None

    @property
    def variant(self) -> Variant:
        """The variant as this table plays it."""
        return self.layout.variant

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.sheets)

    @property
    def seat(self) -> int:
        """The seat to move."""
        return (self.turn - 1) % len(self.sheets)

    @property
    def round(self) -> int:
        """The seat's own turn number, from 1."""
        return (self.turn - 1) // len(self.sheets) + 1

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat to move."""
        return self.sheets[self.seat]
