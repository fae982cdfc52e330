"""What a variant of Yamb is: its rows, columns and numbers, as data.

Owns the parameters and their check. Knows nothing of a game under way.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple


class Section(StrEnum):
    """The three parts of a sheet."""

    UPPER = "upper"
    MIDDLE = "middle"
    LOWER = "lower"


class Row(StrEnum):
    """Every row a sheet can have. The first eight open every sheet, the variant orders the rest."""

    ONES = "ones"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    MAX = "max"
    MIN = "min"
    TWO_PAIRS = "two_pairs"
    TRILING = "triling"
    STRAIGHT = "straight"
    FULL = "full"
    POKER = "poker"
    YAMB = "yamb"


FIXED_ROWS = tuple(Row)[:8]
FACE_BY_ROW = {row: face for face, row in enumerate(FIXED_ROWS[:6], start=1)}
MIDDLE_ROWS = (Row.MAX, Row.MIN)


def section_of(row: Row) -> Section:
    """The part of the sheet that a row belongs to."""
    if row in FACE_BY_ROW:
        return Section.UPPER
    return Section.MIDDLE if row in MIDDLE_ROWS else Section.LOWER


class ColumnKind(StrEnum):
    """Every column a sheet can have. A variant has each at most once, so the kind names the column."""

    DOWN = "down"
    UP = "up"
    FREE = "free"
    ANNOUNCED = "announced"
    LATE_ANNOUNCED = "late_announced"
    HAND = "hand"
    NOTIFICATION = "notification"
    FROM_MIDDLE = "from_middle"
    ENDS_IN = "ends_in"
    BOTH_ENDS = "both_ends"
    EVERY_OTHER = "every_other"
    FINAL = "final"
    MAXIMUM = "maximum"


class Cell(NamedTuple):
    """A row in a column."""

    column: ColumnKind
    row: Row


class Counted(StrEnum):
    """Which dice of a triling or a poker are summed: the matching ones, or all five counted dice."""

    MATCHING = "matching"
    ALL = "all"


class Middle(StrEnum):
    """The formula of the middle part."""

    TIMES_ONES = "times_ones"
    DIFFERENCE = "difference"


class Reach(StrEnum):
    """Whom an announcement binds."""

    NEXT = "next"
    ALL = "all"


class Duty(StrEnum):
    """Whether a bound player must fill the notification cell, or may."""

    MUST = "must"
    MAY = "may"


@dataclass(frozen=True, slots=True)
class StraightBySize:
    """A straight worth `small` for 1-5 and `large`, at least as much, for 2-6."""

    small: int
    large: int


@dataclass(frozen=True, slots=True)
class StraightByRoll:
    """A straight worth `values[n - 1]` after roll n; `shortest` consecutive faces are enough."""

    values: tuple[int, int, int]
    shortest: int = 5


@dataclass(frozen=True, slots=True)
class RowRule:
    """A row of a variant. `bonus` is added when the row is satisfied; number rows, max and min have none."""

    row: Row
    bonus: int = 0
    counted: Counted = Counted.MATCHING
    straight: StraightBySize | StraightByRoll | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a variant: its kind, and the parameters that its kind has.

    `split` is the last row of the upper half (from_middle, ends_in), `window` the rolls after which its cells
    can be announced (announced, late_announced), `reach` and `duty` belong to notification.
    """

    kind: ColumnKind
    split: Row | None = None
    window: tuple[int, ...] = ()
    reach: Reach = Reach.NEXT
    duty: Duty = Duty.MUST

    @property
    def is_playable(self) -> bool:
        """Whether a player fills its cells; the maximum column fills itself."""
        return self.kind is not ColumnKind.MAXIMUM


@dataclass(frozen=True, slots=True)
class BonusStep:
    """An upper part of `at_least` points earns `award`; the highest step reached counts. No award falls."""

    at_least: int
    award: int


class InvalidVariant(ValueError):
    """The parameters make no variant. `field` names the one that is wrong."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field = field
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Variant:
    """All parameters of a variant. Compared by content, `id` included."""

    id: str
    dice: int
    rows: tuple[RowRule, ...]
    columns: tuple[Column, ...]
    bonus_steps: tuple[BonusStep, ...] = ()
    middle: Middle = Middle.TIMES_ONES
    middle_floor: bool = False
    max_hold: int = 6
    auto_fill: bool = False
    last_cell_rolls: int = 3

    def __post_init__(self) -> None:
        check_variant(self)

    @property
    def turns(self) -> int:
        """Cells a seat has to fill: the number of turns that fill one."""
        return len(self.rows) * sum(column.is_playable for column in self.columns)

    def column(self, kind: ColumnKind) -> Column | None:
        """The column of that kind, if the variant has it."""
        return next((column for column in self.columns if column.kind is kind), None)


ROLLS = 3
"""Rolls of a turn."""

MAX_ROLLS = 5
"""Rolls of a turn that fills the last cell of a sheet, where the variant allows more."""

MAX_POINTS = 1000
"""The most that a single bonus, award or straight can be worth."""


def content_id(variant: Variant) -> str:
    """An id made from the parameters alone, the present id apart: equal parameters, equal id."""
    return "x-" + sha256(_canonical(variant).encode()).hexdigest()[:16]


def without_column(variant: Variant, kind: ColumnKind, *, variant_id: str = "") -> Variant:
    """The variant less one column, under the id given or else the id of its content."""
    columns = tuple(column for column in variant.columns if column.kind is not kind)
    reduced = replace(variant, columns=columns)
    return replace(reduced, id=variant_id or content_id(reduced))


def check_variant(variant: Variant) -> None:
    """Raises InvalidVariant for parameters with which no game can be played, or that mean nothing."""
    for field, allowed, is_allowed in _CHECKS:
        if not is_allowed(variant):
            raise InvalidVariant(field, allowed)
    for rule in variant.rows:
        _check_row(rule)
    rows = frozenset(rule.row for rule in variant.rows)
    for column in variant.columns:
        _check_column(column, rows)


def _canonical(value: object) -> str:
    """The parameters that differ from their defaults: a new parameter with a default changes no id."""
    if is_dataclass(value):
        stated = ((field.name, getattr(value, field.name), field.default) for field in fields(value))
        return _canonical(
            tuple(f"{name}={_canonical(it)}" for name, it, usual in stated if name != "id" and it != usual)
        )
    if isinstance(value, tuple):
        return f"({','.join(map(_canonical, value))})"
    return str(value)


_ID_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_MAX_ID_CHARACTERS = 40
_MOST_UPPER_POINTS = 105
_NOT_ALONE = (ColumnKind.FINAL, ColumnKind.MAXIMUM)


def _is_in_order(variant: Variant) -> bool:
    """Whether the rows of the upper and the middle part stand first and in the order of `Row`."""
    rows = [rule.row for rule in variant.rows]
    fixed = [row for row in FIXED_ROWS if row in rows]
    return rows[: len(fixed)] == fixed


def _middle_rows(variant: Variant) -> list[Row]:
    return [rule.row for rule in variant.rows if rule.row in MIDDLE_ROWS]


def _is_rising(numbers: list[int]) -> bool:
    return numbers == sorted(set(numbers))


def _is_sorted(numbers: list[int]) -> bool:
    return numbers == sorted(numbers)


def _has(variant: Variant, kind: ColumnKind) -> bool:
    return variant.column(kind) is not None


# Field, what is allowed, and whether it is. In this order: a later check may rely on an earlier one.
_CHECKS: tuple[tuple[str, str, Callable[[Variant], bool]], ...] = (
    (
        "id",
        f"1 to {_MAX_ID_CHARACTERS} of a-z, 0-9 and -",
        lambda v: 1 <= len(v.id) <= _MAX_ID_CHARACTERS and _ID_CHARACTERS.issuperset(v.id),
    ),
    ("dice", "5 or 6", lambda v: v.dice in {5, 6}),
    ("rows", "each row at most once", lambda v: len({rule.row for rule in v.rows}) == len(v.rows)),
    ("rows", "at least one row", lambda v: bool(v.rows)),
    ("rows", "ones to sixes first, in order, then max and min, then the rest", _is_in_order),
    ("rows", "max and min only together", lambda v: len(_middle_rows(v)) in {0, len(MIDDLE_ROWS)}),
    (
        "middle",
        "times_ones needs the row ones",
        lambda v: (
            v.middle is not Middle.TIMES_ONES
            or not _middle_rows(v)
            or any(rule.row is Row.ONES for rule in v.rows)
        ),
    ),
    (
        "columns",
        "each kind of column at most once",
        lambda v: len({column.kind for column in v.columns}) == len(v.columns),
    ),
    (
        "columns",
        "at least one column beside final and maximum",
        lambda v: any(column.kind not in _NOT_ALONE for column in v.columns),
    ),
    (
        "columns",
        "notification needs announced",
        lambda v: _has(v, ColumnKind.ANNOUNCED) or not _has(v, ColumnKind.NOTIFICATION),
    ),
    (
        "bonus_steps",
        f"at_least from 1 to {_MOST_UPPER_POINTS}, rising, each once",
        lambda v: (
            _is_rising([step.at_least for step in v.bonus_steps])
            and all(1 <= step.at_least <= _MOST_UPPER_POINTS for step in v.bonus_steps)
        ),
    ),
    (
        "bonus_steps",
        f"award from 1 to {MAX_POINTS}",
        lambda v: all(1 <= step.award <= MAX_POINTS for step in v.bonus_steps),
    ),
    (
        "bonus_steps",
        "award of a higher step at least that of a lower one",
        lambda v: _is_sorted([step.award for step in v.bonus_steps]),
    ),
    ("max_hold", "0 to the number of dice", lambda v: 0 <= v.max_hold <= v.dice),
    ("last_cell_rolls", f"{ROLLS} or {MAX_ROLLS}", lambda v: v.last_cell_rolls in {ROLLS, MAX_ROLLS}),
)

_ROWS_WITH_BONUS = frozenset({Row.TWO_PAIRS, Row.TRILING, Row.FULL, Row.POKER, Row.YAMB})
_ROWS_WITH_COUNTED = frozenset({Row.TRILING, Row.POKER})


def _check_row(rule: RowRule) -> None:
    field = f"rows.{rule.row}"
    most = MAX_POINTS if rule.row in _ROWS_WITH_BONUS else 0
    if not 0 <= rule.bonus <= most:
        raise InvalidVariant(f"{field}.bonus", f"0 to {most}" if most else "none: this row has no bonus")
    if rule.counted is Counted.ALL and rule.row not in _ROWS_WITH_COUNTED:
        raise InvalidVariant(f"{field}.counted", "triling and poker alone can count all five dice")
    if (rule.row is Row.STRAIGHT) != (rule.straight is not None):
        raise InvalidVariant(f"{field}.straight", "the straight row, and only it, has straight values")
    if rule.straight is not None:
        _check_straight(rule.straight)


_STRAIGHT = f"rows.{Row.STRAIGHT}.straight"


def _check_straight(straight: StraightBySize | StraightByRoll) -> None:
    if isinstance(straight, StraightBySize):
        values: tuple[int, ...] = (straight.small, straight.large)
        if straight.small > straight.large:
            raise InvalidVariant(_STRAIGHT, "small at most large")
    else:
        values = straight.values
        if straight.shortest not in {4, 5}:
            raise InvalidVariant(f"{_STRAIGHT}.shortest", "4 or 5")
    if not all(1 <= value <= MAX_POINTS for value in values):
        raise InvalidVariant(_STRAIGHT, f"values from 1 to {MAX_POINTS}")


_SPLITS = {ColumnKind.FROM_MIDDLE: (Row.SIXES, Row.MAX), ColumnKind.ENDS_IN: (Row.MAX,)}
_WINDOWS = {ColumnKind.ANNOUNCED: ((1,),), ColumnKind.LATE_ANNOUNCED: ((1, 2), (2,))}


def _check_column(column: Column, rows: frozenset[Row]) -> None:
    field = f"columns.{column.kind}"
    splits = _SPLITS.get(column.kind, (None,))
    if column.split not in splits:
        raise InvalidVariant(f"{field}.split", f"one of {', '.join(str(split) for split in splits)}")
    if column.split is not None and column.split not in rows:
        raise InvalidVariant(f"{field}.split", f"a row of the sheet, which {column.split} is not")
    windows = _WINDOWS.get(column.kind, ((),))
    if column.window not in windows:
        raise InvalidVariant(
            f"{field}.window", f"one of {', '.join(str(list(window)) for window in windows)}"
        )
    plain = Column(column.kind, column.split, column.window)
    if column.kind is not ColumnKind.NOTIFICATION and column != plain:
        raise InvalidVariant(f"{field}.reach", "reach and duty belong to notification alone")
