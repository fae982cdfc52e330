"""What is asked of a room: by a player, or by the server itself. Pure. What happens then is in `events`."""

from enum import StrEnum
from typing import get_args

from msgspec import Struct

from app.rooms.room import OfferReason, Pace
from app.rules.actions import Action
from app.rules.own_dice.actions import SheetAction
from app.rules.state import Undoing
from app.rules.variant import Variant

SYSTEM = "server"
"""Who gives the commands that no client can give. No player has this id."""


class Choice(StrEnum):
    """What the others want for a player who is to move and doesn't."""

    WAIT = "wait"
    BOT = "bot"


class By(Struct, frozen=True):
    """Who gives a command, and when (milliseconds since 1970 in UTC). `user_name`: of his account, if any."""

    player: str
    name: str
    now: int
    user_name: str | None = None


class Join(Struct, frozen=True):
    """Take the next free seat. `text` is the seat's part of the dice.

    `name`: for whom, where the player takes a further seat at an own-dice table; None for himself.
    """

    text: str
    name: str | None = None


class Leave(Struct, frozen=True):
    """Give the seat back, in a game for good: the one with that number, or the player's first."""

    seat: int | None = None


class MarkReady(Struct, frozen=True):
    """Set or clear the ready mark. `text`: the seat's part of the dice from now on; None leaves it."""

    ready: bool
    text: str | None = None


class ChangeSettings(Struct, frozen=True):
    """Play the variant of that id, with that many seats at most.

    `columns` are those that were chosen; None for the variant's own. `undo` and so on: None to leave it.
    `found` is the variant of that id where it is no preset: it is looked for before anything is decided.
    """

    variant: str
    max_seats: int
    columns: tuple[str, ...] | None = None
    undo: Undoing | None = None
    own_dice: bool | None = None
    found: Variant | None = None
    pace: Pace | None = None
    chat: bool | None = None


class Start(Struct, frozen=True):
    """Start the game."""


class Act(Struct, frozen=True):
    """An action of the game, and the seat, turn and number of rolls made that it was meant for."""

    seat: int
    turn: int
    roll: int
    action: Action


class ActOnSheet(Struct, frozen=True):
    """An action on the sheet of a seat of an own-dice table."""

    seat: int
    action: SheetAction


class AddBot(Struct, frozen=True):
    """Let a bot take the next free seat."""


class Kick(Struct, frozen=True):
    """Take a seat from its player, and let him have none again; or take a bot off in the lobby."""

    seat: int


class Return(Struct, frozen=True):
    """Play again oneself: in the seat with that number, or the first that one left."""

    seat: int | None = None


class Choose(Struct, frozen=True):
    """Take the offer that stands for that seat and turn."""

    seat: int
    turn: int
    choice: Choice


class Rematch(Struct, frozen=True):
    """Play once more after that game. The next game's id and secret are drawn before anything is decided."""

    game: str
    next_game_id: str = ""
    next_secret: bytes = b""


class SetChat(Struct, frozen=True):
    """Allow what is said at the table, or not."""

    on: bool


class Keep(Struct, frozen=True):
    """Keep this game on the player's own device, off every leaderboard for him, or not."""

    on: bool


PlayerCommand = (
    Join
    | Leave
    | MarkReady
    | ChangeSettings
    | Start
    | Act
    | ActOnSheet
    | AddBot
    | Kick
    | Return
    | Choose
    | Rematch
    | SetChat
    | Keep
)
"""What a client can ask for."""


class CallOut(Struct, frozen=True):
    """Offer the others to choose for the seat to move in that turn."""

    seat: int
    turn: int
    reason: OfferReason


class PassHost(Struct, frozen=True):
    """Make another the host. `name`: his, where he has no seat. `gone`: the host whose role it was."""

    to: str
    name: str = ""
    gone: str | None = None


class BotAct(Struct, frozen=True):
    """An action of the bot that is to move, and the moment it was meant for, as in `Act`."""

    seat: int
    turn: int
    roll: int
    action: Action


class Postpone(Struct, frozen=True):
    """Give the turn now on so many more milliseconds."""

    ms: int


SystemCommand = CallOut | PassHost | BotAct | Postpone
"""What the server alone asks for, as SYSTEM."""
SYSTEM_COMMANDS = frozenset(get_args(SystemCommand))
"""The same to look a type up in: isinstance tries one after another."""
Command = PlayerCommand | SystemCommand
