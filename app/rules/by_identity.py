"""Values made once for an object: found again by its identity, where hashing it would cost as much."""

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def by_identity(*, kept: int) -> Callable[[Callable[[Key], Value]], Callable[[Key], Value]]:
    """Keeps the values of the last `kept` objects, which must never change."""

    def decorate(make: Callable[[Key], Value]) -> Callable[[Key], Value]:
        # With each value its object, so that no other can get the same id.
        values: dict[int, tuple[Key, Value]] = {}

        def find(key: Key) -> Value:
            found = values.get(id(key))
            if found is not None:
                return found[1]
            value = make(key)
            if len(values) >= kept:
                del values[next(iter(values))]
            values[id(key)] = (key, value)
            return value

        return find

    return decorate
