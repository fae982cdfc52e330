"""Which command can have made which step, by what the step's update tells. Pure."""

from typing import NamedTuple

from tests.faults.view import Message, View

_EVENT_OF_COMMAND = {
    "join": ("joined",),
    "leave": ("left", "seat_left"),
    "ready": ("readied",),
    "settings": ("settings_changed",),
    "start": ("started",),
    "add_bot": ("bot_added",),
    "kick": ("kicked",),
    "return": ("seat_returned",),
    "choose": ("waited", "bot_chosen"),
    "chat": ("chat_set",),
    "keep": ("kept",),
    "rematch": ("rematch",),
}
_EVENT_OF_ACTION = {"roll": "rolled", "announce": "announced", "fill": "filled", "undo": "undone"}
_FIELDS_OF_ACTION = {
    "roll": (("hold", "held"),),
    "announce": (("column", "column"), ("row", "row")),
    "fill": (("column", "column"), ("row", "row")),
    "undo": (),
}
GAME_EVENTS = ("rolled", "announced", "filled", "passed", "undone")
_OF_THE_SERVER = ("called_out", "host_passed", "postponed")


class Place(NamedTuple):
    """Where a table stood: the game, its turn, round and roll (None outside of a game), and whether a bot
    moves."""

    game: str | None
    turn: int | None
    round: int | None
    roll: int | None
    is_bots: bool


def place_of(view: View) -> Place:
    """Where the table stands that this view shows."""
    turn = view.turn
    if turn is None:
        return Place(view.game, None, None, None, is_bots=False)
    seat = view.state["seats"][turn["seat"]]
    is_bots = seat["kind"] == "bot" or seat.get("played_by") == "bot" or bool(turn.get("bot"))
    return Place(view.game, turn["turn"], turn["round"], turn["roll"], is_bots=is_bots)


def is_of_the_server(update: Message, before: Place | None) -> bool:
    """Whether the server itself makes such a step, without a command of anybody."""
    kinds = {event["type"] for event in update["events"]}
    is_bots = before is not None and before.is_bots and bool(kinds & set(GAME_EVENTS))
    return is_bots or bool(kinds & set(_OF_THE_SERVER))


def can_have_made(player: str, message: Message, update: Message, before: Place | None) -> bool:
    """Whether this command of this player makes this step. `before` is None where nobody saw that state."""
    if message["type"] == "act":
        return _acted(message, update, before)
    events = update["events"]
    if message["type"] in {"rematch", "keep"} and not events:
        return True
    return any(
        event["type"] in _EVENT_OF_COMMAND[message["type"]]
        and event.get("player", player) == player
        and event.get("ready", message.get("ready")) == message.get("ready")
        for event in events
    )


def _acted(message: Message, update: Message, before: Place | None) -> bool:
    action = message["action"]
    kind = action["type"]
    if before is not None and (message["turn"], message["roll"]) != (before.turn, before.roll):
        return False
    return any(
        event["type"] == _EVENT_OF_ACTION[kind]
        and event["seat"] == message["seat"]
        and all(action[said] == event[told] for said, told in _FIELDS_OF_ACTION[kind])
        for event in update["events"]
    )
