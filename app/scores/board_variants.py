"""Which variants have a board: those that can be chosen, and those that games were played with."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from app.db import Database
from app.rules.plain import variant_from_plain
from app.rules.presets import for_seats
from app.rules.variant import Variant
from app.scores.repository import a_record_of

FindVariant = Callable[[str], Awaitable[Variant | None]]


class NamedBoard(NamedTuple):
    """A board's id, and the variant that is played on it."""

    id: str
    variant: Variant


async def board_named(database: Database, find_variant: FindVariant, name: str) -> NamedBoard | None:
    """The board of a variant, by the variant's id or code.

    A choice of columns is known by its games alone, so one of these tells what was played. None where
    neither knows the name. Raises DatabaseUnavailable.
    """
    found = await find_variant(name)
    if found is not None:
        return NamedBoard(found.id, found)
    async with database.reading() as session:
        record = await a_record_of(session, name)
    if record is None:
        return None
    return NamedBoard(name, for_seats(variant_from_plain(record["variant"]), len(record["seats"])))
