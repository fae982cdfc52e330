"""Strict reading of plain values: a field is there and is what it should be, or NotPlain names it.

Nothing here descends into a value of the wrong type or repeats it in an error, however deep or long it is.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

Plain = dict[str, object]
T = TypeVar("T")
Choice = TypeVar("Choice", bound=StrEnum)

# The whole numbers that every JSON reader keeps exact.
_MAX_NUMBER = 2**53 - 1


class NotPlain(ValueError):
    """A plain value that can't be read. The text says which field is wrong."""


def readable(read: Callable[[Plain], T], plain: object, name: str) -> T:
    """`read(plain)`; raises NotPlain, and nothing else, with a sentence on what in `name` is wrong."""
    if not isinstance(plain, dict):
        raise NotPlain(f"{name}: an object is expected")
    try:
        return read(plain)
    except ValueError as error:
        raise NotPlain(f"{name}: {error}") from error


def number(plain: Plain, name: str) -> int:
    """A whole number; true and 1.0 are none."""
    return _as_number(_field(plain, name), name)


def numbers(plain: Plain, name: str) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(_as_number(item, name) for item in items(plain, name))


def text(plain: Plain, name: str) -> str:
    """A text that can be encoded: without lone surrogates."""
    return _as_text(_field(plain, name), name)


def texts(plain: Plain, name: str) -> list[str]:
    """A list of texts."""
    return [_as_text(item, name) for item in items(plain, name)]


def flag(plain: Plain, name: str) -> bool:
    """True or false."""
    value = _field(plain, name)
    if not isinstance(value, bool):
        raise NotPlain(f"{name}: true or false is expected")
    return value


def choice(plain: Plain, name: str, among: type[Choice]) -> Choice:
    """One of the texts of an enumeration."""
    try:
        return among(text(plain, name))
    except ValueError as error:
        raise NotPlain(f"{name}: one of {', '.join(among)} is expected") from error


def items(plain: Plain, name: str) -> list[object]:
    """A list of whatever."""
    value = _field(plain, name)
    if not isinstance(value, list):
        raise NotPlain(f"{name}: a list is expected")
    return value


def nested(plain: Plain, name: str) -> Plain:
    """An object."""
    return as_object(_field(plain, name), name)


def nested_list(plain: Plain, name: str) -> list[Plain]:
    """A list of objects."""
    return [as_object(item, name) for item in items(plain, name)]


def as_object(value: object, name: str) -> Plain:
    """The value, which is an object; `name` is the field it stands in."""
    if not isinstance(value, dict):
        raise NotPlain(f"{name}: an object is expected")
    return value


def _field(plain: Plain, name: str) -> object:
    if name not in plain:
        raise NotPlain(f"{name} is missing")
    return plain[name]


def _as_number(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotPlain(f"{name}: a whole number is expected")
    if abs(value) > _MAX_NUMBER:
        raise NotPlain(f"{name}: the number is too large")
    return value


def _as_text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise NotPlain(f"{name}: a text is expected")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise NotPlain(f"{name}: a text without lone surrogates is expected") from error
    return value
