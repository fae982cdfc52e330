"""Values made once for an object: found again by its identity, where hashing it would cost as much."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

Key = TypeVar("Key")
Other = TypeVar("Other")
Value = TypeVar("Value")

_kept: list[dict[Any, Any]] = []


def forget() -> None:
    """Keep nothing of what has been made so far, as at the start: for measurements."""
    for values in _kept:
        values.clear()


def _make_room(values: dict[Any, Any], kept: int) -> None:
    """Let the oldest go, so that there is room for one more."""
    while len(values) >= kept:
        # Bots think in a thread of their own: it may be doing the same between any two steps of this.
        with suppress(KeyError, RuntimeError, StopIteration):
            del values[next(iter(values))]


def by_identity(*, kept: int) -> Callable[[Callable[[Key], Value]], Callable[[Key], Value]]:
    """Keeps the values of the last `kept` objects, which must never change."""

    def decorate(make: Callable[[Key], Value]) -> Callable[[Key], Value]:
        # With each value its object, so that no other can get the same id.
        values: dict[int, tuple[Key, Value]] = {}
        _kept.append(values)

        def find(key: Key) -> Value:
            found = values.get(id(key))
            if found is not None:
                return found[1]
            value = make(key)
            _make_room(values, kept)
            values[id(key)] = (key, value)
            return value

        return find

    return decorate


def by_identities(*, kept: int) -> Callable[[Callable[[Key, Other], Value]], Callable[[Key, Other], Value]]:
    """The same for two objects."""

    def decorate(make: Callable[[Key, Other], Value]) -> Callable[[Key, Other], Value]:
        values: dict[tuple[int, int], tuple[Key, Other, Value]] = {}
        _kept.append(values)

        def find(key: Key, other: Other) -> Value:
            ids = (id(key), id(other))
            found = values.get(ids)
            if found is not None:
                return found[2]
            value = make(key, other)
            _make_room(values, kept)
            values[ids] = (key, other, value)
            return value

        return find

    return decorate
