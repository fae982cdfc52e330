"""The commands that a client's messages stand for."""

from typing import assert_never

from app.rooms.commands import (
    Act,
    ActOnSheet,
    AddBot,
    ChangeSettings,
    Choose,
    Join,
    Keep,
    Kick,
    Leave,
    MarkReady,
    PlayerCommand,
    Rematch,
    Return,
    SetChat,
    Start,
)
from app.rooms.messages import (
    ActionPart,
    ActMessage,
    AddBotMessage,
    AnnounceAction,
    AnnounceEntry,
    ChatMessage,
    ChooseMessage,
    ClearEntry,
    CommandMessage,
    EmptyEntry,
    EntryPart,
    FillAction,
    FillEntry,
    JoinMessage,
    KeepMessage,
    KickMessage,
    LeaveMessage,
    ReadyMessage,
    RematchMessage,
    ReturnMessage,
    RollAction,
    SettingsMessage,
    SheetMessage,
    StartMessage,
    UndoAction,
    WithdrawEntry,
)
from app.rules.actions import Action, Announce, Fill, Roll, Undo
from app.rules.own_dice.actions import (
    AnnounceAloud,
    ClearSheet,
    EmptyCell,
    FillByHand,
    SheetAction,
    Withdraw,
)
from app.rules.variant import Cell


def command_of(message: CommandMessage) -> PlayerCommand:
    """The command that a message gives."""
    match message:
        case ActMessage():
            return Act(message.seat, message.turn, message.roll, _action_of(message.action))
        case SheetMessage():
            return ActOnSheet(message.seat, _entry_of(message.action))
        case JoinMessage():
            return Join(message.text, message.name)
        case ReadyMessage():
            return MarkReady(message.ready, message.text)
        case SettingsMessage():
            return _settings_of(message)
        case ChooseMessage():
            return Choose(message.seat, message.turn, message.choice)
        case RematchMessage():
            return Rematch(message.game)
        case ChatMessage():
            return SetChat(message.on)
        case KeepMessage():
            return Keep(message.keep)
        case _:
            return _seat_command_of(message)


def _seat_command_of(
    message: LeaveMessage | StartMessage | AddBotMessage | KickMessage | ReturnMessage,
) -> PlayerCommand:
    """The command of a message that names a seat at most."""
    match message:
        case LeaveMessage():
            return Leave(message.seat)
        case StartMessage():
            return Start()
        case AddBotMessage():
            return AddBot()
        case KickMessage():
            return Kick(message.seat)
        case ReturnMessage():
            return Return(message.seat)
        case _:
            assert_never(message)


def _settings_of(message: SettingsMessage) -> ChangeSettings:
    return ChangeSettings(
        message.variant,
        message.max_seats,
        columns_of(message.columns),
        undo=message.undo,
        own_dice=message.own_dice,
        pace=message.pace,
        chat=message.chat,
    )


def columns_of(names: list[str] | None) -> tuple[str, ...] | None:
    """The columns that were asked for; None for those that the variant has anyway."""
    return None if names is None else tuple(names)


def _action_of(action: ActionPart) -> Action:
    match action:
        case RollAction():
            return Roll(tuple(sorted(action.hold)))
        case FillAction():
            return Fill(Cell(action.column, action.row))
        case AnnounceAction():
            return Announce(Cell(action.column, action.row))
        case UndoAction():
            return Undo()
        case _:
            assert_never(action)


def _entry_of(action: EntryPart) -> SheetAction:
    match action:
        case FillEntry():
            return FillByHand(Cell(action.column, action.row), action.score, action.replaces)
        case EmptyEntry():
            return EmptyCell(Cell(action.column, action.row), action.score)
        case ClearEntry():
            return ClearSheet()
        case AnnounceEntry():
            return AnnounceAloud(Cell(action.column, action.row))
        case WithdrawEntry():
            return Withdraw()
        case _:
            assert_never(action)
