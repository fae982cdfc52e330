"""The variants that ship, by id. Sources are named beside each."""

from app.rules.variant import (
    FIXED_ROWS,
    BonusStep,
    Column,
    ColumnKind,
    Duty,
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

_DOWN = Column(ColumnKind.DOWN)
_UP = Column(ColumnKind.UP)
_FREE = Column(ColumnKind.FREE)
_ANNOUNCED = Column(ColumnKind.ANNOUNCED, window=(1,))

# Four columns, five dice, "a cruel option": the straight is the sum of its dice and 30.
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

# The big sheet of ten columns. Its text states neither bonus nor middle formula; the sheet it was published
# with uses these (docs/rules.md, Readings).
PAPIR = Variant(
    id="papir",
    dice=6,
    rows=(
        *_NUMBERS_AND_MIDDLE,
        RowRule(Row.STRAIGHT, straight=StraightByRoll((66, 56, 46))),
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
        Column(ColumnKind.HAND),
        Column(ColumnKind.NOTIFICATION, reach=Reach.NEXT, duty=Duty.MUST),
        Column(ColumnKind.FROM_MIDDLE, split=Row.MAX),
        Column(ColumnKind.ENDS_IN, split=Row.MAX),
        Column(ColumnKind.FINAL),
        Column(ColumnKind.MAXIMUM),
    ),
    bonus_steps=(BonusStep(at_least=60, award=30),),
)

# A table of one has no opponent whose announcement could open the notification column.
PAPIR_SOLO = without_column(PAPIR, ColumnKind.NOTIFICATION, variant_id="papir-solo")

PRESETS = (CLASSIC_5X4, PAPIR, PAPIR_SOLO)
PRESET_BY_ID = {variant.id: variant for variant in PRESETS}
_PRESET_BY_CONTENT = {content_id(variant): variant for variant in PRESETS}


def for_seats(variant: Variant, seats: int) -> Variant:
    """The variant that a table of that many seats plays: a table of one has no notification column."""
    if seats > 1 or variant.column(ColumnKind.NOTIFICATION) is None:
        return variant
    reduced = without_column(variant, ColumnKind.NOTIFICATION)
    return _PRESET_BY_CONTENT.get(reduced.id, reduced)
