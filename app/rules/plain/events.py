"""Cells and events as plain values."""

from collections.abc import Callable
from typing import Any

import orjson
from msgspec import Struct
from msgspec.json import Encoder

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.plain.reading import NotPlain, Plain, choice, number, numbers, text
from app.rules.variant import Cell, ColumnKind, Row


def cell_to_plain(cell: Cell) -> Plain:
    """A cell by the names of its column and row."""
    return {"column": cell.column.value, "row": cell.row.value}


def cell_from_plain(plain: Plain) -> Cell:
    """The cell with these names."""
    return Cell(choice(plain, "column", ColumnKind), choice(plain, "row", Row))


class _Rolled(Struct, frozen=True, gc=False, tag="rolled"):
    seat: int
    roll: int
    dice: tuple[int, ...]
    held: tuple[int, ...]


class _Announced(Struct, frozen=True, gc=False, tag="announced"):
    seat: int
    column: ColumnKind
    row: Row


class _Filled(Struct, frozen=True, gc=False, tag="filled"):
    seat: int
    column: ColumnKind
    row: Row
    score: int


class _Passed(Struct, frozen=True, gc=False, tag="passed"):
    seat: int


class _Undone(Struct, frozen=True, gc=False, tag="undone"):
    seat: int


# By type: looked up faster than asked for one after another, as is done for every step of every game.
_SHAPES: dict[type[Event], Callable[[Any], Struct]] = {
    Rolled: lambda event: _Rolled(event.seat, event.roll, event.dice, event.held),
    Announced: lambda event: _Announced(event.seat, event.cell.column, event.cell.row),
    Filled: lambda event: _Filled(event.seat, event.cell.column, event.cell.row, event.score),
    Passed: lambda event: _Passed(event.seat),
    Undone: lambda event: _Undone(event.seat),
}
_encode = Encoder().encode


def encode_event(event: Event) -> bytes:
    """An event as JSON, as the protocol and the record show it."""
    return _encode(_SHAPES[type(event)](event))


def event_to_plain(event: Event) -> Plain:
    """An event as the protocol and the record show it."""
    return {**orjson.loads(encode_event(event))}


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
