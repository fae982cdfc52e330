"""What a player asks of a room, and what happened in one. Pure.

Commands are imperative, events past tense; the events of the game itself are those of `app.rules.events`.
"""

from dataclasses import dataclass

from app.rules.actions import Action
from app.rules.events import Event
from app.rules.own_dice.actions import SheetAction, SheetEvent
from app.rules.state import Undoing
from app.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class By:
    """Who gives a command, and when (milliseconds since 1970 in UTC)."""

    player: str
    name: str
    now: int


@dataclass(frozen=True, slots=True)
class Join:
    """Take the next free seat. `text` is the seat's part of the dice.

    `name`: for whom, where the player takes a further seat at an own-dice table; None for himself.
    """

    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat back: the one with that number, or the player's first."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MarkReady:
    """Set or clear the ready mark."""

    ready: bool


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Play the variant of that id, with that many seats at most.

    `columns` are those that were chosen; None for the variant's own. `undo`, `own_dice`: None to leave it.
    `found` is the variant of that id where it is no preset: it is looked for before anything is decided.
    """

    variant: str
    max_seats: int
    columns: tuple[str, ...] | None = None
    undo: Undoing | None = None
    own_dice: bool | None = None
    found: Variant | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Start the game."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game, and the seat, turn and number of rolls made that it was meant for."""

    seat: int
    turn: int
    roll: int
    action: Action


@dataclass(frozen=True, slots=True)
class ActOnSheet:
    """An action on the sheet of a seat of an own-dice table."""

    seat: int
    action: SheetAction


Command = Join | Leave | MarkReady | ChangeSettings | Start | Act | ActOnSheet


@dataclass(frozen=True, slots=True)
class Joined:
    """A player took a seat."""

    seat: int
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player gave his seat back; the seats after it have moved up by one."""

    seat: int
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Readied:
    """A seat's ready mark was set or cleared."""

    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The room has another variant or number of seats, and nobody is ready any more."""

    variant: str
    max_seats: int


@dataclass(frozen=True, slots=True)
class Started:
    """The game has started with that many seats."""

    seats: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over."""

    reason: str


TableEvent = Joined | Left | Readied | SettingsChanged | Started | Finished
"""What happened around the game: not in its log."""
RoomEvent = TableEvent | Event | SheetEvent
