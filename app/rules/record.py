"""The record of a finished game: all that a third party needs to replay it and to check its dice.

A record is immutable. `verify` works from the record alone.
"""

from dataclasses import dataclass
from typing import assert_never

from app.rules.actions import Action, Announce, Fill, IllegalAction, Roll, Undo
from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.fairness import BOT_TEXT, SECRET_BYTES, commitment_of, draw_next, game_key
from app.rules.game import apply, evolve, start
from app.rules.legality import is_over
from app.rules.state import Game, Undoing
from app.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class RecordSeat:
    """Who sat in a seat: player id, the name then borne, the seat's text, how the seat ended ("played").

    `kept`: the player kept the game on his device, off every leaderboard.
    """

    player: str
    name: str
    text: str
    ended: str = "played"
    kept: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether a bot sat here from the start."""
        return self.ended == "bot"


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game. Instants: milliseconds since 1970, UTC; `reason`: why it ended ("sheets_full")."""

    game_id: str
    variant: Variant
    seats: tuple[RecordSeat, ...]
    log: tuple[Event, ...]
    secret: bytes
    commitment: str
    started_at: int
    ended_at: int
    reason: str = "sheets_full"
    undo: Undoing = Undoing.OFF

    @property
    def first(self) -> Game:
        """The game before its first event."""
        return start(self.variant, len(self.seats), self.undo)

    @property
    def final(self) -> Game:
        """The game after its last event."""
        game = self.first
        for event in self.log:
            game = evolve(game, event)
        return game


class WrongRecord(ValueError):
    """The record isn't the honest record of a game; the text says where it fails."""


def verify(record: Record) -> Game:
    """The final game, once every event was found legal and every face to come from the committed secret.

    Raises WrongRecord.
    """
    if len(record.secret) != SECRET_BYTES or commitment_of(record.secret) != record.commitment:
        raise WrongRecord("the secret is not the one that was committed to")
    for number, seat in enumerate(record.seats):
        if seat.is_bot and seat.text != BOT_TEXT:
            raise WrongRecord(f"seat {number} is a bot's, and its text is not the bots' text")
    try:
        key = game_key(record.secret, [seat.text for seat in record.seats], record.game_id)
        game = record.first
    except ValueError as error:
        raise WrongRecord(str(error)) from error
    place = 0
    while place < len(record.log):
        game, events = _replay(game, record.log[place], key, place)
        for offset, event in enumerate(events):
            _compare(event, record.log, place + offset)
        place += len(events)
    if not is_over(game):
        raise WrongRecord("the log ends before the game is over")
    return game


def _replay(game: Game, event: Event, key: bytes, place: int) -> tuple[Game, tuple[Event, ...]]:
    action = _action_behind(event)
    if action is None:
        raise WrongRecord(f"event {place}: nobody has to pass here")
    mover = game.undo_seat if isinstance(event, Undone) else game.seat
    if mover is not None and event.seat != mover:
        raise WrongRecord(f"event {place}: seat {mover} is to move, not seat {event.seat}")
    try:
        return apply(game, action, draw_next(key, game))
    except IllegalAction as error:
        raise WrongRecord(f"event {place}: {error}") from error


def _action_behind(event: Event) -> Action | None:
    match event:
        case Rolled():
            return Roll(event.held)
        case Announced():
            return Announce(event.cell)
        case Filled():
            return Fill(event.cell)
        case Passed():
            return None
        case Undone():
            return Undo()
        case _:
            assert_never(event)


def _compare(replayed: Event, log: tuple[Event, ...], place: int) -> None:
    recorded = log[place] if place < len(log) else None
    if recorded != replayed:
        raise WrongRecord(f"event {place}: recorded {recorded}, replayed {replayed}")
