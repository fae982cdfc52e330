"""Any variant that `check_variant` lets pass, by chance.

Every parameter is drawn, the common and the odd alike: a sheet of one row, no bonus, no holding.
"""

from collections.abc import Callable
from random import Random

from app.rules.variant import (
    FACE_BY_ROW,
    MAX_POINTS,
    MIDDLE_ROWS,
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

_LOWER_ROWS = (Row.TWO_PAIRS, Row.TRILING, Row.STRAIGHT, Row.FULL, Row.POKER, Row.YAMB)


def random_variant(rng: Random) -> Variant:
    """Any variant."""
    middle = rng.choice(list(Middle))
    rules = _rows(rng, middle)
    dice = rng.choice((5, 6))
    return Variant(
        id="random",
        dice=dice,
        rows=rules,
        columns=_columns(rng, frozenset(rule.row for rule in rules)),
        bonus_steps=_bonus_steps(rng),
        middle=middle,
        middle_floor=rng.random() < 0.5,
        max_hold=rng.choice((rng.randint(0, dice), dice)),
        auto_fill=rng.random() < 0.5,
        last_cell_rolls=rng.choice((3, 5)),
    )


def _rows(rng: Random, middle: Middle) -> tuple[RowRule, ...]:
    """Half the time a whole upper and middle part, else some of it; any of the rest, in any order."""
    is_whole = rng.random() < 0.5
    upper = [row for row in FACE_BY_ROW if is_whole or rng.random() < 0.5]
    has_middle = is_whole or (rng.random() < 0.5 and (middle is Middle.DIFFERENCE or Row.ONES in upper))
    lower = rng.sample(_LOWER_ROWS, rng.randint(0, len(_LOWER_ROWS)))
    rows = [*upper, *(MIDDLE_ROWS if has_middle else ()), *lower]
    return tuple(_rule(rng, row) for row in rows or [rng.choice(_LOWER_ROWS)])


def _rule(rng: Random, row: Row) -> RowRule:
    if row not in _LOWER_ROWS:
        return RowRule(row)
    if row is Row.STRAIGHT:
        return RowRule(row, straight=_straight(rng))
    counted = rng.choice(list(Counted)) if row in {Row.TRILING, Row.POKER} else Counted.MATCHING
    return RowRule(row, bonus=rng.choice((0, 10, 40, rng.randint(0, MAX_POINTS))), counted=counted)


def _straight(rng: Random) -> StraightBySize | StraightByRoll:
    first, second, third = (rng.randint(1, MAX_POINTS) for _ in range(3))
    if rng.random() < 0.5:
        return StraightBySize(small=min(first, second), large=max(first, second))
    return StraightByRoll((first, second, third), shortest=rng.choice((4, 5)))


def _bonus_steps(rng: Random) -> tuple[BonusStep, ...]:
    count = rng.randint(0, 4)
    limits = sorted(rng.sample(range(1, 106), count))
    awards = sorted(rng.randint(1, MAX_POINTS) for _ in range(count))
    return tuple(map(BonusStep, limits, awards))


def _plain(kind: ColumnKind) -> Callable[[Random], Column]:
    return lambda _: Column(kind)


_COLUMNS: dict[ColumnKind, Callable[[Random], Column]] = {
    **{kind: _plain(kind) for kind in ColumnKind},
    ColumnKind.ANNOUNCED: lambda _: Column(ColumnKind.ANNOUNCED, window=(1,)),
    ColumnKind.LATE_ANNOUNCED: lambda rng: Column(
        ColumnKind.LATE_ANNOUNCED, window=rng.choice(((1, 2), (2,)))
    ),
    ColumnKind.NOTIFICATION: lambda rng: Column(
        ColumnKind.NOTIFICATION, reach=rng.choice(list(Reach)), duty=rng.choice(list(Duty))
    ),
    ColumnKind.FROM_MIDDLE: lambda rng: Column(
        ColumnKind.FROM_MIDDLE, split=rng.choice((Row.SIXES, Row.MAX))
    ),
    ColumnKind.ENDS_IN: lambda _: Column(ColumnKind.ENDS_IN, split=Row.MAX),
}


def _columns(rng: Random, rows: frozenset[Row]) -> tuple[Column, ...]:
    """Any columns in any order. A notification without announced gets it, final or maximum alone get down."""
    kinds = rng.sample(list(ColumnKind), rng.randint(1, len(ColumnKind)))
    columns = [_COLUMNS[kind](rng) for kind in kinds]
    columns = [column for column in columns if column.split is None or column.split in rows]
    chosen = {column.kind for column in columns}
    if ColumnKind.NOTIFICATION in chosen and ColumnKind.ANNOUNCED not in chosen:
        columns.insert(rng.randint(0, len(columns)), _COLUMNS[ColumnKind.ANNOUNCED](rng))
    if chosen <= {ColumnKind.FINAL, ColumnKind.MAXIMUM}:
        columns.insert(rng.randint(0, len(columns)), Column(ColumnKind.DOWN))
    return tuple(columns)
