"""A room: seats around a table, its lifecycle, and the game being played in it. Pure.

Knows nothing of sockets, stores or clocks: `now` is passed in, faces come from the committed secret.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from app.rooms.commands import (
    Act,
    ActOnSheet,
    By,
    ChangeSettings,
    Command,
    Finished,
    Join,
    Joined,
    Leave,
    Left,
    MarkReady,
    Readied,
    RoomEvent,
    SettingsChanged,
    Start,
    Started,
)
from app.rooms.refusals import RefusalCode, RoomRefusal, illegal, illegal_entry
from app.rules.actions import IllegalAction, Reason, Roll, Undo
from app.rules.column_choice import with_columns
from app.rules.dice import Dice
from app.rules.fairness import draw_next, game_key
from app.rules.game import apply
from app.rules.game import start as start_game
from app.rules.legality import is_over
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import IllegalEntry
from app.rules.own_dice.game import OwnDiceGame
from app.rules.presets import MY_YAHTZEE, PRESET_BY_ID
from app.rules.state import Game, Undoing
from app.rules.variant import InvalidVariant, Variant

SHEETS_FULL = "sheets_full"
NOBODY = ""


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
    """A player's place at the table. `text` is the seat's part of the dice.

    `lent`: somebody else plays it, under a name of his own, at the player's device (own dice alone).
    """

    player: str
    name: str
    text: str
    kind: SeatKind = SeatKind.PERSON
    ready: bool = False
    lent: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it is stored. Instants are milliseconds since 1970 in UTC.

    `secret` is in no view before the game is over. `game` is None in the lobby. `host` is NOBODY in a
    room that everybody has left: the next to join is the host. `undo` is None where the host has said
    nothing about it. With `own_dice` the game is in `own_game`, and `game` stays None. `request`: by whose
    request it was made, as player and request id.
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


Step = tuple[Room, tuple[RoomEvent, ...]]
"""A room after a command, and what happened."""

_LIFECYCLE: dict[Phase, frozenset[type[Command]]] = {
    Phase.LOBBY: frozenset({Join, Leave, MarkReady, ChangeSettings, Start}),
    Phase.PLAYING: frozenset({Act, ActOnSheet}),
    Phase.FINISHED: frozenset(),
}
"""What can be asked of a room in each phase. `start` ends the lobby, the last action ends the game."""


def variant_named(
    variant: str, columns: tuple[str, ...] | None = None, found: Variant | None = None
) -> Variant:
    """The preset with that id, or the variant that was found, and with those of its columns that are chosen.

    Raises RoomRefusal.
    """
    whole = PRESET_BY_ID.get(variant, found)
    if whole is None:
        raise RoomRefusal(RefusalCode.UNKNOWN_VARIANT, f"no variant has the id {variant}")
    if columns is None:
        return whole
    try:
        return with_columns(whole, columns)
    except InvalidVariant as error:
        detail = {"field": error.field, "columns": list(columns)}
        raise RoomRefusal(RefusalCode.UNKNOWN_COLUMNS, str(error), detail) from error


def decide(room: Room, command: Command, by: By) -> Step:
    """The room after a command, and what happened. Raises RoomRefusal."""
    if type(command) not in _LIFECYCLE[room.phase]:
        raise _out_of_phase(room.phase, command)
    match command:
        case Join():
            return _join(room, command, by)
        case Leave():
            return _leave(room, command, by)
        case MarkReady():
            return _mark_ready(room, command, by)
        case ChangeSettings():
            return _change_settings(room, command, by)
        case Start():
            return _start(room, by)
        case Act():
            return _act(room, command, by)
        case ActOnSheet():
            return _act_on_sheet(room, command, by)
        case _:
            assert_never(command)


def _out_of_phase(phase: Phase, command: Command) -> RoomRefusal:
    if not isinstance(command, Act | ActOnSheet):
        return RoomRefusal(RefusalCode.ALREADY_STARTED, "the game has started; the lobby's commands are over")
    if phase is Phase.LOBBY:
        return RoomRefusal(RefusalCode.NOT_STARTED, "the game has not started yet")
    return RoomRefusal(Reason.GAME_OVER, "the game is over")


def _join(room: Room, command: Join, by: By) -> Step:
    if _seat_number(room, by) is not None and not room.own_dice:
        raise RoomRefusal(RefusalCode.ALREADY_SEATED, "the player has a seat at this table")
    if len(room.seats) >= room.max_seats:
        raise RoomRefusal(RefusalCode.ROOM_FULL, f"all {room.max_seats} seats are taken")
    lent_to = command.name if room.own_dice else None
    name = by.name if lent_to is None else lent_to
    seats = (*room.seats, Seat(by.player, name, command.text, lent=lent_to is not None))
    host = by.player if room.host == NOBODY else room.host
    return replace(room, seats=seats, host=host), (Joined(len(room.seats), by.player, name),)


def _leave(room: Room, command: Leave, by: By) -> Step:
    """The seats after the one given back move up. A leaving host hands his role to the first seat."""
    number = _own_seat(room, by)
    if command.seat is not None:
        _check_owner(room, command.seat, by.player)
        number = command.seat
    leaving = room.seats[number]
    seats = room.seats[:number] + room.seats[number + 1 :]
    host = room.host
    if host == by.player and all(seat.player != by.player for seat in seats):
        host = seats[0].player if seats else NOBODY
    return replace(room, seats=seats, host=host), (Left(number, leaving.player, leaving.name),)


def _mark_ready(room: Room, command: MarkReady, by: By) -> Step:
    """All seats that the player holds: they are at one device."""
    _own_seat(room, by)
    numbers = [number for number, seat in enumerate(room.seats) if seat.player == by.player]
    seats = tuple(
        replace(seat, ready=command.ready) if number in numbers else seat
        for number, seat in enumerate(room.seats)
    )
    return replace(room, seats=seats), tuple(Readied(number, command.ready) for number in numbers)


def _change_settings(room: Room, command: ChangeSettings, by: By) -> Step:
    """What was agreed to is no longer what will be played: nobody is ready any more.

    What the host has said of undoing stands until he says another thing: it fits every variant.
    """
    _check_host(room, by)
    # The table's own variant is always known here: one of chosen columns is kept nowhere else.
    found = room.variant if command.variant == room.variant.id else command.found
    variant = variant_named(command.variant, command.columns, found)
    if command.max_seats < len(room.seats):
        raise RoomRefusal(RefusalCode.TOO_FEW_SEATS, f"{len(room.seats)} players are seated")
    seats = tuple(replace(seat, ready=False) for seat in room.seats)
    own = room.own_dice if command.own_dice is None else command.own_dice
    if not own and (any(seat.lent for seat in seats) or len({seat.player for seat in seats}) < len(seats)):
        sentence = "only with own dice can a player hold several seats, or one for somebody else"
        raise RoomRefusal(RefusalCode.ALREADY_SEATED, sentence)
    changed = replace(
        room,
        variant=variant,
        max_seats=command.max_seats,
        seats=seats,
        undo=command.undo or room.undo,
        own_dice=own,
    )
    return changed, (SettingsChanged(variant.id, command.max_seats),)


def _start(room: Room, by: By) -> Step:
    _check_host(room, by)
    waiting = [number for number, seat in enumerate(room.seats) if not seat.ready]
    if waiting or not room.seats:
        sentence = f"not ready: seats {waiting}" if waiting else "nobody has taken a seat"
        raise RoomRefusal(RefusalCode.NOT_READY, sentence, {"seats": waiting})
    seats = len(room.seats)
    started = replace(room, phase=Phase.PLAYING, started_at=by.now)
    if room.own_dice:
        return replace(started, own_game=own_dice.start(room.variant, seats)), (Started(seats),)
    return replace(started, game=start_game(room.variant, seats, room.undoing)), (Started(seats),)


def _act_on_sheet(room: Room, command: ActOnSheet, by: By) -> Step:
    if room.own_game is None:
        raise RoomRefusal(RefusalCode.DRAWN_DICE, "at this table the server rolls: send act")
    _check_owner(room, command.seat, by.player)
    try:
        game, events = own_dice.apply(room.own_game, command.seat, command.action)
    except IllegalEntry as error:
        raise illegal_entry(error) from error
    if not own_dice.is_over(game):
        return replace(room, own_game=game), events
    over = replace(room, own_game=game, phase=Phase.FINISHED, ended_at=by.now)
    return over, (*events, Finished(SHEETS_FULL))


def _act(room: Room, command: Act, by: By) -> Step:
    if room.own_dice:
        raise RoomRefusal(RefusalCode.OWN_DICE, "at this table the players roll: send sheet")
    game = _game_of(room)
    _check_meant_now(room, game, command, by)
    drawn = _faces(room, game) if isinstance(command.action, Roll) else ()
    try:
        game, events = apply(game, command.action, drawn)
    except IllegalAction as error:
        raise illegal(error) from error
    if not is_over(game):
        return replace(room, game=game), events
    over = replace(room, game=game, phase=Phase.FINISHED, ended_at=by.now)
    return over, (*events, Finished(SHEETS_FULL))


def is_to_move(room: Room, player: str, moment: tuple[int, int, int]) -> bool:
    """Whether the player is to move, and the moment (seat, turn, number of rolls made) is the present one."""
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        return False
    return room.seats[game.seat].player == player and moment == (game.seat, game.turn, game.roll)


def _check_owner(room: Room, seat: int, player: str) -> None:
    if 0 <= seat < len(room.seats) and room.seats[seat].player == player:
        return
    if any(other.player == player for other in room.seats):
        raise RoomRefusal(RefusalCode.NOT_YOUR_SEAT, f"seat {seat} isn't this player's")
    raise RoomRefusal(RefusalCode.NOT_SEATED, "the player has no seat at this table")


def _game_of(room: Room) -> Game:
    """The game of a room that has left the lobby."""
    if room.game is None:
        raise ValueError(f"room {room.code} has no game yet")
    return room.game


def _check_meant_now(room: Room, game: Game, command: Act, by: By) -> None:
    """A late or doubled action never hits another turn or roll than the one it was meant for.

    An undo is an action of the seat that filled last. Where no entry can be taken back the rules say why.
    """
    _check_owner(room, command.seat, by.player)
    if command.turn != game.turn:
        raise RoomRefusal(RefusalCode.STALE, f"turn {game.turn} is on, not {command.turn}")
    mover = game.undo_seat if isinstance(command.action, Undo) else game.seat
    if mover is not None and command.seat != mover:
        raise RoomRefusal(RefusalCode.NOT_YOUR_TURN, f"seat {mover} is to move")
    if command.roll != game.roll:
        raise RoomRefusal(RefusalCode.STALE, f"{game.roll} rolls have been made, not {command.roll}")


def _faces(room: Room, game: Game) -> Dice:
    key = _key(room.secret, tuple(seat.text for seat in room.seats), room.game_id)
    return draw_next(key, game)


@lru_cache(maxsize=1024)
def _key(secret: bytes, texts: tuple[str, ...], game_id: str) -> bytes:
    return game_key(secret, texts, game_id)


def _check_host(room: Room, by: By) -> None:
    if by.player != room.host:
        raise RoomRefusal(RefusalCode.NOT_HOST, "only the host may do that")


def _seat_number(room: Room, by: By) -> int | None:
    return next((number for number, seat in enumerate(room.seats) if seat.player == by.player), None)


def _own_seat(room: Room, by: By) -> int:
    number = _seat_number(room, by)
    if number is None:
        raise RoomRefusal(RefusalCode.NOT_SEATED, "the player has no seat at this table")
    return number
