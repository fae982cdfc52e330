"""A room as a value: seats around a table, the game being played there, and what is agreed about it. Pure.

Knows nothing of sockets, stores or clocks. What may be done with a room is decided in `deciding`.
"""

from enum import StrEnum

from msgspec import Struct

from app.rules.own_dice.game import OwnDiceGame
from app.rules.presets import MY_YAHTZEE
from app.rules.state import Game, Undoing
from app.rules.variant import Variant

SHEETS_FULL = "sheets_full"
NOBODY = ""
MAX_KICKED = 64
"""So many of those who may not come back are remembered, the latest."""
MAX_TALLY = 16
"""So many players' wins are remembered, those who sit at the table before others."""


class Phase(StrEnum):
    """Where a room stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"


class SeatKind(StrEnum):
    """Who plays a seat."""

    PERSON = "person"
    BOT = "bot"


class Pace(StrEnum):
    """How long a turn may take before the others are asked what to do."""

    NONE = "none"
    RELAXED = "relaxed"
    BRISK = "brisk"


TURN_MS: dict[Pace, int | None] = {Pace.NONE: None, Pace.RELAXED: 120_000, Pace.BRISK: 40_000}
"""The time for one turn in milliseconds."""


class OfferReason(StrEnum):
    """Why the others are asked: the turn's time is over, or its player has been gone for long."""

    DEADLINE = "deadline"
    GONE = "gone"


class Seat(Struct, frozen=True):
    """A place at the table. `text` is the seat's part of the dice.

    `lent`: somebody else plays it, under a name of his own, at the player's device (own dice alone).
    `kept`: its player keeps this game on his device: it enters no leaderboard for him.
    `left`: the player has gone for good, and a bot plays on under his name; he may take the seat back unless
    he is `barred`. `bot_turns`: in how many turns a bot has acted in the player's place, `bot_since` and
    `bot_last` the numbers of the first and the last of them. The `player` of a bot's seat is bot1 to bot8,
    which is nobody's id.
    `user_name`: of the account of who sat down, which tells him from others of his name; None for a guest.
    """

    player: str
    name: str
    text: str
    kind: SeatKind = SeatKind.PERSON
    ready: bool = False
    lent: bool = False
    left: bool = False
    barred: bool = False
    bot_turns: int = 0
    bot_since: int | None = None
    kept: bool = False
    user_name: str | None = None
    bot_last: int | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person sits there, or sat there and left."""
        return self.kind is SeatKind.PERSON

    @property
    def is_present(self) -> bool:
        """Whether a person sits there who has not left. Says nothing of his connection."""
        return self.kind is SeatKind.PERSON and not self.left


class Offer(Struct, frozen=True):
    """The others may choose for the seat to move: wait, or let a bot play this turn. `since`: an instant."""

    seat: int
    turn: int
    reason: OfferReason
    since: int


class Tally(Struct, frozen=True):
    """How many games of this room a player has won; equal first places are a win for each."""

    player: str
    name: str
    wins: int


class Room(Struct, frozen=True):
    """A room as it is stored. Instants are milliseconds since 1970 in UTC.

    `secret` is in no view before the game is over. `game` is None in the lobby. `host` is NOBODY in a
    room that everybody has left: the next to join is the host. `undo` is None where the host has said
    nothing about it. With `own_dice` the game is in `own_game`, and `game` stays None.

    `request`: the player and the request id by which it was made.
    `deadline`: when the time for the turn now on is over, for its player; None where it has no end.
    `bot_turn`: the turn that a bot plays for a player who hasn't left. `bot_at`: when the bot that is to move
    acts next. `offer`: what the others may choose now. `waited_at`: when they chose to wait in this turn.
    `kicked`: players who may not take a seat.
    `games` of this room are finished, `tally` has their wins; this lobby or game came after `previous_game`.
    """

    code: str
    phase: Phase
    host: str
    variant: Variant
    max_seats: int
    seats: tuple[Seat, ...]
    game_id: str
    secret: bytes
    created_at: int
    started_at: int | None = None
    ended_at: int | None = None
    game: Game | None = None
    undo: Undoing | None = None
    own_dice: bool = False
    own_game: OwnDiceGame | None = None
    pace: Pace = Pace.NONE
    chat: bool = True
    kicked: tuple[str, ...] = ()
    deadline: int | None = None
    bot_turn: int | None = None
    bot_at: int | None = None
    offer: Offer | None = None
    waited_at: int | None = None
    previous_game: str | None = None
    tally: tuple[Tally, ...] = ()
    games: int = 0
    request: str | None = None

    @property
    def undoing(self) -> Undoing:
        """What can be taken back: as the host says, else an entry at a table for one and in my-yahtzee.

        The seats there are count, not those taken: nothing changes by itself when a second player comes.
        """
        if self.undo is not None:
            return self.undo
        usual = self.max_seats == 1 or self.variant.id == MY_YAHTZEE.id
        return Undoing.ENTRY if usual else Undoing.OFF
