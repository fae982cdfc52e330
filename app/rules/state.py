"""The state of a game: always the fold of its events, and nothing that can be derived."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import NamedTuple, TypeVar

from msgspec import Struct

from app.rules.dice import Dice
from app.rules.layout import Layout
from app.rules.sheet import Sheet, gaps_of
from app.rules.variant import Cell, Variant


class Binding(NamedTuple):
    """A notification cell that an announcement by seat `by` opened."""

    cell: Cell
    by: int


class Undoing(StrEnum):
    """What can be taken back at a table: nothing, or the last entry until anybody rolls."""

    OFF = "off"
    ENTRY = "entry"


class Entry(Struct, frozen=True):
    """An entry that can be taken back: its cell, and the turn as it was before it.

    `bound` is what bound the turn; the rest is named as in a game.
    """

    cell: Cell
    turn: int
    roll: int
    dice: Dice
    held: tuple[int, ...]
    announced: Cell | None
    bound: tuple[Binding, ...]


class Game(Struct, frozen=True, dict=True):  # dict: for what `kept` keeps
    """A game under way or over.

    `turn` counts from 1 over all seats; `roll` is the number of rolls made in it, `dice` the faces after the
    last of them, `held` the positions kept in it. `pending` has for each seat what binds its next turn, or
    the present one. `entry` is the last entry, as long as `undo` lets it be taken back.
    """

    layout: Layout
    sheets: tuple[Sheet, ...]
    pending: tuple[tuple[Binding, ...], ...]
    turn: int = 1
    roll: int = 0
    dice: Dice = ()
    held: tuple[int, ...] = ()
    announced: Cell | None = None
    undo: Undoing = Undoing.OFF
    entry: Entry | None = None

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
    def undo_seat(self) -> int | None:
        """The seat whose entry can be taken back, while the game is not over."""
        return None if self.entry is None else (self.entry.turn - 1) % len(self.sheets)

    @property
    def seat_turn(self) -> int:
        """The seat's own turn number, from 1, passes counted: no two of its turns share their dice."""
        return (self.turn - 1) // len(self.sheets) + 1

    @property
    def round(self) -> int:
        """Which of its entries the seat to move makes now, from 1 to `rounds`. A pass is no round."""
        gaps = gaps_of(self.layout, self.sheet)
        playable = zip(gaps.columns, gaps.empty, strict=True)
        empty = sum([cells for column, cells in playable if column.is_playable])
        return self.rounds - max(empty, 1) + 1

    @property
    def rounds(self) -> int:
        """Entries that a seat makes in a game: the playable cells of a sheet."""
        return len(self.layout.playable)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat to move."""
        return self.sheets[self.seat]


Found = TypeVar("Found")


def kept(find: Callable[[Game], Found]) -> Callable[[Game], Found]:
    """Keeps with a game what follows from it, once it was asked for. Whoever gets it must not change it.

    What is legal is asked when the table is told of an action, and again when the next one is decided.
    """
    name = find.__name__

    @wraps(find)
    def look_up(game: Game) -> Found:
        known = game.__dict__
        if name not in known:
            known[name] = find(game)
        found: Found = known[name]
        return found

    return look_up
