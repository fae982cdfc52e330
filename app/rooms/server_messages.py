"""What the server says, as types: the description of the wire that tests and schemas are made from.

`wire` and `views` make these messages without them: our own data is not validated on its way out.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from app.rooms.messages import Emote, Strict
from app.rooms.parts import (
    CellPart,
    DiceProofPart,
    OwnPart,
    ResultPart,
    RoomPart,
    SeatPart,
    SheetPart,
    StatePart,
    TurnPart,
)
from app.rooms.presence import Presence
from app.rooms.refusals import RefusalCode
from app.rooms.room import OfferReason
from app.rules.actions import Reason
from app.rules.own_dice.actions import SheetReason
from app.variant_parts import VariantPart


class MovedEvent(Strict):
    """A player took a seat, gave it back, or was sent away from it."""

    type: Literal["joined", "left", "kicked"]
    seat: int
    player: str
    name: str


class ReadiedEvent(Strict):
    """A ready mark was set or cleared."""

    type: Literal["readied"]
    seat: int
    ready: bool


class SettingsChangedEvent(Strict):
    """The host changed the settings."""

    type: Literal["settings_changed"]
    variant: str
    max_seats: int


class StartedEvent(Strict):
    """The game started."""

    type: Literal["started"]
    seats: int


class BotAddedEvent(Strict):
    """A bot took a seat."""

    type: Literal["bot_added"]
    seat: int
    name: str


class SeatEvent(Strict):
    """A player left his seat for good, or plays it himself again."""

    type: Literal["seat_left", "seat_returned"]
    seat: int


class HostPassedEvent(Strict):
    """Another is the host now."""

    type: Literal["host_passed"]
    player: str
    name: str


class CalledOutEvent(Strict):
    """The others may choose for the seat to move."""

    type: Literal["called_out"]
    seat: int
    turn: int
    reason: OfferReason


class ChosenEvent(Strict):
    """Seat `by` chose for the seat to move."""

    type: Literal["waited", "bot_chosen"]
    seat: int
    turn: int
    by: int


class ChatSetEvent(Strict):
    """The host allowed what is said at the table, or forbade it."""

    type: Literal["chat_set"]
    on: bool


class RematchEvent(Strict):
    """The table is a lobby again; the next game's id."""

    type: Literal["rematch"]
    game: str


class PostponedEvent(Strict):
    """The deadline of the turn is so many milliseconds later."""

    type: Literal["postponed"]
    ms: int


class KeptEvent(Strict):
    """A player keeps this game on his device, or no longer."""

    type: Literal["kept"]
    seat: int
    kept: bool


class RolledEvent(Strict):
    """Dice were rolled."""

    type: Literal["rolled"]
    seat: int
    roll: int
    dice: list[int]
    held: list[int]


class AnnouncedEvent(CellPart):
    """A cell was announced."""

    type: Literal["announced"]
    seat: int


class FilledEvent(CellPart):
    """A cell was filled."""

    type: Literal["filled"]
    seat: int
    score: int


class PassedEvent(Strict):
    """A seat could play no cell."""

    type: Literal["passed"]
    seat: int


class UndoneEvent(Strict):
    """A seat took its last entry back."""

    type: Literal["undone"]
    seat: int


class EmptiedEvent(CellPart):
    """What stood in a cell was taken out."""

    type: Literal["emptied"]
    seat: int
    score: int


class SheetEvent(Strict):
    """A sheet was cleared, or an announcement taken back, at an own-dice table."""

    type: Literal["cleared", "withdrawn"]
    seat: int


class ReopenedEvent(Strict):
    """A value was taken out of a sheet of an own-dice game after its end: the game goes on."""

    type: Literal["reopened"]


class FinishedEvent(Strict):
    """The game ended."""

    type: Literal["finished"]
    reason: Literal["sheets_full"]


EventPart = Annotated[
    MovedEvent
    | ReadiedEvent
    | SettingsChangedEvent
    | StartedEvent
    | BotAddedEvent
    | SeatEvent
    | HostPassedEvent
    | CalledOutEvent
    | ChosenEvent
    | ChatSetEvent
    | RematchEvent
    | PostponedEvent
    | KeptEvent
    | RolledEvent
    | AnnouncedEvent
    | FilledEvent
    | PassedEvent
    | UndoneEvent
    | EmptiedEvent
    | SheetEvent
    | FinishedEvent
    | ReopenedEvent,
    Field(discriminator="type"),
]


class YouPart(Strict):
    """Who the socket is from."""

    player: str
    name: str


class Welcome(Strict):
    """A snapshot."""

    type: Literal["welcome"]
    protocol: Literal[2]
    epoch: str
    version: int
    now: int
    you: YouPart
    state: StatePart


class Update(Strict):
    """A step: its events, and the parts of the state that changed."""

    type: Literal["update"]
    version: int
    at: int
    events: list[EventPart]
    room: RoomPart | None = None
    variant: VariantPart | None = None
    seats: list[SeatPart] | None = None
    dice_proof: DiceProofPart | None = None
    sheets: list[SheetPart] | None = None
    turn: TurnPart | None = None
    own: OwnPart | None = None
    result: ResultPart | None = None


class Ok(Strict):
    """The command was committed."""

    type: Literal["ok"]
    request: str
    version: int


class Refused(Strict):
    """The command changed nothing."""

    type: Literal["refused"]
    request: str | None
    code: RefusalCode | Reason | SheetReason
    sentence: str
    retry: bool
    detail: dict[str, Any] | None = None


class HoldingSeen(Strict):
    """Another player moves his holds."""

    type: Literal["holding"]
    seat: int
    turn: int
    roll: int
    hold: list[int]


class Notice(Strict):
    """Something about the server."""

    type: Literal["notice"]
    code: Literal["restarting", "expired"]


class PresencePart(Strict):
    """How a seated player is there. `name` is missing where the player's seat has it."""

    player: str
    name: str | None = None
    state: Presence


class PresenceSeen(Strict):
    """Who is there: every seated player, and how many look on."""

    type: Literal["presence"]
    players: list[PresencePart]
    spectators: int


class Said(Strict):
    """Somebody said something at the table. Text, never markup."""

    type: Literal["said"]
    request: str
    player: str
    name: str
    text: str
    at: int


class Emoted(Strict):
    """Somebody showed an emote."""

    type: Literal["emoted"]
    request: str
    player: str
    name: str
    emote: Emote
    at: int


class Pong(Strict):
    """The room's version."""

    type: Literal["pong"]
    version: int


ServerMessage = Annotated[
    Welcome | Update | Ok | Refused | HoldingSeen | PresenceSeen | Said | Emoted | Notice | Pong,
    Field(discriminator="type"),
]
