"""A game for people to read, from its line or its record: turn by turn, and the sheets at the end."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, assert_never

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.game import evolve, standings
from app.rules.legality import is_over
from app.rules.notation import Played, format_game, format_position, parse_game
from app.rules.sheet import column_scores, column_sums, total
from app.rules.state import Game
from app.rules.variant import Cell
from app.scores.checking import checked_record
from app.scores.record_files import Found, games_in, one_line, printable, read_file


class Told(NamedTuple):
    """A game, and what its seats are called."""

    played: Played
    names: tuple[str, ...]


def replay_file(path: Path) -> str:
    """The games in a file, told. Raises ValueError with the line that says what is wrong."""
    return "\n\n".join("\n".join(map(printable, _tell(told))) for told in _read(path))


def line_of_file(path: Path) -> str:
    """The games in a file, a line of notation each. Raises ValueError with what is wrong, in a line."""
    return "\n".join(format_game(told.played.first, told.played.log) for told in _read(path))


def _read(path: Path) -> list[Told]:
    try:
        encoded = read_file(path)
        if encoded.lstrip().startswith((b"{", b"[")):
            return [_from_record(found) for found in games_in(encoded, path)]
        return [_from_line(encoded, path)]
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ValueError(one_line(error)) from error


def _from_record(found: Found) -> Told:
    try:
        record, final = checked_record(found.plain)
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ValueError(f"{found.place}: {error}" if found.place else str(error)) from error
    return Told(Played(record.first, record.log, final), tuple(seat.name for seat in record.seats))


def _from_line(encoded: bytes, path: Path) -> Told:
    try:
        lines = encoded.decode().splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is neither a record nor a line of notation") from None
    if len(lines) != 1:
        raise ValueError(f"{path} has {len(lines)} lines: one line of notation, or a record, is expected")
    played = parse_game(lines[0])
    return Told(played, tuple(f"Seat {seat}" for seat in range(played.first.seats)))


def _tell(told: Told) -> Iterator[str]:
    played, names = told
    yield f"{played.first.variant.id}, {', '.join(names)}"
    yield ""
    yield from _turns(told)
    for name, sheet in zip(names, played.last.sheets, strict=True):
        yield ""
        yield name
        yield from _sheet(played.last, sheet)
    yield ""
    if is_over(played.last):
        yield from (f"{place}. {names[seat]} {points}" for place, seat, points in standings(played.last))
    else:
        yield f"{names[played.last.seat]} is to move: {format_position(played.last)}"


def _turns(told: Told) -> Iterator[str]:
    """A line for each turn."""
    game = told.played.first
    said: list[str] = []
    for event in told.played.log:
        said.append(_say(event))
        after = evolve(game, event)
        if after.turn != game.turn:
            yield f"{min(game.turn, after.turn)}. {told.names[event.seat]}: {', '.join(said)}"
            said = []
        game = after
    if said:
        yield f"{game.turn}. {told.names[game.seat]}: {', '.join(said)}"


def _say(event: Event) -> str:
    match event:
        case Rolled():
            dice = "".join(map(str, event.dice))
            held = "".join(str(event.dice[position]) for position in event.held)
            return f"holds {held} and rolls {dice}" if held else f"rolls {dice}"
        case Announced():
            return f"announces {_name(event.cell)}"
        case Filled():
            return f"writes {event.score} in {_name(event.cell)}"
        case Passed():
            return "passes"
        case Undone():
            return "takes it back"
        case _:
            assert_never(event)


def _name(cell: Cell) -> str:
    return f"{cell.row} of {cell.column}".replace("_", " ")


def _sheet(game: Game, sheet: tuple[int | None, ...]) -> list[str]:
    """A table: rows by columns, then the parts of each column, then the total."""
    layout = game.layout
    scores = [column_scores(layout, sheet, column) for column in layout.columns]
    sums = [column_sums(layout, in_column) for in_column in scores]
    table: list[list[object]] = [["", *(column.column.kind for column in layout.columns)]]
    table += [[row, *in_row] for row, in_row in zip(layout.rows, zip(*scores, strict=True), strict=True)]
    for part in ("upper", "bonus", "middle", "lower", "total"):
        table.append([part, *(getattr(column, part) for column in sums)])
    return [*_aligned(table), f"total {total(layout, sheet)}"]


def _aligned(table: list[list[object]]) -> list[str]:
    texts = [["" if it is None else str(it).replace("_", " ") for it in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in texts
    ]
