"""What a command makes of a room: which one fits which phase, and who decides it. Pure.

`now` is passed in, and what has to be drawn comes with the command.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from app.rooms import leaving, lobby, offers, playing
from app.rooms.commands import (
    SYSTEM,
    SYSTEM_COMMANDS,
    Act,
    ActOnSheet,
    AddBot,
    BotAct,
    By,
    CallOut,
    ChangeSettings,
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
)
from app.rooms.events import ChatSet
from app.rooms.keeping import keep
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.rematch import rematch
from app.rooms.room import Phase, Room
from app.rooms.schedule import with_clock
from app.rooms.seats import Step, check_host
from app.rules.actions import Reason


def _set_chat(room: Room, command: SetChat, by: By) -> Step:
    check_host(room, by)
    return replace(room, chat=command.on), (ChatSet(command.on),)


def _start(room: Room, _command: Start, by: By) -> Step:
    return lobby.start(room, by)


Decide = Callable[[Room, Any, By], Step]
"""Decides the one type of command that it stands for in the table."""

_ALWAYS: dict[type[Command], Decide] = {
    Kick: leaving.kick,
    SetChat: _set_chat,
    Rematch: rematch,
    PassHost: leaving.pass_host,
}
_BY_PHASE: dict[Phase, dict[type[Command], Decide]] = {
    Phase.LOBBY: _ALWAYS
    | {
        Join: lobby.join,
        Leave: lobby.leave,
        MarkReady: lobby.mark_ready,
        ChangeSettings: lobby.change_settings,
        Start: _start,
        AddBot: lobby.add_bot,
        Keep: keep,
    },
    Phase.PLAYING: _ALWAYS
    | {
        Act: playing.act,
        ActOnSheet: playing.act_on_sheet,
        BotAct: playing.bot_act,
        Leave: leaving.leave,
        Return: leaving.come_back,
        Choose: offers.choose,
        CallOut: offers.call_out,
        Postpone: offers.postpone,
        Keep: keep,
    },
    Phase.FINISHED: _ALWAYS | {Leave: leaving.leave, ActOnSheet: playing.act_on_sheet},
}
"""What can be asked of a room in each phase. `start` ends the lobby, the last action ends the game.

Sheets of own dice are corrected after it too.
"""


def decide(room: Room, command: Command, by: By) -> Step:
    """The room after a command, and what happened. Raises RoomRefusal."""
    if (type(command) in SYSTEM_COMMANDS) != (by.player == SYSTEM):
        raise ValueError(f"{by.player} can't give the command {type(command).__name__}")
    decide_it = _BY_PHASE[room.phase].get(type(command))
    if decide_it is None:
        raise _out_of_phase(room.phase, command)
    after, happened = decide_it(room, command, by)
    return with_clock(room, after, by.now), happened


def _out_of_phase(phase: Phase, command: Command) -> RoomRefusal:
    if isinstance(command, Return | Choose | CallOut | Postpone):
        return RoomRefusal(RefusalCode.NOT_PLAYING, "no game is being played")
    if not isinstance(command, Act | ActOnSheet | BotAct | Keep):
        return RoomRefusal(RefusalCode.ALREADY_STARTED, "the game has started; the lobby's commands are over")
    if phase is Phase.LOBBY:
        return RoomRefusal(RefusalCode.NOT_STARTED, "the game has not started yet")
    return RoomRefusal(Reason.GAME_OVER, "the game is over")
