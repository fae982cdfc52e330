"""Actions of the game: whose they are, what moment they were meant for, and what they make of the room. Pure.

The faces come from the committed secret.
"""

from functools import lru_cache

from msgspec.structs import replace

from app.rooms.commands import Act, ActOnSheet, BotAct, By
from app.rooms.ending import finished, reopened
from app.rooms.events import Reopened
from app.rooms.leaving import is_own_game_over
from app.rooms.refusals import RefusalCode, RoomRefusal, illegal, illegal_entry
from app.rooms.room import Phase, Room
from app.rooms.schedule import is_bot_to_move
from app.rooms.seats import Step, check_not_left, check_owner
from app.rules.actions import Action, IllegalAction, Roll, Undo
from app.rules.dice import Dice
from app.rules.events import Event
from app.rules.fairness import draw_next, game_key
from app.rules.game import apply
from app.rules.legality import is_over
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import IllegalEntry
from app.rules.state import Game


def act(room: Room, command: Act, by: By) -> Step:
    """An action of a player. He plays this turn himself then, whatever the others were asked or chose."""
    game = _game_of(room)
    check_owner(room, command.seat, by.player)
    check_not_left(room.seats[command.seat])
    _check_meant_now(game, command)
    game, events = _applied(room, game, command.action)
    if room.offer is not None or room.bot_turn is not None:
        room = replace(room, offer=None, bot_turn=None)
    return _after(room, game, events, by.now)


def bot_act(room: Room, command: BotAct, by: By) -> Step:
    """An action of the bot that is to move. A turn in which it acts counts for the seat's player."""
    game = _game_of(room)
    moment = (game.seat, game.turn, game.roll)
    if not is_bot_to_move(room) or moment != (command.seat, command.turn, command.roll):
        raise RoomRefusal(RefusalCode.STALE, "no bot is to move in that turn and roll")
    if isinstance(command.action, Undo):
        raise RoomRefusal(RefusalCode.NOT_YOUR_TURN, "a bot takes nothing back")
    after, events = _applied(room, game, command.action)
    return _after(_with_bot_turn(room, game), after, events, by.now)


def act_on_sheet(room: Room, command: ActOnSheet, by: By) -> Step:
    """An action on a sheet of an own-dice table, also after the end: places and wins follow the sheets."""
    if room.own_game is None:
        raise RoomRefusal(RefusalCode.DRAWN_DICE, "at this table the server rolls: send act")
    check_owner(room, command.seat, by.player)
    check_not_left(room.seats[command.seat])
    try:
        game, events = own_dice.apply(room.own_game, command.seat, command.action)
    except IllegalEntry as error:
        raise illegal_entry(error) from error
    was_over = room.phase is Phase.FINISHED
    ended_at = room.ended_at if was_over and room.ended_at is not None else by.now
    after = replace(reopened(room) if was_over else room, own_game=game)
    if not is_own_game_over(after):
        return after, (*events, Reopened()) if was_over else events
    over, ended = finished(after, ended_at)
    return over, events if was_over else (*events, *ended)


def is_to_move(room: Room, player: str, moment: tuple[int, int, int]) -> bool:
    """Whether the player is to move, and the moment (seat, turn, number of rolls made) is the present one."""
    game = room.game
    if game is None or room.phase is not Phase.PLAYING:
        return False
    seat = room.seats[game.seat]
    return seat.player == player and not seat.left and moment == (game.seat, game.turn, game.roll)


def _game_of(room: Room) -> Game:
    """The game of a room that has left the lobby. Raises RoomRefusal at an own-dice table."""
    if room.own_dice:
        raise RoomRefusal(RefusalCode.OWN_DICE, "at this table the players roll: send sheet")
    if room.game is None:
        raise ValueError(f"room {room.code} has no game yet")
    return room.game


def _check_meant_now(game: Game, command: Act) -> None:
    """A late or doubled action never hits another turn or roll than the one it was meant for.

    An undo is an action of the seat that filled last. Where no entry can be taken back the rules say why.
    """
    if command.turn != game.turn:
        raise RoomRefusal(RefusalCode.STALE, f"turn {game.turn} is on, not {command.turn}")
    mover = game.undo_seat if isinstance(command.action, Undo) else game.seat
    if mover is not None and command.seat != mover:
        raise RoomRefusal(RefusalCode.NOT_YOUR_TURN, f"seat {mover} is to move")
    if command.roll != game.roll:
        raise RoomRefusal(RefusalCode.STALE, f"{game.roll} rolls have been made, not {command.roll}")


def _applied(room: Room, game: Game, action: Action) -> tuple[Game, tuple[Event, ...]]:
    """The game after an action, with faces for a roll. Raises RoomRefusal for what isn't legal."""
    drawn = _faces(room, game) if isinstance(action, Roll) else ()
    try:
        return apply(game, action, drawn)
    except IllegalAction as error:
        raise illegal(error) from error


def _after(room: Room, game: Game, events: tuple[Event, ...], now: int) -> Step:
    room = replace(room, game=game)
    if game.roll or not is_over(game):  # it ends between two turns
        return room, events
    over, ended = finished(room, now)
    return over, (*events, *ended)


def _with_bot_turn(room: Room, game: Game) -> Room:
    """The room in which a bot has acted in this turn, which counts, once, where the seat is a person's.

    Whoever ends it: else a player could have a bot roll for him in every turn, and fill in himself.
    """
    seat = room.seats[game.seat]
    if not seat.is_person or seat.bot_last == game.turn:
        return room
    since = game.turn if seat.bot_since is None else seat.bot_since
    counted = replace(seat, bot_turns=seat.bot_turns + 1, bot_since=since, bot_last=game.turn)
    return replace(room, seats=(*room.seats[: game.seat], counted, *room.seats[game.seat + 1 :]))


def _faces(room: Room, game: Game) -> Dice:
    key = _key(room.secret, tuple([seat.text for seat in room.seats]), room.game_id)
    return draw_next(key, game)


@lru_cache(maxsize=1024)
def _key(secret: bytes, texts: tuple[str, ...], game_id: str) -> bytes:
    return game_key(secret, texts, game_id)
