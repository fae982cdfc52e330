"""Rooms in which several players and the server do whatever they like, lawful or not, at random."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.rooms.commands import (
    Act,
    ActOnSheet,
    AddBot,
    BotAct,
    By,
    CallOut,
    ChangeSettings,
    Choice,
    Choose,
    Command,
    Join,
    Keep,
    Kick,
    Leave,
    MarkReady,
    PassHost,
    Postpone,
    Rematch,
    Return,
    SetChat,
    Start,
    SystemCommand,
)
from app.rooms.deciding import decide
from app.rooms.events import RoomEvent
from app.rooms.refusals import RoomRefusal
from app.rooms.room import OfferReason, Pace, Phase, Room
from app.rooms.schedule import is_bot_to_move
from app.rules.actions import Action, Fill, Roll
from app.rules.column_choice import with_columns
from app.rules.legality import legal_actions
from app.rules.own_dice import game as own_dice
from app.rules.own_dice.actions import ClearSheet, FillByHand, SheetAction
from app.rules.own_dice.values import values_by_row
from app.rules.presets import PAPIR
from tests.rooms.tables import NAMES, NOW, by, by_server, lobby, player_of
from tests.values import replace

SHORT = with_columns(PAPIR, ("announced", "notification"))
"""Two columns, in which turns bind each other: a game is soon over."""
_PLAYERS = NAMES


@dataclass(frozen=True, slots=True)
class Try:
    """What somebody asked of a room, and the room afterwards: the same where it was refused."""

    before: Room
    command: Command
    by: By
    after: Room
    happened: tuple[RoomEvent, ...]
    refusal: RoomRefusal | None


def tries(rng: random.Random, count: int, *, own_dice_table: bool = False) -> Iterator[Try]:
    """That many things that are asked of a room, one after another; of a new one where all have gone."""
    room = _new_room(own_dice_table, 0)
    now = NOW
    for number in range(1, count):
        now += rng.choice((0, 10, 1_000, 45_000))
        command, giver = something(rng, room, number, now)
        tried = try_it(room, command, giver)
        yield tried
        room = _new_room(own_dice_table, number) if _is_dead(tried.after) else tried.after


def _is_dead(room: Room) -> bool:
    return room.phase is Phase.FINISHED and not any(seat.is_present for seat in room.seats)


def _new_room(own_dice_table: bool, number: int) -> Room:
    settings = ChangeSettings(SHORT.id, 4, found=SHORT, own_dice=own_dice_table)
    room, _ = decide(replace(lobby(max_seats=4), game_id=f"first {number}"), settings, by("Lija"))
    return room


def try_it(room: Room, command: Command, giver: By) -> Try:
    """What became of a command."""
    try:
        after, happened = decide(room, command, giver)
    except RoomRefusal as refusal:
        return Try(room, command, giver, room, (), refusal)
    return Try(room, command, giver, after, happened, None)


def something(rng: random.Random, room: Room, number: int, now: int) -> tuple[Command, By]:
    """Somebody's next command. Mostly one that the game needs, so that games come to their end."""
    if room.offer is not None and rng.random() < 0.5:
        return Choose(*_turn(room), rng.choice(list(Choice))), by(a_giver(rng, room), now)
    if rng.random() < 0.75 and room.phase is Phase.PLAYING:
        return a_move(rng, room, now)
    makers = _MAKERS if rng.random() < 0.3 else _LOBBY_MAKERS if room.phase is Phase.LOBBY else _LATER_MAKERS
    kinds, weights = zip(*makers, strict=True)
    command = rng.choices(kinds, weights)[0](rng, room, number)
    if isinstance(command, SystemCommand):
        return command, by_server(now)
    return command, by(a_giver(rng, room), now)


def a_giver(rng: random.Random, room: Room) -> str:
    """Any of the players; the host oftener than the others."""
    host = next((name for name in _PLAYERS if player_of(name) == room.host), None)
    seated = [name for name in _PLAYERS if any(seat.player == player_of(name) for seat in room.seats)]
    if host is not None and rng.random() < 0.4:
        return host
    return rng.choice(seated if seated and rng.random() < 0.7 else _PLAYERS)


def a_move(rng: random.Random, room: Room, now: int) -> tuple[Command, By]:
    """A legal action by who is to move, were it a bot."""
    if room.own_game is not None:
        seat = rng.randrange(len(room.seats))
        holder = room.seats[seat]
        return ActOnSheet(seat, an_entry(rng, room, seat)), By(holder.player, holder.name, now)
    game = room.game
    assert game is not None
    action = an_action(rng, room)
    if is_bot_to_move(room) and rng.random() < 0.8:
        return BotAct(game.seat, game.turn, game.roll, action), by_server(now)
    holder = room.seats[game.seat]
    return Act(game.seat, game.turn, game.roll, action), By(holder.player, holder.name, now)


def an_action(rng: random.Random, room: Room) -> Action:
    """A legal action, mostly one that ends the turn."""
    assert room.game is not None
    legal = legal_actions(room.game)
    fills = [action for action in legal if isinstance(action, Fill)]
    return rng.choice(fills if fills and rng.random() < 0.7 else list(legal))


def an_entry(rng: random.Random, room: Room, seat: int) -> SheetAction:
    """A value for an open cell of the seat, or the whole sheet emptied, which is rare."""
    game = room.own_game
    assert game is not None
    cells = own_dice.open_cells(game, seat)
    if not cells or rng.random() < 0.005:
        return ClearSheet()
    cell = game.layout.cells[rng.choice(cells)]
    return FillByHand(cell, rng.choice(values_by_row(game.layout)[cell.row]))


def _seat(rng: random.Random, room: Room) -> int:
    return rng.randrange(max(len(room.seats), 1))


def _turn(room: Room) -> tuple[int, int]:
    return (room.game.seat, room.game.turn) if room.game else (0, 1)


def _settings(rng: random.Random, room: Room, _number: int) -> ChangeSettings:
    pace = rng.choice([None, *Pace])
    own = rng.choice([None, None, None, not room.own_dice])
    return ChangeSettings(room.variant.id, rng.randint(2, 4), pace=pace, own_dice=own)


def _rematch(rng: random.Random, room: Room, number: int) -> Rematch:
    game = rng.choice([room.game_id, room.game_id, room.previous_game or "g0"])
    return Rematch(game, f"g{number}", number.to_bytes(32, "big"))


Make = Callable[[random.Random, Room, int], Command]
_LOBBY_MAKERS: list[tuple[Make, int]] = [
    (lambda rng, _room, number: Join(f"x{number}", rng.choice([None, "Ana"])), 10),
    (lambda rng, _room, number: MarkReady(rng.random() < 0.9, rng.choice([None, f"y{number}"])), 20),
    (_settings, 2),
    (lambda _rng, _room, _number: Start(), 10),
    (lambda _rng, _room, _number: AddBot(), 3),
    (lambda rng, room, _: Leave(rng.choice([None, _seat(rng, room)])), 1),
]
_LATER_MAKERS: list[tuple[Make, int]] = [
    (lambda rng, room, _: Leave(rng.choice([None, _seat(rng, room)])), 2),
    (lambda rng, room, _: Return(rng.choice([None, _seat(rng, room)])), 8),
    (_rematch, 8),
    (lambda rng, room, _: CallOut(*_turn(room), rng.choice(list(OfferReason))), 8),
    (lambda rng, room, _: BotAct(*_turn(room), rng.randint(0, 1), Roll()), 3),
    (lambda rng, room, _: Act(*_turn(room), rng.randint(0, 2), Roll()), 2),
]
_MAKERS: list[tuple[Make, int]] = [
    *_LOBBY_MAKERS,
    *_LATER_MAKERS,
    (lambda rng, room, _: Kick(_seat(rng, room)), 2),
    (lambda rng, room, _: Choose(*_turn(room), rng.choice(list(Choice))), 4),
    (lambda rng, _room, _number: SetChat(rng.random() < 0.5), 1),
    (lambda rng, _room, _number: Keep(rng.random() < 0.7), 2),
    (lambda rng, _room, _number: PassHost(player_of(rng.choice(_PLAYERS))), 2),
    (lambda rng, _room, _number: Postpone(rng.choice((100, 5_000))), 3),
]
"""What is asked for, and how often: in the lobby, later, and anything at any time."""
