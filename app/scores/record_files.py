"""Files with games, from anywhere: read with limits, and what is wrong with them said in one line.

The one place that knows in which forms games are handed out: a record, a list of records, what a player
exports of themselves or of a device (`games`), and JSON Lines of any of these.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_MAX_BYTES = 64 * 1024 * 1024
_MAX_LINE = 300


class Found(NamedTuple):
    """A game in a file, not looked at yet. `place`: where it stands, "" where it is the only one."""

    place: str
    plain: object


def read_file(path: Path) -> bytes:
    """What stands in a file. Raises ValueError."""
    try:
        with path.open("rb") as file:
            encoded = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror or error}") from error
    if len(encoded) > _MAX_BYTES:
        raise ValueError(f"{path} is too big: at most {_MAX_BYTES >> 20} MiB of games are read")
    return encoded


def games_in(encoded: bytes, path: Path) -> list[Found]:
    """The games in a file's content, at least one. Raises ValueError."""
    found = list(_named(_documents(encoded, path)))
    if not found:
        raise ValueError(f"{path} has no game in it")
    return [Found("", found[0].plain)] if len(found) == 1 else found


def _documents(encoded: bytes, path: Path) -> list[tuple[str, object]]:
    """One JSON document, or one on each line; each with the line it stands on, "" for the only one."""
    try:
        return [("", _decoded(encoded))]
    except json.JSONDecodeError as error:
        lines = [(number, line) for number, line in enumerate(encoded.splitlines(), 1) if line.strip()]
        if error.msg != "Extra data" or len(lines) < 2:
            raise ValueError(f"{path} is not JSON: {error}") from error
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    return [(f"line {number}", _line(line, number, path)) for number, line in lines]


def _line(line: bytes, number: int, path: Path) -> object:
    try:
        return _decoded(line)
    except ValueError as error:
        raise ValueError(f"{path}, line {number}, is not JSON: {error}") from error


def _decoded(encoded: bytes) -> object:
    try:
        return json.loads(encoded)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _named(documents: Iterable[tuple[str, object]]) -> Iterator[Found]:
    for place, document in documents:
        games = _games_of(document)
        if games is None:
            yield Found(place, document)
            continue
        for number, game in enumerate(games, 1):
            yield Found(", ".join(filter(None, (place, f"game {number}"))), _unwrapped(game))


def _games_of(document: object) -> list[object] | None:
    """The games that a document holds; None where it is one itself."""
    games = document.get("games") if isinstance(document, dict) else document
    return games if isinstance(games, list) else None


def _unwrapped(game: object) -> object:
    """The record of a game that a device kept: it stands beside the seat whose game it is."""
    return game["record"] if isinstance(game, dict) and game.keys() == {"seat", "record"} else game


def one_line(error: Exception) -> str:
    """What is wrong, as a line that can be shown."""
    return printable(" ".join(str(error).split()))[:_MAX_LINE]


def printable(text: str) -> str:
    """A record comes from anywhere: it neither breaks the line nor speaks to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)
