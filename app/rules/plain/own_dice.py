"""Own-dice games and what happens in them as plain values."""

from collections.abc import Callable
from typing import assert_never

from app.rules.events import Announced, Filled, Passed, Rolled, Undone
from app.rules.game import MAX_SEATS
from app.rules.layout import layout_of
from app.rules.own_dice.actions import Cleared, Emptied, SheetEvent, Withdrawn
from app.rules.own_dice.game import OwnDiceGame
from app.rules.plain.events import cell_from_plain, cell_to_plain, event_from_plain, event_to_plain
from app.rules.plain.games import sheet_from_plain
from app.rules.plain.reading import NotPlain, Plain, as_object, items, number, text
from app.rules.presets import for_seats
from app.rules.variant import Cell, Variant


def own_dice_game_to_plain(game: OwnDiceGame) -> Plain:
    """The state of an own-dice game, its variant apart."""
    return {
        "sheets": [list(sheet) for sheet in game.sheets],
        "announced": [cell_to_plain(cell) if cell else None for cell in game.announced],
    }


def own_dice_game_from_plain(variant: Variant, plain: Plain) -> OwnDiceGame:
    """The game with that state, of that variant.

    Earlier a table of one played it without its notification column: such sheets are read as they are.
    """
    stored = items(plain, "sheets")
    layout = layout_of(variant)
    if [isinstance(sheet, list) and len(sheet) for sheet in stored] != [len(layout.cells)] * len(stored):
        layout = layout_of(for_seats(variant, len(stored)))
    sheets = tuple(sheet_from_plain(layout, sheet) for sheet in stored)
    announced = tuple(_announced_from_plain(cell) for cell in items(plain, "announced"))
    if not 1 <= len(sheets) <= MAX_SEATS or len(announced) != len(sheets):
        raise NotPlain(f"sheets, announced: one each for 1 to {MAX_SEATS} seats")
    return OwnDiceGame(layout, sheets, announced)


def sheet_event_to_plain(event: SheetEvent) -> Plain:
    """An event of an own-dice game as the protocol shows it."""
    match event:
        case Filled() | Announced():
            return event_to_plain(event)
        case Emptied():
            return {"type": "emptied", "seat": event.seat, **cell_to_plain(event.cell), "score": event.score}
        case Cleared():
            return {"type": "cleared", "seat": event.seat}
        case Withdrawn():
            return {"type": "withdrawn", "seat": event.seat}
        case _:
            assert_never(event)


def sheet_event_from_plain(plain: Plain) -> SheetEvent:
    """The event of an own-dice game that is shown so."""
    read = _READERS.get(text(plain, "type"))
    event = read(plain) if read else event_from_plain(plain)
    if isinstance(event, Rolled | Passed | Undone):
        raise NotPlain("type: nothing that happens with real dice")
    return event


_READERS: dict[str, Callable[[Plain], SheetEvent]] = {
    "emptied": lambda plain: Emptied(number(plain, "seat"), cell_from_plain(plain), number(plain, "score")),
    "cleared": lambda plain: Cleared(number(plain, "seat")),
    "withdrawn": lambda plain: Withdrawn(number(plain, "seat")),
}


def _announced_from_plain(plain: object) -> Cell | None:
    return None if plain is None else cell_from_plain(as_object(plain, "announced"))
