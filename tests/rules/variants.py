"""Variants that exist for tests: single columns to put together, and random ones."""

from dataclasses import replace

from hypothesis import strategies as st

from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.variant import (
    FIXED_ROWS,
    Column,
    ColumnKind,
    Counted,
    Duty,
    Reach,
    RowRule,
    StraightByRoll,
    StraightBySize,
    Variant,
)
from tests.rules.naive_scorer import Numbers
from tests.rules.random_variants import random_variant

FIXED = tuple(RowRule(row) for row in FIXED_ROWS)
DOWN = Column(ColumnKind.DOWN)
UP = Column(ColumnKind.UP)
FREE = Column(ColumnKind.FREE)
HAND = Column(ColumnKind.HAND)
ANNOUNCED = Column(ColumnKind.ANNOUNCED, window=(1,))
LATE = Column(ColumnKind.LATE_ANNOUNCED, window=(1, 2))
LATE_SWEDISH = Column(ColumnKind.LATE_ANNOUNCED, window=(2,))
NOTIFICATION = Column(ColumnKind.NOTIFICATION)
NOTIFICATION_ALL = Column(ColumnKind.NOTIFICATION, reach=Reach.ALL)
NOTIFICATION_MAY = Column(ColumnKind.NOTIFICATION, duty=Duty.MAY)
NOTIFICATION_ALL_MAY = Column(ColumnKind.NOTIFICATION, reach=Reach.ALL, duty=Duty.MAY)
FINAL = Column(ColumnKind.FINAL)
MAXIMUM = Column(ColumnKind.MAXIMUM)


def with_columns(*columns: Column, of: Variant = CLASSIC_5X4, **changes: object) -> Variant:
    """A variant with those columns, and other parameters changed by name."""
    return replace(of, id="test", columns=columns, **changes)  # type: ignore[arg-type] # changes are fields


def numbers_of(variant: Variant) -> Numbers:
    """The numbers of a variant as the naive scorer takes them."""
    straight = next((rule.straight for rule in variant.rows if rule.straight), None)
    return Numbers(
        bonus={rule.row.value: rule.bonus for rule in variant.rows},
        small_and_large=(straight.small, straight.large) if isinstance(straight, StraightBySize) else None,
        by_roll=straight.values if isinstance(straight, StraightByRoll) else None,
        shortest=straight.shortest if isinstance(straight, StraightByRoll) else 5,
        all_five=frozenset(rule.row.value for rule in variant.rows if rule.counted is Counted.ALL),
    )


def makes_a_sheet(columns: tuple[Column, ...]) -> bool:
    """Whether a variant can have these columns, each kind standing once."""
    kinds = {column.kind for column in columns}
    needs_announced = ColumnKind.NOTIFICATION in kinds and ColumnKind.ANNOUNCED not in kinds
    return bool(kinds - {ColumnKind.FINAL, ColumnKind.MAXIMUM}) and not needs_announced


def variants() -> st.SearchStrategy[Variant]:
    """Any variant."""
    return st.randoms(use_true_random=False).map(random_variant)


@st.composite
def papir_subsets(draw: st.DrawFn) -> Variant:
    """Papir with any of its columns that make a sheet."""
    chosen = draw(st.sets(st.sampled_from(PAPIR.columns), min_size=1))
    subset = tuple(column for column in PAPIR.columns if column in chosen)
    if not makes_a_sheet(subset):
        subset = tuple(column for column in PAPIR.columns if column in chosen or column == ANNOUNCED)
    return with_columns(*subset, of=PAPIR)
