"""What a variant of Yamb is: its rows, columns and numbers, as data.

Owns the parameters and their check. Knows nothing of a game under way.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple


class Section(StrEnum):
    """The three parts of a sheet."""

    UPPER = "upper"
    MIDDLE = "middle"
    LOWER = "lower"


class Row(StrEnum):
    """Every row a sheet can have. The first eight open every sheet; the order of the rest is the variant's."""

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
    """A straight worth `small` for 1-5 and `large` for 2-6."""

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
    """An upper part of `at_least` points earns `award`; the highest step reached counts."""

    at_least: int
    award: int


class InvalidVariant(ValueError):
    """The parameters make no variant. `field` names the one that is wrong."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(f"{field}: {sentence}")
        self.field = field


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


def content_id(variant: Variant) -> str:
    """An id made from the parameters alone: equal parameters, equal id."""
    content = repr(replace(variant, id=""))
    return "x-" + sha256(content.encode()).hexdigest()[:16]


def without_column(variant: Variant, kind: ColumnKind, *, variant_id: str = "") -> Variant:
    """The variant less one column, under the id given or else the id of its content."""
    columns = tuple(column for column in variant.columns if column.kind is not kind)
    reduced = replace(variant, id=variant_id, columns=columns)
    return reduced if variant_id else replace(reduced, id=content_id(reduced))


def check_variant(variant: Variant) -> None:
    """Raises InvalidVariant for parameters with which no game can be played."""
    rows = [rule.row for rule in variant.rows]
    kinds = [column.kind for column in variant.columns]
    if variant.dice not in (5, 6):
        raise InvalidVariant("dice", "5 or 6")
    if len(set(rows)) != len(rows):
        raise InvalidVariant("rows", "each row at most once")
    if tuple(rows[:8]) != FIXED_ROWS:
        raise InvalidVariant("rows", "every sheet begins with ones to sixes, max and min")
    if len(set(kinds)) != len(kinds):
        raise InvalidVariant("columns", "each kind of column at most once")
    if not any(kind not in (ColumnKind.FINAL, ColumnKind.MAXIMUM) for kind in kinds):
        raise InvalidVariant("columns", "at least one column beside final and maximum")
    if ColumnKind.NOTIFICATION in kinds and ColumnKind.ANNOUNCED not in kinds:
        raise InvalidVariant("columns", "notification needs announced")
    if not 0 <= variant.max_hold <= variant.dice:
        raise InvalidVariant("max_hold", f"0 to {variant.dice}")
    for rule in variant.rows:
        if (rule.row is Row.STRAIGHT) != (rule.straight is not None):
            raise InvalidVariant("rows", "the straight row, and only it, has straight values")
    for column in variant.columns:
        _check_column(column)
    steps = [step.at_least for step in variant.bonus_steps]
    if steps != sorted(set(steps)):
        raise InvalidVariant("bonus_steps", "rising, each once")


_SPLIT_COLUMNS = {ColumnKind.FROM_MIDDLE: (Row.SIXES, Row.MAX), ColumnKind.ENDS_IN: (Row.MAX,)}
_WINDOWS = {ColumnKind.ANNOUNCED: ((1,),), ColumnKind.LATE_ANNOUNCED: ((1, 2), (2,))}


def _check_column(column: Column) -> None:
    splits = _SPLIT_COLUMNS.get(column.kind, (None,))
    if column.split not in splits:
        raise InvalidVariant(
            "split", f"{column.kind} is split at one of {[split and split.value for split in splits]}"
        )
    windows = _WINDOWS.get(column.kind, ((),))
    if column.window not in windows:
        raise InvalidVariant("window", f"the window of {column.kind} is one of {windows}")
