"""Variants, events, games and records as plain values (dict, list, str, int, bool, None), and back.

The one owner of how these look outside: on the wire, in the store and in a record. Reading is strict.
"""

from app.rules.plain.events import (
    cell_from_plain,
    cell_to_plain,
    encode_event,
    event_from_plain,
    event_to_plain,
)
from app.rules.plain.games import (
    GameShape,
    column_to_plain,
    game_from_plain,
    game_to_plain,
    shape_of_game,
    sheet_to_plain,
    sheets_to_plain,
    standings_to_plain,
)
from app.rules.plain.own_dice import (
    own_dice_game_from_plain,
    own_dice_game_to_plain,
    sheet_event_from_plain,
    sheet_event_to_plain,
)
from app.rules.plain.reading import NotPlain, Plain, as_object, readable
from app.rules.plain.records import record_from_plain, record_to_plain
from app.rules.plain.replays import replay_to_plain
from app.rules.plain.variants import variant_from_plain, variant_shown, variant_to_plain

__all__ = [
    "GameShape",
    "NotPlain",
    "Plain",
    "as_object",
    "cell_from_plain",
    "cell_to_plain",
    "column_to_plain",
    "encode_event",
    "event_from_plain",
    "event_to_plain",
    "game_from_plain",
    "game_to_plain",
    "own_dice_game_from_plain",
    "own_dice_game_to_plain",
    "readable",
    "record_from_plain",
    "record_to_plain",
    "replay_to_plain",
    "shape_of_game",
    "sheet_event_from_plain",
    "sheet_event_to_plain",
    "sheet_to_plain",
    "sheets_to_plain",
    "standings_to_plain",
    "variant_from_plain",
    "variant_shown",
    "variant_to_plain",
]
