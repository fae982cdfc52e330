"""Values with some of their fields changed, whichever kind of class they are of."""

import dataclasses
from typing import Any, TypeVar

import msgspec

Value = TypeVar("Value")


def replace(value: Value, **changes: Any) -> Value:
    """A dataclass or a Struct with other fields."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]  # nothing else has fields
