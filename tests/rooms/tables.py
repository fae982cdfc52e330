"""Rooms as tests want them, made by the commands that players would give."""

import random
from collections.abc import Iterator, Sequence

import pytest

from app.accounts.identity import Identity
from app.rooms.commands import (
    SYSTEM,
    Act,
    AddBot,
    BotAct,
    By,
    ChangeSettings,
    Command,
    Join,
    MarkReady,
    PlayerCommand,
    Start,
    SystemCommand,
)
from app.rooms.deciding import decide
from app.rooms.events import RoomEvent
from app.rooms.refusals import RoomRefusal
from app.rooms.room import Pace, Phase, Room
from app.rooms.seats import Step
from app.rules.actions import Action, Fill, Roll
from app.rules.legality import legal_actions
from app.rules.presets import PRESET_BY_ID
from app.rules.state import Game

NAMES = ("Lija", "Medo", "Zec", "Vuk", "Jež", "Puž", "Rak", "Som")
NOW = 1_790_000_000_000
SECRET = bytes(range(32))
GAME_ID = "g7d1"


def player_of(name: str) -> str:
    """The player id of a name."""
    return f"p-{name.lower()}"


def by(name: str, now: int = NOW) -> By:
    """A player who gives a command."""
    return By(player_of(name), name, now)


def identity(name: str) -> Identity:
    """A player who has been identified."""
    return Identity(player_of(name), name)


def lobby(variant: str = "classic-5x4", max_seats: int = 8, host: str = "Lija") -> Room:
    """A new room that nobody sits in yet."""
    return Room(
        code="KAFANA",
        phase=Phase.LOBBY,
        host=player_of(host),
        variant=PRESET_BY_ID[variant],
        max_seats=max_seats,
        seats=(),
        game_id=GAME_ID,
        secret=SECRET,
        created_at=NOW,
    )


def after(room: Room, name: str, *commands: Command) -> Room:
    """The room after a player's commands, all of which succeed."""
    for command in commands:
        room, _ = decide(room, command, by(name))
    return room


def seated(names: Sequence[str] = NAMES[:2], variant: str = "classic-5x4") -> Room:
    """A lobby with these players, all ready; the first is the host."""
    room = lobby(variant, host=names[0])
    for name in names:
        room = after(room, name, Join(f"text of {name}"), MarkReady(ready=True))
    return room


def started(names: Sequence[str] = NAMES[:2], variant: str = "classic-5x4") -> Room:
    """A room whose game has just begun."""
    return after(seated(names, variant), names[0], Start())


def meant_now(room: Room, action: Action) -> Act:
    """The action, meant for the present moment."""
    game = room.game
    assert game is not None
    return Act(game.seat, game.turn, game.roll, action)


def refused(room: Room, command: PlayerCommand, name: str, now: int = NOW) -> RoomRefusal:
    """How the room refuses a player's command."""
    with pytest.raises(RoomRefusal) as refusal:
        decide(room, command, by(name, now))
    return refusal.value


def by_server(now: int = NOW) -> By:
    """The server itself, which gives the commands that nobody can send."""
    return By(SYSTEM, "", now)


def after_server(room: Room, *commands: SystemCommand, now: int = NOW) -> Room:
    """The room after the server's commands, all of which succeed."""
    for command in commands:
        room, _ = decide(room, command, by_server(now))
    return room


def refused_to_server(room: Room, command: SystemCommand, now: int = NOW) -> RoomRefusal:
    """How the room refuses a command of the server."""
    with pytest.raises(RoomRefusal) as refusal:
        decide(room, command, by_server(now))
    return refusal.value


def game_of(room: Room) -> Game:
    """The game that is on."""
    assert room.game is not None
    return room.game


def bot_turn_played(room: Room, now: int = NOW) -> Room:
    """The room after the bot that is to move has rolled once and filled a cell: its turn is over."""
    turn = game_of(room).turn
    while room.phase is Phase.PLAYING and game_of(room).turn == turn:
        game = game_of(room)
        fills = [action for action in legal_actions(game) if isinstance(action, Fill)]
        action = fills[0] if fills else Roll()
        room = after_server(room, BotAct(game.seat, game.turn, game.roll, action), now=now)
    return room


def turn_played(room: Room, now: int = NOW) -> Room:
    """The room after the player to move has rolled once and filled a cell: his turn is over."""
    turn = game_of(room).turn
    while room.phase is Phase.PLAYING and game_of(room).turn == turn:
        game = game_of(room)
        fills = [action for action in legal_actions(game) if isinstance(action, Fill)]
        room, _ = act(room, fills[0] if fills else Roll(), now)
    return room


def with_bot(variant: str = "classic-5x4", pace: Pace = Pace.NONE) -> Room:
    """A lobby of Lija, who is ready and the host, and a bot."""
    return after(
        lobby(variant),
        "Lija",
        Join("x"),
        AddBot(),
        ChangeSettings(variant, 8, pace=pace),
        MarkReady(ready=True),
    )


def timed(names: Sequence[str] = NAMES[:2], pace: Pace = Pace.BRISK) -> Room:
    """A game that has just begun, of which every turn has an end."""
    room = after(seated(names), names[0], ChangeSettings("classic-5x4", 8, pace=pace))
    for name in names:
        room = after(room, name, MarkReady(ready=True))
    return after(room, names[0], Start())


def act(room: Room, action: Action, now: int = NOW) -> Step:
    """The step of an action by the player whose turn it is."""
    assert room.game is not None
    seat = room.seats[room.game.seat]
    return decide(room, meant_now(room, action), By(seat.player, seat.name, now))


def steps(room: Room, rng: random.Random) -> Iterator[tuple[Room, Room, tuple[RoomEvent, ...]]]:
    """Every step of a game played at random to its end: the room before, after, and what happened."""
    while room.phase is Phase.PLAYING:
        assert room.game is not None
        before = room
        room, happened = act(room, rng.choice(legal_actions(room.game)))
        yield before, room, happened


def played_out(room: Room, seed: int = 1) -> Room:
    """The room after its game."""
    for _, after_step, _ in steps(room, random.Random(seed)):
        room = after_step
    return room
