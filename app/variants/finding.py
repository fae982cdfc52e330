"""Variants by what they are called: a preset's id, the id of a content, or the code of one."""

from collections.abc import Awaitable, Callable

from app.db import Database
from app.rules.presets import PRESET_BY_ID
from app.rules.share_code import is_content_id, read_share_code
from app.rules.variant import Variant
from app.variants.repository import variant_by_code, variant_by_id

FindVariant = Callable[[str], Awaitable[Variant | None]]


def make_find_variant(database: Database) -> FindVariant:
    """The function that finds a variant by its id or by its code, which may be written in any case.

    The database is asked only for what may be in it. The function raises DatabaseUnavailable.
    """

    async def find_variant(name: str) -> Variant | None:
        code = read_share_code(name)
        if name in PRESET_BY_ID or not (code or is_content_id(name)):
            return PRESET_BY_ID.get(name)
        async with database.reading() as session:
            found = await variant_by_id(session, name)
            return await variant_by_code(session, code) if found is None and code else found

    return find_variant
