"""Variants by what they are called: a preset's id, the id of a content, or the code of one."""

from collections.abc import Awaitable, Callable

from app.db import Database
from app.rules.presets import PRESET_BY_ID
from app.rules.share_code import is_content_id, read_share_code
from app.rules.variant import Variant
from app.variants.repository import variant_by_code, variant_by_id

FindVariant = Callable[[str], Awaitable[Variant | None]]


def make_find_variant(database: Database) -> FindVariant:
    """The function that finds a variant by its id; the database is asked only for what may be in it.

    Raises DatabaseUnavailable.
    """

    async def find_variant(variant_id: str) -> Variant | None:
        if not is_content_id(variant_id):
            return PRESET_BY_ID.get(variant_id)
        async with database.reading() as session:
            return await variant_by_id(session, variant_id)

    return find_variant


async def find_by_code(database: Database, typed: str) -> Variant | None:
    """The variant whose code was typed, in any case and with or without the stroke.

    Raises DatabaseUnavailable.
    """
    code = read_share_code(typed)
    if code is None:
        return None
    async with database.reading() as session:
        return await variant_by_code(session, code)
