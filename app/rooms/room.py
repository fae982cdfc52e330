"""A room: seats around a table, its lifecycle, and the game being played in it. Pure.

Knows nothing of sockets, stores or clocks: `now` is passed in, faces come from the committed secret.
"""

from dataclasses import dataclass
from enum import StrEnum

from app.rules.state import Game
from app.rules.variant import Variant


class Phase(StrEnum):
    """Where a room stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    FINISHED = "finished"


class SeatKind(StrEnum):
    """Who plays a seat."""

    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place at the table. `text` is the seat's part of the dice."""

    player: str
    name: str
    text: str
    kind: SeatKind = SeatKind.PERSON
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it is stored. Instants are milliseconds since 1970 in UTC.

    `secret` is in no view before the game is over. `game` is None in the lobby.
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
