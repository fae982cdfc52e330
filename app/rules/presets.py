"""The variants that ship, by id. Sources are named beside each."""

from dataclasses import replace

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
    content_id,
    without_column,
)

_NUMBERS_AND_MIDDLE = tuple(RowRule(row) for row in FIXED_ROWS)
_BY_ROLL = StraightByRoll((66, 56, 46))

_DOWN = Column(ColumnKind.DOWN)
_UP = Column(ColumnKind.UP)
_FREE = Column(ColumnKind.FREE)
_ANNOUNCED = Column(ColumnKind.ANNOUNCED, window=(1,))
_HAND = Column(ColumnKind.HAND)
_EVERY_OTHER = Column(ColumnKind.EVERY_OTHER)
_FROM_SIXES = Column(ColumnKind.FROM_MIDDLE, split=Row.SIXES)
_FROM_MAX = Column(ColumnKind.FROM_MIDDLE, split=Row.MAX)
_ENDS_IN = Column(ColumnKind.ENDS_IN, split=Row.MAX)
_MAXIMUM = Column(ColumnKind.MAXIMUM)

# Five dice, four columns: "a cruel option". A straight is its dice and 30; "greater than 60" is 61.
CLASSIC_5X4 = Variant(
    id="classic-5x4",
    dice=5,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.STRAIGHT, straight=StraightBySize(small=45, large=50)),
        RowRule(Row.FULL, bonus=40),
        RowRule(Row.POKER, bonus=50),
        RowRule(Row.YAMB, bonus=60),
    ),
    columns=(_DOWN, _FREE, _UP, _ANNOUNCED),
    bonus_steps=(BonusStep(at_least=61, award=30),),
    max_hold=5,
    auto_fill=True,
)
# The same with a sixth die that doesn't count.
CLASSIC_6X4 = replace(CLASSIC_5X4, id="classic-6x4", dice=6, max_hold=6)
# "A long-play game": two more columns.
CLASSIC_6X6 = replace(CLASSIC_6X4, id="classic-6x6", columns=(*CLASSIC_6X4.columns, _FROM_SIXES, _HAND))

# The big sheet of ten columns. Its text states neither bonus nor middle formula; the sheet it was published
# with uses these (docs/rules.md, Readings).
PAPIR = Variant(
    id="papir",
    dice=6,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.STRAIGHT, straight=_BY_ROLL),
        RowRule(Row.TRILING, bonus=30),
        RowRule(Row.FULL, bonus=30),
        RowRule(Row.POKER, bonus=40),
        RowRule(Row.YAMB, bonus=50),
    ),
    columns=(
        _DOWN,
        _FREE,
        _UP,
        _ANNOUNCED,
        _HAND,
        Column(ColumnKind.NOTIFICATION, reach=Reach.NEXT, duty=Duty.MUST),
        _FROM_MAX,
        _ENDS_IN,
        Column(ColumnKind.FINAL),
        _MAXIMUM,
    ),
    bonus_steps=(BonusStep(at_least=60, award=30),),
)

# A table of one has no opponent whose announcement could open the notification column.
PAPIR_SOLO = without_column(PAPIR, ColumnKind.NOTIFICATION, variant_id="papir-solo")

# The Bulgarian online game: straights of fixed value, and four steps of the upper bonus.
BULGARIAN_4 = Variant(
    id="bulgarian-4",
    dice=5,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.STRAIGHT, straight=StraightBySize(small=35, large=40)),
        RowRule(Row.FULL, bonus=30),
        RowRule(Row.POKER, bonus=40),
        RowRule(Row.YAMB, bonus=50),
    ),
    columns=(_DOWN, _FREE, _UP, _ANNOUNCED),
    bonus_steps=tuple(BonusStep(*step) for step in ((61, 30), (71, 40), (81, 50), (91, 60))),
    max_hold=5,
)
BULGARIAN_6 = replace(
    BULGARIAN_4,
    id="bulgarian-6",
    columns=(*BULGARIAN_4.columns, Column(ColumnKind.BOTH_ENDS), _FROM_SIXES),
)
BULGARIAN_8 = replace(
    BULGARIAN_6,
    id="bulgarian-8",
    columns=(*BULGARIAN_6.columns, _EVERY_OTHER, Column(ColumnKind.LATE_ANNOUNCED, window=(1, 2))),
)

# Six columns for one player; "the 6th dice is bonus dice": five can be held.
MY_YAHTZEE = Variant(
    id="my-yahtzee",
    dice=6,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.TRILING, bonus=20, counted=Counted.ALL),
        RowRule(Row.STRAIGHT, straight=replace(_BY_ROLL, shortest=4)),
        RowRule(Row.FULL, bonus=30),
        RowRule(Row.POKER, bonus=40, counted=Counted.ALL),
        RowRule(Row.YAMB, bonus=50),
    ),
    columns=(_DOWN, _FREE, _UP, _HAND, _FROM_MAX, _ENDS_IN),
    middle=Middle.DIFFERENCE,
    max_hold=5,
)

# The Swedish rules, with their standard columns.
SWEDISH_5 = Variant(
    id="swedish-5",
    dice=5,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.TWO_PAIRS, bonus=10),
        RowRule(Row.STRAIGHT, straight=_BY_ROLL),
        RowRule(Row.FULL, bonus=30),
        RowRule(Row.POKER, bonus=40),
        RowRule(Row.YAMB, bonus=50),
    ),
    columns=(_DOWN, _UP, _FREE, _ANNOUNCED),
    bonus_steps=(BonusStep(at_least=63, award=30),),
    max_hold=5,
)
SWEDISH_6 = replace(SWEDISH_5, id="swedish-6", dice=6, max_hold=6)
SWEDISH_OPTIONAL_COLUMNS = (
    Column(ColumnKind.LATE_ANNOUNCED, window=(2,)),
    _HAND,
    _FROM_MAX,
    _EVERY_OTHER,
    _MAXIMUM,
)

# What most people in Croatia and Serbia play online.
CROATIAN = Variant(
    id="croatian",
    dice=5,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.TRILING, bonus=10),
        RowRule(Row.STRAIGHT, straight=StraightBySize(small=35, large=45)),
        RowRule(Row.FULL, bonus=30),
        RowRule(Row.POKER, bonus=40),
        RowRule(Row.YAMB, bonus=50),
    ),
    columns=(_DOWN, _UP, _FREE, _ANNOUNCED),
    bonus_steps=(BonusStep(at_least=60, award=30),),
    middle_floor=True,
    max_hold=5,
)

PRESETS = (
    CLASSIC_5X4,
    CLASSIC_6X4,
    CLASSIC_6X6,
    PAPIR,
    PAPIR_SOLO,
    BULGARIAN_4,
    BULGARIAN_6,
    BULGARIAN_8,
    MY_YAHTZEE,
    SWEDISH_5,
    SWEDISH_6,
    CROATIAN,
)
PRESET_BY_ID = {variant.id: variant for variant in PRESETS}
_PRESET_BY_CONTENT = {content_id(variant): variant for variant in PRESETS}


def named(variant: Variant) -> Variant:
    """The preset of equal content, or else the variant under the id of its content."""
    return _PRESET_BY_CONTENT.get(content_id(variant)) or replace(variant, id=content_id(variant))


def for_seats(variant: Variant, seats: int) -> Variant:
    """The variant that a table of that many seats plays: a table of one has no notification column."""
    if seats > 1 or variant.column(ColumnKind.NOTIFICATION) is None:
        return variant
    return named(without_column(variant, ColumnKind.NOTIFICATION))
