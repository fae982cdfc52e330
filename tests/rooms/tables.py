"""Rooms as tests want them, made by the commands that players would give."""

import random
from collections.abc import Iterator, Sequence

from app.accounts.identity import Identity
from app.rooms.commands import Act, By, Command, Join, MarkReady, Start
from app.rooms.deciding import decide
from app.rooms.events import RoomEvent
from app.rooms.room import Phase, Room
from app.rooms.seats import Step
from app.rules.actions import Action
from app.rules.legality import legal_actions
from app.rules.presets import PRESET_BY_ID

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


def act(room: Room, action: Action) -> Step:
    """The step of an action by the player whose turn it is."""
    assert room.game is not None
    seat = room.seats[room.game.seat]
    return decide(room, meant_now(room, action), By(seat.player, seat.name, NOW))


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
