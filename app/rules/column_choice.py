"""Variants whose columns the players choose: papir, any of its ten; swedish, its standard and optional ones.

What comes of a choice is known by its content alone: a choice that equals a preset is that preset.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from app.rules.presets import PAPIR, PRESETS, SWEDISH_5, SWEDISH_6, SWEDISH_OPTIONAL_COLUMNS, named
from app.rules.variant import Column, InvalidVariant, Variant

_CHOOSABLE = {
    PAPIR.id: PAPIR.columns,
    SWEDISH_5.id: (*SWEDISH_5.columns, *SWEDISH_OPTIONAL_COLUMNS),
    SWEDISH_6.id: (*SWEDISH_6.columns, *SWEDISH_OPTIONAL_COLUMNS),
}
_FIELD = "columns"


@lru_cache(maxsize=256)
def base_of(variant: Variant) -> Variant | None:
    """The preset that a variant is, or whose columns were chosen to make it; None for any other."""
    for preset in PRESETS:
        if preset.id in _CHOOSABLE and _is_chosen_from(preset, variant):
            return preset
    return next((preset for preset in PRESETS if replace(variant, id=preset.id) == preset), None)


def choosable_columns(variant: Variant) -> tuple[Column, ...]:
    """The columns that can be chosen for a variant, in their order; none where there is no choice."""
    base = base_of(variant)
    return _CHOOSABLE.get(base.id, ()) if base else ()


def with_columns(variant: Variant, names: Sequence[str]) -> Variant:
    """The variant with the columns that have these names, in their usual order. Raises InvalidVariant."""
    offered = _CHOOSABLE.get(variant.id, ())
    if not offered:
        raise InvalidVariant(_FIELD, f"those of {variant.id} can't be chosen")
    unknown = sorted(set(names) - {column.kind.value for column in offered})
    if unknown:
        allowed = ", ".join(column.kind.value for column in offered)
        raise InvalidVariant(_FIELD, f"{variant.id} can have {allowed}; not {', '.join(unknown)}")
    if len(set(names)) < len(names):
        raise InvalidVariant(_FIELD, "each kind of column at most once")
    chosen = tuple(column for column in offered if column.kind.value in names)
    return named(replace(variant, columns=chosen))


def _is_chosen_from(preset: Variant, variant: Variant) -> bool:
    chosen = tuple(one for one in _CHOOSABLE[preset.id] if one in variant.columns)
    # The preset gets the columns, not the variant those of the preset: it may lack the rows they need.
    return variant.columns == chosen and replace(preset, id=variant.id, columns=chosen) == variant
