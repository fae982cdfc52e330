"""What happened in a room. Pure. The events of the game itself are those of `app.rules.events`."""

from dataclasses import dataclass

from app.rooms.room import OfferReason
from app.rules.events import Event
from app.rules.own_dice.actions import SheetEvent


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


@dataclass(frozen=True, slots=True)
class BotAdded:
    """A bot took a seat."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Kicked:
    """The host took a seat from its player; in the lobby the seats after it have moved up by one."""

    seat: int
    player: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left his seat for good: a bot plays on in it."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """A player plays his seat himself again."""

    seat: int


@dataclass(frozen=True, slots=True)
class HostPassed:
    """Another is the host now."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class CalledOut:
    """The others may choose for the seat to move."""

    seat: int
    turn: int
    reason: OfferReason


@dataclass(frozen=True, slots=True)
class Waited:
    """Seat `by` chose to wait for the seat to move."""

    seat: int
    turn: int
    by: int


@dataclass(frozen=True, slots=True)
class BotChosen:
    """Seat `by` let a bot play this turn."""

    seat: int
    turn: int
    by: int


@dataclass(frozen=True, slots=True)
class ChatSet:
    """The host allowed what is said at the table, or forbade it."""

    on: bool


@dataclass(frozen=True, slots=True)
class RematchMade:
    """The table is a lobby again, for the game with that id."""

    game: str


@dataclass(frozen=True, slots=True)
class Postponed:
    """The deadline of the turn is so many milliseconds later."""

    ms: int


TableEvent = (
    Joined
    | Left
    | Readied
    | SettingsChanged
    | Started
    | Finished
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
)
"""What happened around the game: not in its log."""
RoomEvent = TableEvent | Event | SheetEvent
