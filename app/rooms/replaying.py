"""The replay of a game with real dice, from its room and its log: nowhere else is it written down."""

import json
from collections.abc import Sequence
from typing import Any

from app.replays import replay
from app.rooms.ending import how_ended
from app.rooms.room import Room
from app.rules.own_dice.game import start
from app.rules.plain import sheet_event_from_plain
from app.rules.replay import steps_of_own_dice


def own_dice_replay(room: Room, log: Sequence[bytes]) -> dict[str, Any]:
    """What REST answers. `room` has ended a game with own dice, `log` is that game's."""
    game = room.own_game
    if game is None:
        raise ValueError(f"the game of room {room.code} has dice of its own")
    first = start(game.variant, len(game.sheets))
    seats = [
        {"seat": seat, "player": who.player, "name": who.name, "ended": how_ended(who)}
        for seat, who in enumerate(room.seats)
    ]
    events = [sheet_event_from_plain(json.loads(event)) for event in log]
    return replay(room.game_id, seats, first.layout, steps_of_own_dice(first, events))
