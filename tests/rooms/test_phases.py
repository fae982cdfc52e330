"""Which commands fit which phase of a room: a table of all of them, and how the others are refused."""

from enum import StrEnum
from typing import get_args

import pytest

from app.rooms.commands import (
    SYSTEM,
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
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import OfferReason, Phase, Room
from app.rules.actions import Reason, Roll
from app.rules.own_dice.actions import ClearSheet
from tests.rooms.tables import by, by_server, played_out, player_of, seated, started

ROOMS = {Phase.LOBBY: seated(), Phase.PLAYING: started(), Phase.FINISHED: played_out(started())}

STARTED, NOT_PLAYING = RefusalCode.ALREADY_STARTED, RefusalCode.NOT_PLAYING
NOT_STARTED, OVER = RefusalCode.NOT_STARTED, Reason.GAME_OVER
DRAWN_DICE, NO_OFFER = RefusalCode.DRAWN_DICE, RefusalCode.NO_OFFER
STALE = RefusalCode.STALE
TABLE: list[tuple[Command, str, tuple[StrEnum | None, StrEnum | None, StrEnum | None]]] = [
    # What is asked, by whom; how it is refused in the lobby, in a game, and after it: None where it is done.
    (Join("x"), "Zec", (None, STARTED, STARTED)),
    (Leave(), "Medo", (None, None, None)),
    (MarkReady(ready=False), "Medo", (None, STARTED, STARTED)),
    (ChangeSettings("papir", 4), "Lija", (None, STARTED, STARTED)),
    (Start(), "Lija", (None, STARTED, STARTED)),
    (AddBot(), "Lija", (None, STARTED, STARTED)),
    (Kick(1), "Lija", (None, None, None)),
    (SetChat(on=False), "Lija", (None, None, None)),
    (Keep(on=True), "Medo", (None, None, OVER)),
    (Act(0, 1, 0, Roll()), "Lija", (NOT_STARTED, None, OVER)),
    (ActOnSheet(0, ClearSheet()), "Lija", (NOT_STARTED, DRAWN_DICE, DRAWN_DICE)),
    (Return(), "Medo", (NOT_PLAYING, STALE, NOT_PLAYING)),
    (Choose(0, 1, Choice.WAIT), "Medo", (NOT_PLAYING, NO_OFFER, NOT_PLAYING)),
    (Rematch("g7d1", "g2", b"s"), "Medo", (STALE, STALE, None)),
    (CallOut(0, 1, OfferReason.GONE), SYSTEM, (NOT_PLAYING, None, NOT_PLAYING)),
    (PassHost(player_of("Medo")), SYSTEM, (None, None, None)),
    (BotAct(0, 1, 0, Roll()), SYSTEM, (NOT_STARTED, STALE, OVER)),
    (Postpone(500), SYSTEM, (NOT_PLAYING, STALE, NOT_PLAYING)),
]


def _name(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize(("command", "who", "refusals"), TABLE, ids=_name)
def test_a_command_is_done_in_its_phases_and_refused_in_the_others(
    command: Command, who: str, refusals: tuple[StrEnum | None, ...]
) -> None:
    giver = by_server() if who == SYSTEM else by(who)
    assert [refusal_of(room, command, giver) for room in ROOMS.values()] == list(refusals)


def refusal_of(room: Room, command: Command, giver: By) -> StrEnum | None:
    """The code by which the room refuses the command; None where it is done."""
    try:
        decide(room, command, giver)
    except RoomRefusal as refusal:
        return refusal.code
    return None


def test_the_table_has_every_command() -> None:
    assert {type(command) for command, _, _ in TABLE} == set(get_args(Command))


@pytest.mark.parametrize("command", [command for command, _, _ in TABLE], ids=_name)
def test_no_player_gives_a_command_of_the_server_and_it_gives_none_of_theirs(command: Command) -> None:
    wrong = by("Lija") if isinstance(command, SystemCommand) else by_server()
    for room in ROOMS.values():
        with pytest.raises(ValueError, match="can't give the command"):
            decide(room, command, wrong)
