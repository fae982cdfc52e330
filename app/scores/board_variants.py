"""Which variants have a board: those that there are, and those that games were played with."""

from collections.abc import Awaitable, Callable

from app.db import Database
from app.rules.plain import variant_from_plain
from app.rules.presets import for_seats
from app.rules.variant import Variant
from app.scores.repository import a_record_of

FindVariant = Callable[[str], Awaitable[Variant | None]]


async def variant_of_board(database: Database, find_variant: FindVariant, variant_id: str) -> Variant | None:
    """The variant of a board: one that there is, or what a game on the board was played with.

    A choice of columns is known by its games alone. None where there is neither.
    """
    found = await find_variant(variant_id)
    if found is not None:
        return found
    async with database.reading() as session:
        record = await a_record_of(session, variant_id)
    return None if record is None else for_seats(variant_from_plain(record["variant"]), len(record["seats"]))
