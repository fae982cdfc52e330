"""What happened in a room. Pure. The events of the game itself are those of `app.rules.events`."""

from typing import get_args

from msgspec import Struct

from app.rooms.room import OfferReason
from app.rules.events import Event
from app.rules.own_dice.actions import SheetEvent


class Joined(Struct, frozen=True):
    """A player took a seat."""

    seat: int
    player: str
    name: str


class Left(Struct, frozen=True):
    """A player gave his seat back; the seats after it have moved up by one."""

    seat: int
    player: str
    name: str


class Readied(Struct, frozen=True):
    """A seat's ready mark was set or cleared."""

    seat: int
    ready: bool


class SettingsChanged(Struct, frozen=True):
    """The room has another variant or number of seats, and nobody is ready any more."""

    variant: str
    max_seats: int


class Started(Struct, frozen=True):
    """The game has started with that many seats."""

    seats: int


class Finished(Struct, frozen=True):
    """The game is over."""

    reason: str


class Reopened(Struct, frozen=True):
    """A value was taken out of a sheet after the end: the game goes on."""


class BotAdded(Struct, frozen=True):
    """A bot took a seat."""

    seat: int
    name: str


class Kicked(Struct, frozen=True):
    """The host took a seat from its player; in the lobby the seats after it have moved up by one."""

    seat: int
    player: str
    name: str


class SeatLeft(Struct, frozen=True):
    """A player left his seat for good: a bot plays on in it."""

    seat: int


class SeatReturned(Struct, frozen=True):
    """A player plays his seat himself again."""

    seat: int


class HostPassed(Struct, frozen=True):
    """Another is the host now."""

    player: str
    name: str


class CalledOut(Struct, frozen=True):
    """The others may choose for the seat to move."""

    seat: int
    turn: int
    reason: OfferReason


class Waited(Struct, frozen=True):
    """Seat `by` chose to wait for the seat to move."""

    seat: int
    turn: int
    by: int


class BotChosen(Struct, frozen=True):
    """Seat `by` let a bot play this turn."""

    seat: int
    turn: int
    by: int


class ChatSet(Struct, frozen=True):
    """The host allowed what is said at the table, or forbade it."""

    on: bool


class RematchMade(Struct, frozen=True):
    """The table is a lobby again, for the game with that id."""

    game: str


class Postponed(Struct, frozen=True):
    """The deadline of the turn is so many milliseconds later."""

    ms: int


class Kept(Struct, frozen=True):
    """A player keeps this game on his device, or no longer."""

    seat: int
    kept: bool


TableEvent = (
    Joined
    | Left
    | Readied
    | SettingsChanged
    | Started
    | Finished
    | Reopened
    | BotAdded
    | Kicked
    | SeatLeft
    | SeatReturned
    | HostPassed
    | CalledOut
    | Waited
    | BotChosen
    | ChatSet
    | RematchMade
    | Postponed
    | Kept
)
"""What happened around the game: not in its log."""
TABLE_EVENTS = frozenset(get_args(TableEvent))
"""The same to look a type up in: isinstance tries one after another."""
RoomEvent = TableEvent | Event | SheetEvent
