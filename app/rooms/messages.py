"""What a client may say: one closed union of messages, and the commands they stand for.

Strict: an unknown field, a wrong type or a value out of bounds makes the message malformed. What is legal in
the game is not decided here.
"""

from typing import Annotated, Literal, assert_never

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
from app.rooms.commands import Act, ActOnSheet, ChangeSettings, Command, Join, Leave, MarkReady, Start
from app.rules.actions import Action, Announce, Fill, Roll, Undo
from app.rules.fairness import MAX_TEXT_CHARACTERS
from app.rules.game import MAX_SEATS
from app.rules.own_dice.actions import (
    AnnounceAloud,
    ClearSheet,
    EmptyCell,
    FillByHand,
    SheetAction,
    Withdraw,
)
from app.rules.state import Undoing
from app.rules.variant import Cell, ColumnKind
from app.rules.variant import Row as SheetRow

PROTOCOL = 1
MAX_MESSAGE_BYTES = 8 * 1024
_LARGEST_COUNT = 2**31 - 1


def _visible(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("visible characters are expected")
    return text


Request = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
SeatText = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARACTERS), AfterValidator(_visible)
]
SeatName = Annotated[str, AfterValidator(clean_name)]
Epoch = Annotated[str, StringConstraints(min_length=1, max_length=64)]
VariantId = Annotated[str, StringConstraints(min_length=1, max_length=64), AfterValidator(_visible)]
ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=32), AfterValidator(_visible)]
ColumnNames = Annotated[list[ColumnName], Field(max_length=32)]
"""Columns by their names; which ones a variant can have is not decided here."""
Count = Annotated[int, Field(ge=0, le=_LARGEST_COUNT)]
Position = Annotated[int, Field(ge=-_LARGEST_COUNT, le=_LARGEST_COUNT)]
"""A die's position; one that doesn't exist is refused by the rules, with a reason of its own."""
Score = Annotated[int, Field(ge=-_LARGEST_COUNT, le=_LARGEST_COUNT)]
"""A value in a sheet; one that its row can't have is refused by the rules, with what the row can have."""
Hold = Annotated[list[Position], Field(max_length=6)]


class Strict(BaseModel):
    """A message, or a part of one: nothing is converted, nothing unknown is let in."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(Strict):
    """The first message of a socket; with the last state seen, if there is one."""

    type: Literal["hello"]
    protocol: Annotated[int, Field(ge=1, le=1)]  # a Literal would take true and 1.0 for it
    epoch: Epoch | None = None
    version: Count | None = None


class JoinMessage(Strict):
    """Take the next free seat; at an own-dice table also further ones, each with a name."""

    type: Literal["join"]
    request: Request
    text: SeatText
    name: SeatName | None = None


class LeaveMessage(Strict):
    """Give the seat back."""

    type: Literal["leave"]
    request: Request
    seat: Count | None = None


class ReadyMessage(Strict):
    """Set or clear the ready mark."""

    type: Literal["ready"]
    request: Request
    ready: bool


class SettingsMessage(Strict):
    """Change the variant, its columns where they can be chosen, the seats, and what can be undone."""

    type: Literal["settings"]
    request: Request
    variant: VariantId
    max_seats: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    columns: ColumnNames | None = None
    undo: Undoing | None = None
    own_dice: bool | None = None


class StartMessage(Strict):
    """Start the game."""

    type: Literal["start"]
    request: Request


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
    """Asks for the room's version, and for updates that are missing after `version`."""

    type: Literal["ping"]
    version: Count


CommandMessage = (
    JoinMessage | LeaveMessage | ReadyMessage | SettingsMessage | StartMessage | ActMessage | SheetMessage
)
ClientMessage = Hello | CommandMessage | Holding | Ping

_CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)


class Malformed(ValueError):
    """Not a message of the protocol. `field` names what is wrong, outermost first; empty for the whole."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}" if field else sentence)
        self.field = field


def read_message(text: str) -> ClientMessage:
    """The message in a text frame. Raises Malformed."""
    try:
        return _CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        raise _malformed(error) from None


def command_of(message: CommandMessage) -> Command:
    """The command that a message gives."""
    match message:
        case JoinMessage():
            return Join(message.text, message.name)
        case LeaveMessage():
            return Leave(message.seat)
        case ReadyMessage():
            return MarkReady(message.ready)
        case SettingsMessage():
            columns = columns_of(message.columns)
            return ChangeSettings(
                message.variant, message.max_seats, columns, undo=message.undo, own_dice=message.own_dice
            )
        case StartMessage():
            return Start()
        case ActMessage():
            return Act(message.seat, message.turn, message.roll, _action_of(message.action))
        case SheetMessage():
            return ActOnSheet(message.seat, _entry_of(message.action))
        case _:
            assert_never(message)


def columns_of(names: list[str] | None) -> tuple[str, ...] | None:
    """The columns that were asked for; None for those that the variant has anyway."""
    return None if names is None else tuple(names)


def _action_of(action: ActionPart) -> Action:
    match action:
        case RollAction():
            return Roll(tuple(sorted(action.hold)))
        case AnnounceAction():
            return Announce(Cell(action.column, action.row))
        case FillAction():
            return Fill(Cell(action.column, action.row))
        case UndoAction():
            return Undo()
        case _:
            assert_never(action)


def _entry_of(action: EntryPart) -> SheetAction:
    match action:
        case FillEntry():
            return FillByHand(Cell(action.column, action.row), action.score, action.replaces)
        case EmptyEntry():
            return EmptyCell(Cell(action.column, action.row), action.score)
        case ClearEntry():
            return ClearSheet()
        case AnnounceEntry():
            return AnnounceAloud(Cell(action.column, action.row))
        case WithdrawEntry():
            return Withdraw()
        case _:
            assert_never(action)


_SENTENCE_LIMIT = 200


def _malformed(error: ValidationError) -> Malformed:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    sentence = first["msg"][:_SENTENCE_LIMIT]
    # Beside the fields, a location names the member of a union that was tried.
    path = [str(step) for step in first["loc"][1:]]
    if path[:1] == ["action"]:
        del path[1:2]
    if first["type"].startswith("union_tag"):
        path.append("type")
    return Malformed(".".join(path), sentence)
