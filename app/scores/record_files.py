"""Files with games, from anywhere: read with limits, and what is wrong with them said in one line."""

import json
from pathlib import Path

from app.rules.plain import Plain

_MAX_BYTES = 16 * 1024 * 1024
_MAX_LINE = 300


def read_file(path: Path) -> bytes:
    """What stands in a file. Raises ValueError."""
    try:
        with path.open("rb") as file:
            encoded = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror or error}") from error
    if len(encoded) > _MAX_BYTES:
        raise ValueError(f"{path} is too big for the record of a game")
    return encoded


def read_object(encoded: bytes, path: Path) -> Plain:
    """The JSON object in a file's content. Raises ValueError."""
    try:
        plain = json.loads(encoded)
    except RecursionError:
        raise ValueError(f"{path} is no record: nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(plain, dict):
        raise ValueError(f"{path} is no record: an object is expected")
    return plain


def one_line(error: Exception) -> str:
    """What is wrong, as a line that can be shown."""
    return printable(" ".join(str(error).split()))[:_MAX_LINE]


def printable(text: str) -> str:
    """A record comes from anywhere: it neither breaks the line nor speaks to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)
