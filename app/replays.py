"""Replays as REST answers them: of a recorded game, and of one with real dice that just ended in its room.

The steps are made here and not in the client: it knows no rules, and so can't tell a bonus or a total. They
are made when somebody asks, since all of it follows from the log; a device that keeps a game keeps them too.
"""

from collections.abc import Sequence
from typing import Any

from app.rules.layout import Layout
from app.rules.plain import Plain, replay_to_plain, variant_to_plain
from app.rules.presets import MY_YAHTZEE
from app.rules.replay import Step

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_OBJECT = {"type": "object"}


def replay(game: str, seats: Sequence[Plain], layout: Layout, steps: Sequence[Step]) -> Plain:
    """The answer. `seats`: who sat where and how it ended, as a record is shown; real dice without tags."""
    return {"game": game, "seats": list(seats), **replay_to_plain(layout, steps)}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_CELL = _object(column=_TEXT, row=_TEXT)
_COLUMN = _object(cells=_OBJECT, sums=_OBJECT)
_STEP = _object(
    seat=_NUMBER,
    round=_NUMBER,
    events=_list(_object(type=_TEXT, seat=_NUMBER)),
    announced={"anyOf": [_CELL, {"type": "null"}]},
    columns={"type": "object", "additionalProperties": {"anyOf": [_COLUMN, {"type": "null"}]}},
    total=_NUMBER,
)
_TAG = {"type": ["string", "null"]}
_SEAT = _object(seat=_NUMBER, player=_TEXT, name=_TEXT, ended=_TEXT)
_SEAT["properties"] |= {"tag": _TAG, "user_name": _TAG}
_SCHEMA = _object(
    game=_TEXT,
    seats=_list(_SEAT),
    variant=_object(id=_TEXT, dice=_NUMBER, rows=_list(_OBJECT), columns=_list(_OBJECT)),
    steps=_list(_STEP),
)
SEAT_EXAMPLE: Plain = {
    "seat": 0,
    "player": "p3vq8m2kx7",
    "name": "Lija",
    "ended": "played",
    "tag": "2kx7",
    "user_name": None,
}
"""A seat as records and replays show it."""
_EXAMPLE: Plain = {
    "game": "g7d1",
    "seats": [SEAT_EXAMPLE],
    "variant": variant_to_plain(MY_YAHTZEE),
    "steps": [
        {
            "seat": 0,
            "round": 1,
            "events": [
                {"type": "rolled", "seat": 0, "roll": 1, "dice": [6, 1, 1, 3, 1, 2], "held": []},
                {"type": "filled", "seat": 0, "column": "down", "row": "ones", "score": 3},
            ],
            "announced": None,
            "columns": {
                "down": {
                    "cells": {"ones": 3},
                    "sums": {"upper": 3, "bonus": 0, "middle": None, "lower": 0, "total": 3},
                }
            },
            "total": 3,
        }
    ],
}
REPLAY: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/json": {"schema": _SCHEMA, "example": _EXAMPLE}},
        "description": "The game step by step. A step is a turn, at an own-dice table one event. `columns` "
        "are those of the seat's sheet that the step changed, whole; null for one that is empty again.",
    }
}
