"""Custom variants in the database. Never commits."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import insert_once
from app.rules.custom import custom_variant, parameters_of
from app.rules.share_code import share_code
from app.rules.variant import Variant
from app.variants.tables import VariantRow


class VariantTaken(Exception):
    """The id or the code of a variant stands for other parameters already."""


async def add_variant(session: AsyncSession, variant: Variant, now: int) -> bool:
    """Keep a variant that is known by its content; False when it is there already. Raises VariantTaken."""
    row = {
        "id": variant.id,
        "code": share_code(variant),
        "parameters": parameters_of(variant),
        "created_at": now,
    }
    if await insert_once(session, VariantRow, [row]):
        return True
    kept = await session.scalar(select(VariantRow.parameters).where(VariantRow.id == variant.id))
    if kept is None or _read(kept) != variant:
        raise VariantTaken(f"the id or the code of {variant.id} stands for another variant")
    return False


async def variant_by_id(session: AsyncSession, variant_id: str) -> Variant | None:
    """The variant with that id."""
    kept = await session.scalar(select(VariantRow.parameters).where(VariantRow.id == variant_id))
    return None if kept is None else _read(kept)


async def variant_by_code(session: AsyncSession, code: str) -> Variant | None:
    """The variant with that code."""
    kept = await session.scalar(select(VariantRow.parameters).where(VariantRow.code == code))
    return None if kept is None else _read(kept)


def _read(kept: Mapping[str, Any]) -> Variant:
    return custom_variant(dict(kept))
