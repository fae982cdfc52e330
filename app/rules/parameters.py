"""Reading parameters that people and programs write. Errors name the field by its path: columns[3].window.

Nothing here descends into a value of the wrong type or repeats it, however deep or long it is.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from app.rules.variant import InvalidVariant

Choice = TypeVar("Choice", bound=StrEnum)

# The whole numbers that every JSON reader keeps exact.
_MAX_NUMBER = 2**53 - 1
_MAX_SHOWN_CHARACTERS = 40
_BODY = "body"


class Parameters:
    """An object among the parameters, with the path it stands at. Raises InvalidVariant."""

    def __init__(self, value: object, path: str = "") -> None:
        if not isinstance(value, dict):
            raise InvalidVariant(path or _BODY, "an object is expected")
        self._fields: dict[object, object] = value
        self._path = path

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def path_of(self, name: str) -> str:
        """The path of a field of this object."""
        return f"{self._path}.{name}" if self._path else name

    def check_known(self, known: Iterable[str]) -> None:
        """Refuse any field but these."""
        allowed = tuple(known)
        for name in self._fields:
            if name not in allowed:
                raise InvalidVariant(
                    self.path_of(_shown(name)), f"no such parameter; there are {', '.join(allowed)}"
                )

    def number(self, name: str, usual: int | None = None) -> int:
        """A whole number; true and 1.0 are none. Without `usual` it must be there."""
        if usual is not None and name not in self._fields:
            return usual
        return _number(self._field(name), self.path_of(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of at most as many whole numbers as a turn could have rolls."""
        items = self._items(name, most=5)
        return tuple(_number(item, f"{self.path_of(name)}[{place}]") for place, item in enumerate(items))

    def flag(self, name: str, *, usual: bool) -> bool:
        """True or false."""
        value = self._fields.get(name, usual)
        if not isinstance(value, bool):
            raise InvalidVariant(self.path_of(name), "true or false is expected")
        return value

    def choice(self, name: str, among: type[Choice], usual: Choice | None = None) -> Choice:
        """One of the texts of an enumeration. Without `usual` it must be there."""
        if usual is not None and name not in self._fields:
            return usual
        value = self._field(name)
        if not isinstance(value, str) or value not in set(among):
            raise InvalidVariant(self.path_of(name), f"one of {', '.join(among)} is expected")
        return among(value)

    def part(self, name: str) -> "Parameters":
        """An object in this one."""
        return Parameters(self._field(name), self.path_of(name))

    def parts(self, name: str, most: int) -> "list[Parameters]":
        """A list of at most so many objects."""
        items = self._items(name, most)
        return [Parameters(item, f"{self.path_of(name)}[{place}]") for place, item in enumerate(items)]

    def _items(self, name: str, most: int) -> list[object]:
        value = self._field(name)
        if not isinstance(value, list):
            raise InvalidVariant(self.path_of(name), "a list is expected")
        if len(value) > most:
            raise InvalidVariant(self.path_of(name), f"at most {most}, not {len(value)}")
        return value

    def _field(self, name: str) -> object:
        if name not in self._fields:
            raise InvalidVariant(self.path_of(name), "is missing")
        return self._fields[name]


def _number(value: object, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidVariant(path, "a whole number is expected")
    if abs(value) > _MAX_NUMBER:
        raise InvalidVariant(path, "the number is too large")
    return value


def _shown(name: object) -> str:
    """A field's name where it can be shown: somebody else's text may be anything."""
    text = str(name)
    return text if text.isprintable() and 0 < len(text) <= _MAX_SHOWN_CHARACTERS else "?"
