"""The record of a finished game, for OpenAPI: its form, and a shortened example. docs/rest.md explains it."""

from typing import Any

from pydantic import TypeAdapter

from app.replays import SEAT_EXAMPLE
from app.rules.plain import variant_to_plain
from app.rules.presets import MY_YAHTZEE
from app.variant_parts import RecordedVariantPart

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_OBJECT = {"type": "object"}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT_OR_NULL = {"type": ["string", "null"]}
# Its parts are described with the variants of app/variants.
_VARIANT = TypeAdapter(RecordedVariantPart).json_schema(ref_template="#/components/schemas/{model}")
_VARIANT.pop("$defs")
_SEAT = _object(
    seat=_NUMBER, player=_TEXT_OR_NULL, name=_TEXT, ended=_TEXT, tag=_TEXT_OR_NULL, user_name=_TEXT_OR_NULL
)
# Only where it is true: the player keeps the game on his device, and has no result in it.
_SEAT["properties"]["kept"] = {"type": "boolean"}
RECORD_SCHEMA: dict[str, Any] = _object(
    id=_TEXT,
    variant=_VARIANT,
    seats=_list(_SEAT),
    started_at=_NUMBER,
    ended_at=_NUMBER,
    reason=_TEXT,
    standings=_list(_object(seat=_NUMBER, place=_NUMBER, total=_NUMBER)),
    sheets=_list(_object(seat=_NUMBER, total=_NUMBER, cells=_OBJECT, sums=_OBJECT)),
    log=_list(_object(type=_TEXT, seat=_NUMBER)),
    proof=_object(game=_TEXT, commitment=_TEXT, secret=_TEXT, texts=_list(_TEXT)),
    board=_TEXT,
)
_SUMS = {"upper": 60, "bonus": 0, "middle": 45, "lower": 187, "total": 292}
RECORD_EXAMPLE: dict[str, Any] = {
    "id": "g7d1",
    "variant": variant_to_plain(MY_YAHTZEE),
    "seats": [SEAT_EXAMPLE],
    "started_at": 1790000000000,
    "ended_at": 1790003600000,
    "reason": "sheets_full",
    "undo": "off",
    "standings": [{"seat": 0, "place": 1, "total": 292}],
    "sheets": [
        {"seat": 0, "total": 292, "cells": {"down": {"ones": 3, "twos": 8}}, "sums": {"down": _SUMS}},
    ],
    "log": [
        {"type": "rolled", "seat": 0, "roll": 1, "dice": [6, 1, 1, 3, 1, 2], "held": []},
        {"type": "filled", "seat": 0, "column": "down", "row": "ones", "score": 3},
    ],
    "proof": {
        "game": "g7d1",
        "commitment": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
        "secret": "00" * 32,
        "texts": ["good luck"],
    },
    "board": "my-yahtzee",
}
