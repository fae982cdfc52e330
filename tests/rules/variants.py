"""Variants that exist for tests: single columns to put together, and random ones."""

from dataclasses import replace

from hypothesis import strategies as st

from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.variant import (
    FIXED_ROWS,
    BonusStep,
    Column,
    ColumnKind,
    Counted,
    Duty,
    Middle,
    Reach,
    Row,
    RowRule,
    StraightByRoll,
    StraightBySize,
    Variant,
)
from tests.rules.naive_scorer import Numbers

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


_points = st.integers(0, 1000)
_values = st.integers(1, 1000)
_straights = st.one_of(
    st.tuples(_values, _values).map(lambda two: StraightBySize(small=min(two), large=max(two))),
    st.builds(StraightByRoll, values=st.tuples(_values, _values, _values), shortest=st.sampled_from((4, 5))),
)
_lower_rules = (
    st.builds(RowRule, st.just(Row.TWO_PAIRS), _points),
    st.builds(RowRule, st.just(Row.TRILING), _points, st.sampled_from(Counted)),
    st.builds(RowRule, st.just(Row.STRAIGHT), straight=_straights),
    st.builds(RowRule, st.just(Row.FULL), _points),
    st.builds(RowRule, st.just(Row.POKER), _points, st.sampled_from(Counted)),
    st.builds(RowRule, st.just(Row.YAMB), _points),
)


@st.composite
def rows(draw: st.DrawFn) -> tuple[RowRule, ...]:
    """The rows of a random variant: the fixed ones, and any of the rest in any order."""
    lower = draw(st.lists(st.sampled_from(_lower_rules), unique=True))
    return (*FIXED, *(draw(rule) for rule in lower))


_columns = (
    st.just(DOWN),
    st.just(UP),
    st.just(FREE),
    st.just(ANNOUNCED),
    st.sampled_from((LATE, LATE_SWEDISH)),
    st.just(HAND),
    st.builds(
        Column, st.just(ColumnKind.NOTIFICATION), reach=st.sampled_from(Reach), duty=st.sampled_from(Duty)
    ),
    st.builds(Column, st.just(ColumnKind.FROM_MIDDLE), split=st.sampled_from((Row.SIXES, Row.MAX))),
    st.just(Column(ColumnKind.ENDS_IN, split=Row.MAX)),
    st.just(Column(ColumnKind.BOTH_ENDS)),
    st.just(Column(ColumnKind.EVERY_OTHER)),
    st.just(FINAL),
    st.just(MAXIMUM),
)


def makes_a_sheet(columns: tuple[Column, ...]) -> bool:
    """Whether a variant can have these columns, each kind standing once."""
    kinds = {column.kind for column in columns}
    needs_announced = ColumnKind.NOTIFICATION in kinds and ColumnKind.ANNOUNCED not in kinds
    return bool(kinds - {ColumnKind.FINAL, ColumnKind.MAXIMUM}) and not needs_announced


@st.composite
def columns(draw: st.DrawFn) -> tuple[Column, ...]:
    """The columns of a random variant."""
    chosen = draw(st.lists(st.sampled_from(_columns), unique=True, min_size=1))
    drawn = tuple(draw(column) for column in chosen)
    if any(column.kind is ColumnKind.NOTIFICATION for column in drawn) and ANNOUNCED not in drawn:
        drawn = (ANNOUNCED, *drawn)
    return drawn if makes_a_sheet(drawn) else (DOWN, *drawn)


@st.composite
def _bonus_steps(draw: st.DrawFn) -> tuple[BonusStep, ...]:
    limits = sorted(draw(st.sets(st.integers(1, 105), max_size=5)))
    awards = sorted(draw(_values) for _ in limits)
    return tuple(map(BonusStep, limits, awards))


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any variant."""
    dice = draw(st.sampled_from((5, 6)))
    return Variant(
        id="random",
        dice=dice,
        rows=draw(rows()),
        columns=draw(columns()),
        bonus_steps=draw(_bonus_steps()),
        middle=draw(st.sampled_from(Middle)),
        middle_floor=draw(st.booleans()),
        max_hold=draw(st.integers(0, dice)),
        auto_fill=draw(st.booleans()),
        last_cell_rolls=draw(st.sampled_from((3, 5))),
    )


@st.composite
def papir_subsets(draw: st.DrawFn) -> Variant:
    """Papir with any of its columns that make a sheet."""
    chosen = draw(st.sets(st.sampled_from(PAPIR.columns), min_size=1))
    subset = tuple(column for column in PAPIR.columns if column in chosen)
    if not makes_a_sheet(subset):
        subset = tuple(column for column in PAPIR.columns if column in chosen or column == ANNOUNCED)
    return with_columns(*subset, of=PAPIR)
