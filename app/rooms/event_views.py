"""What happened in a room, as its table is told: plain values with the names of docs/protocol.md. Pure."""

from enum import Enum

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
    RoomEvent,
    SeatLeft,
    SeatReturned,
    SettingsChanged,
    Started,
    TableEvent,
    Waited,
)
from app.rules.events import Announced, Filled, Passed, Rolled, Undone
from app.rules.plain import Plain, event_to_plain, sheet_event_to_plain

_NAMES: dict[type[TableEvent], str] = {
    Joined: "joined",
    Left: "left",
    Readied: "readied",
    SettingsChanged: "settings_changed",
    Started: "started",
    Finished: "finished",
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
_OF_GAME = (Rolled, Announced, Filled, Passed, Undone)


def event(happened: RoomEvent) -> Plain:
    """An event as the table is told of it. What happened around the game has the fields of its class."""
    # Most events are the game's. They are first, since many types in a union are slow to look through.
    if isinstance(happened, _OF_GAME):
        return event_to_plain(happened)
    if isinstance(happened, TableEvent):
        values = {field.name: getattr(happened, field.name) for field in fields(happened)}
        shown = {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}
        return {"type": _NAMES[type(happened)], **shown}
    return sheet_event_to_plain(happened)
