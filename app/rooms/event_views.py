"""What happened in a room, as its table is told: plain values with the names of docs/protocol.md. Pure."""

from enum import Enum
from typing import cast, get_args

import orjson
from msgspec.structs import fields

from app.rooms.events import (
    BotAdded,
    BotChosen,
    CalledOut,
    ChatSet,
    Finished,
    HostPassed,
    Joined,
    Kept,
    Kicked,
    Left,
    Postponed,
    Readied,
    RematchMade,
    Reopened,
    RoomEvent,
    SeatLeft,
    SeatReturned,
    SettingsChanged,
    Started,
    TableEvent,
    Waited,
)
from app.rules.events import Event
from app.rules.own_dice.actions import SheetEvent
from app.rules.plain import Plain, sheet_event_to_plain
from app.rules.plain import encode_event as encode_game_event

_NAMES: dict[type[TableEvent], str] = {
    Joined: "joined",
    Left: "left",
    Readied: "readied",
    SettingsChanged: "settings_changed",
    Started: "started",
    Finished: "finished",
    Reopened: "reopened",
    BotAdded: "bot_added",
    Kicked: "kicked",
    SeatLeft: "seat_left",
    SeatReturned: "seat_returned",
    HostPassed: "host_passed",
    CalledOut: "called_out",
    Waited: "waited",
    BotChosen: "bot_chosen",
    ChatSet: "chat_set",
    RematchMade: "rematch",
    Postponed: "postponed",
    Kept: "kept",
}
_OF_GAME = frozenset(get_args(Event))


def encode_event(happened: RoomEvent) -> bytes:
    """An event as JSON, as the table is told of it."""
    if type(happened) in _OF_GAME:  # as most are
        return encode_game_event(cast(Event, happened))
    return orjson.dumps(_around_game(happened))


def event(happened: RoomEvent) -> Plain:
    """The same as a plain value."""
    return {**orjson.loads(encode_event(happened))}


def _around_game(happened: RoomEvent) -> Plain:
    """What happened around the game has the fields of its class."""
    if isinstance(happened, TableEvent):
        values = {field.name: getattr(happened, field.name) for field in fields(happened)}
        shown = {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}
        return {"type": _NAMES[type(happened)], **shown}
    return sheet_event_to_plain(cast(SheetEvent, happened))
