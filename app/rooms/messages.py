"""What a client may say: one closed union of messages. The commands they stand for are in `message_commands`.

Strict: an unknown field, a wrong type or a value out of bounds makes the message malformed. What is legal in
the game is not decided here.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Literal
from unicodedata import category

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from app.accounts.names import clean_name
from app.rooms.commands import Choice
from app.rooms.room import Pace
from app.rules.fairness import MAX_TEXT_CHARACTERS
from app.rules.game import MAX_SEATS
from app.rules.state import Undoing
from app.rules.variant import ColumnKind
from app.rules.variant import Row as SheetRow

PROTOCOL = 2
MAX_MESSAGE_BYTES = 8 * 1024
MAX_SAID_CHARACTERS = 200
LARGEST_COUNT = 2**31 - 1


def _visible(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("visible characters are expected")
    return text


# What ties letters and signs together in some scripts, and in signs made of several.
_JOINERS = frozenset("\u200c\u200d")


def _sayable(text: str) -> str:
    """Visible text with spaces of any width; no line breaks, and nothing that turns the direction."""
    if not any(character.isprintable() and not character.isspace() for character in text):
        raise ValueError("visible characters are expected")
    if not all(_is_sayable(character) for character in text):
        raise ValueError("control characters can't be said")
    return text


def _is_sayable(character: str) -> bool:
    return character.isprintable() or character in _JOINERS or category(character) == "Zs"


Request = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
SeatText = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARACTERS), AfterValidator(_visible)
]
GameId = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_visible)]
SaidText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_SAID_CHARACTERS),
    AfterValidator(_sayable),
]
SeatName = Annotated[str, AfterValidator(clean_name)]
Epoch = Annotated[str, StringConstraints(min_length=1, max_length=64)]
VariantId = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_visible)]
ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=32), AfterValidator(_visible)]
ColumnNames = Annotated[list[ColumnName], Field(max_length=32)]
"""Columns by their names; which ones a variant can have is not decided here."""
Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
Position = Annotated[int, Field(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]
"""A die's position; one that doesn't exist is refused by the rules, with a reason of its own."""
Score = Annotated[int, Field(ge=-LARGEST_COUNT, le=LARGEST_COUNT)]
"""A value in a sheet; one that its row can't have is refused by the rules, with what the row can have."""
Hold = Annotated[list[Position], Field(max_length=6)]


class Emote(StrEnum):
    """What can be shown without words; each player's client says it in his language."""

    HELLO = "hello"
    WELL_PLAYED = "well_played"
    LUCKY = "lucky"
    OOPS = "oops"
    THINKING = "thinking"
    HURRY = "hurry"
    THANKS = "thanks"
    BYE = "bye"


class Strict(BaseModel):
    """A message, or a part of one: nothing is converted, nothing unknown is let in."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(Strict):
    """The first message of a socket; with the last state seen, if there is one."""

    type: Literal["hello"]
    protocol: Annotated[int, Field(ge=PROTOCOL, le=PROTOCOL)]  # a Literal would take true and 1.0 for it
    epoch: Epoch | None = None
    version: Count | None = None


class JoinMessage(Strict):
    """Take the next free seat; at an own-dice table also further ones, each with a name."""

    type: Literal["join"]
    request: Request
    text: SeatText
    name: SeatName | None = None


class LeaveMessage(Strict):
    """Give the seat back; in a game, leave it for good."""

    type: Literal["leave"]
    request: Request
    seat: Count | None = None


class ReadyMessage(Strict):
    """Set or clear the ready mark."""

    type: Literal["ready"]
    request: Request
    ready: bool
    text: SeatText | None = None


class SettingsMessage(Strict):
    """Change what will be played, and how: what is left out stays as it is."""

    type: Literal["settings"]
    request: Request
    variant: VariantId
    max_seats: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    columns: ColumnNames | None = None
    undo: Undoing | None = None
    own_dice: bool | None = None
    pace: Pace | None = None
    chat: bool | None = None


class StartMessage(Strict):
    """Start the game."""

    type: Literal["start"]
    request: Request


class AddBotMessage(Strict):
    """Let a bot take the next free seat."""

    type: Literal["add_bot"]
    request: Request


class KickMessage(Strict):
    """Send the player of a seat away, or take a bot off."""

    type: Literal["kick"]
    request: Request
    seat: Count


class ReturnMessage(Strict):
    """Play a seat oneself again."""

    type: Literal["return"]
    request: Request
    seat: Count | None = None


class ChooseMessage(Strict):
    """Take the offer that stands for that seat and turn."""

    type: Literal["choose"]
    request: Request
    seat: Count
    turn: Count
    choice: Choice


class RematchMessage(Strict):
    """Play once more after that game."""

    type: Literal["rematch"]
    request: Request
    game: GameId


class ChatMessage(Strict):
    """Allow what is said at the table, or not."""

    type: Literal["chat"]
    request: Request
    on: bool


class KeepMessage(Strict):
    """Keep this game on the player's own device, off every leaderboard for him, or not."""

    type: Literal["keep"]
    request: Request
    keep: bool


class SayMessage(Strict):
    """Say something to the table."""

    type: Literal["say"]
    request: Request
    text: SaidText


class EmoteMessage(Strict):
    """Show the table an emote."""

    type: Literal["emote"]
    request: Request
    emote: Emote


class RollAction(Strict):
    """Roll every die but those held."""

    type: Literal["roll"]
    hold: Hold


class AnnounceAction(Strict):
    """Name the cell that this turn will fill."""

    type: Literal["announce"]
    column: ColumnKind
    row: SheetRow


class FillAction(Strict):
    """Write what the dice give into a cell."""

    type: Literal["fill"]
    column: ColumnKind
    row: SheetRow


class UndoAction(Strict):
    """Take the last entry back."""

    type: Literal["undo"]


ActionPart = RollAction | AnnounceAction | FillAction | UndoAction


class ActMessage(Strict):
    """An action of the game."""

    type: Literal["act"]
    request: Request
    seat: Count
    turn: Count
    roll: Count
    action: Annotated[ActionPart, Field(discriminator="type")]


class FillEntry(Strict):
    """Write a value into a cell, in place of the one that stands there."""

    type: Literal["fill"]
    column: ColumnKind
    row: SheetRow
    score: Score
    replaces: Score | None = None


class EmptyEntry(Strict):
    """Take the value that stands in a cell out of it."""

    type: Literal["empty"]
    column: ColumnKind
    row: SheetRow
    score: Score


class ClearEntry(Strict):
    """Empty the whole sheet."""

    type: Literal["clear"]


class AnnounceEntry(Strict):
    """Tell the table which cell is going to be filled."""

    type: Literal["announce"]
    column: ColumnKind
    row: SheetRow


class WithdrawEntry(Strict):
    """Take the announcement back."""

    type: Literal["withdraw"]


EntryPart = FillEntry | EmptyEntry | ClearEntry | AnnounceEntry | WithdrawEntry


class SheetMessage(Strict):
    """An action on a sheet of an own-dice table."""

    type: Literal["sheet"]
    request: Request
    seat: Count
    action: Annotated[EntryPart, Field(discriminator="type")]


class Holding(Strict):
    """Shows the others which dice are being held."""

    type: Literal["holding"]
    seat: Count
    turn: Count
    roll: Count
    hold: Hold


class Ping(Strict):
    """Asks for the room's version, and for updates missing after `version`. `away`: the page is hidden."""

    type: Literal["ping"]
    version: Count
    away: bool = False


class PresenceMessage(Strict):
    """Said at once when the page hides or shows."""

    type: Literal["presence"]
    away: bool


CommandMessage = (
    JoinMessage
    | LeaveMessage
    | ReadyMessage
    | SettingsMessage
    | StartMessage
    | ActMessage
    | SheetMessage
    | AddBotMessage
    | KickMessage
    | ReturnMessage
    | ChooseMessage
    | RematchMessage
    | ChatMessage
    | KeepMessage
)
"""Those that change the room, each by one command."""
TalkMessage = SayMessage | EmoteMessage
"""Those that are answered and change nothing."""
ClientMessage = Hello | CommandMessage | TalkMessage | Holding | Ping | PresenceMessage

_CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
_read: Callable[[str], ClientMessage] = _CLIENT_MESSAGE.validator.validate_json


class Malformed(ValueError):
    """Not a message of the protocol. `field` names what is wrong, outermost first; empty for the whole."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}" if field else sentence)
        self.field = field


class OtherProtocol(Malformed):
    """A hello without the number of this protocol: nothing that this client says will be understood."""


def read_message(text: str) -> ClientMessage:
    """The message in a text frame. Raises Malformed, OtherProtocol."""
    try:
        return _read(text)
    except ValidationError as error:
        raise _malformed(error) from None


_SENTENCE_LIMIT = 200


def _malformed(error: ValidationError) -> Malformed:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    sentence = first["msg"][:_SENTENCE_LIMIT]
    if first["loc"] == ("hello", "protocol"):
        return OtherProtocol("protocol", f"this server speaks protocol {PROTOCOL}: {sentence}")
    # Beside the fields, a location names the member of a union that was tried.
    path = [str(step) for step in first["loc"][1:]]
    if path[:1] == ["action"]:
        del path[1:2]
    if first["type"].startswith("union_tag"):
        path.append("type")
    return Malformed(".".join(path), sentence)
