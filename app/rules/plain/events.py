"""Cells and events as plain values."""

from collections.abc import Callable
from typing import assert_never

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.plain.reading import NotPlain, Plain, choice, number, numbers, text
from app.rules.variant import Cell, ColumnKind, Row


def cell_to_plain(cell: Cell) -> Plain:
    """A cell by the names of its column and row."""
    return {"column": cell.column.value, "row": cell.row.value}


def cell_from_plain(plain: Plain) -> Cell:
    """The cell with these names."""
    return Cell(choice(plain, "column", ColumnKind), choice(plain, "row", Row))


def event_to_plain(event: Event) -> Plain:
    """An event as the protocol and the record show it."""
    match event:
        case Rolled():
            return {
                "type": "rolled",
                "seat": event.seat,
                "roll": event.roll,
                "dice": list(event.dice),
                "held": list(event.held),
            }
        case Announced():
            return {"type": "announced", "seat": event.seat, **cell_to_plain(event.cell)}
        case Filled():
            return {"type": "filled", "seat": event.seat, **cell_to_plain(event.cell), "score": event.score}
        case Passed():
            return {"type": "passed", "seat": event.seat}
        case Undone():
            return {"type": "undone", "seat": event.seat}
        case _:
            assert_never(event)


def event_from_plain(plain: Plain) -> Event:
    """The event that is shown so."""
    read = _READERS.get(text(plain, "type"))
    if read is None:
        raise NotPlain(f"type: one of {', '.join(_READERS)} is expected")
    return read(plain)


_READERS: dict[str, Callable[[Plain], Event]] = {
    "rolled": lambda plain: Rolled(
        number(plain, "seat"), number(plain, "roll"), numbers(plain, "dice"), numbers(plain, "held")
    ),
    "announced": lambda plain: Announced(number(plain, "seat"), cell_from_plain(plain)),
    "filled": lambda plain: Filled(number(plain, "seat"), cell_from_plain(plain), number(plain, "score")),
    "passed": lambda plain: Passed(number(plain, "seat")),
    "undone": lambda plain: Undone(number(plain, "seat")),
}
