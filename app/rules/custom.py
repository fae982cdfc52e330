"""Custom variants: any parameters, read from plain values, checked, and known by their content.

The one owner of what may be left out and of what it then is. What may be said of a parameter at all is
checked by `app.rules.variant`.
"""

from app.rules.parameters import Parameters
from app.rules.plain import Plain, variant_to_plain
from app.rules.presets import named
from app.rules.variant import (
    ROLLS,
    BonusStep,
    Column,
    ColumnKind,
    Counted,
    Duty,
    InvalidVariant,
    Middle,
    Reach,
    Row,
    RowRule,
    StraightByRoll,
    StraightBySize,
    Variant,
)

_PARAMETERS = (
    "dice",
    "rows",
    "columns",
    "bonus_steps",
    "middle",
    "max_hold",
    "auto_fill",
    "last_cell_rolls",
)
_OF_ROWS = ("row", "bonus", "counted", "straight")
_OF_COLUMNS = ("column", "split", "window", "reach", "duty")
_MOST_STEPS = 20
_LONGEST_STRAIGHT = 5
# Where a column can have one value only, it needn't be said.
_ONLY_SPLIT = {ColumnKind.ENDS_IN: Row.MAX}
_ONLY_WINDOW = {ColumnKind.ANNOUNCED: (1,)}


def custom_variant(plain: object) -> Variant:
    """The variant with these parameters, under the id of its content; a preset where they are its own.

    Raises InvalidVariant, whose field is a path such as columns[3].window.
    """
    given = Parameters(plain)
    given.check_known(_PARAMETERS)
    dice = given.number("dice")
    rows = tuple(_read_row(row) for row in given.parts("rows", len(Row)))
    columns = tuple(_read_column(column) for column in given.parts("columns", len(ColumnKind)))
    steps = tuple(map(_read_step, given.parts("bonus_steps", _MOST_STEPS) if "bonus_steps" in given else ()))
    middle, floor = _read_middle(given)
    max_hold = given.number("max_hold", dice)
    auto_fill = given.flag("auto_fill", usual=False)
    last_cell_rolls = given.number("last_cell_rolls", ROLLS)
    try:
        variant = Variant(
            id="x",
            dice=dice,
            rows=rows,
            columns=columns,
            bonus_steps=steps,
            middle=middle,
            middle_floor=floor,
            max_hold=max_hold,
            auto_fill=auto_fill,
            last_cell_rolls=last_cell_rolls,
        )
    except InvalidVariant as error:
        raise InvalidVariant(_path(error.field, rows, columns), error.sentence) from error
    return named(variant)


def parameters_of(variant: Variant) -> Plain:
    """The parameters that make this variant, none left out that has a value; `custom_variant` reads them."""
    plain = variant_to_plain(variant)
    return {name: plain[name] for name in _PARAMETERS} | {
        "rows": _only(_OF_ROWS, plain["rows"]),
        "columns": _only(_OF_COLUMNS, plain["columns"]),
    }


def _only(names: tuple[str, ...], parts: object) -> list[Plain]:
    if not isinstance(parts, list):
        raise TypeError("rows and columns are lists")
    return [{name: value for name, value in part.items() if name in names} for part in parts]


def _read_row(given: Parameters) -> RowRule:
    given.check_known(_OF_ROWS)
    return RowRule(
        row=given.choice("row", Row),
        bonus=given.number("bonus", 0),
        counted=given.choice("counted", Counted, Counted.MATCHING),
        straight=_read_straight(given.part("straight")) if "straight" in given else None,
    )


def _read_straight(given: Parameters) -> StraightBySize | StraightByRoll:
    if "by_roll" not in given:
        given.check_known(("small", "large"))
        return StraightBySize(small=given.number("small"), large=given.number("large"))
    given.check_known(("by_roll", "shortest"))
    values = given.numbers("by_roll")
    if len(values) != ROLLS:
        raise InvalidVariant(given.path_of("by_roll"), f"{ROLLS} values are expected, one for each roll")
    first, second, third = values
    return StraightByRoll((first, second, third), given.number("shortest", _LONGEST_STRAIGHT))


def _read_column(given: Parameters) -> Column:
    given.check_known(_OF_COLUMNS)
    kind = given.choice("column", ColumnKind)
    return Column(
        kind=kind,
        split=given.choice("split", Row) if "split" in given else _ONLY_SPLIT.get(kind),
        window=given.numbers("window") if "window" in given else _ONLY_WINDOW.get(kind, ()),
        reach=given.choice("reach", Reach, Reach.NEXT),
        duty=given.choice("duty", Duty, Duty.MUST),
    )


def _read_step(given: Parameters) -> BonusStep:
    given.check_known(("at_least", "award"))
    return BonusStep(given.number("at_least"), given.number("award"))


def _read_middle(given: Parameters) -> tuple[Middle, bool]:
    if "middle" not in given:
        return Middle.TIMES_ONES, False
    middle = given.part("middle")
    middle.check_known(("formula", "floor"))
    return middle.choice("formula", Middle, Middle.TIMES_ONES), middle.flag("floor", usual=False)


def _path(field: str, rows: tuple[RowRule, ...], columns: tuple[Column, ...]) -> str:
    """The path of a field that a variant names by its row or column."""
    names: dict[str, list[str]] = {
        "rows": [rule.row.value for rule in rows],
        "columns": [column.kind.value for column in columns],
    }
    head, _, rest = field.partition(".")
    if not rest:
        return "middle.formula" if field == "middle" else field
    name, _, parameter = rest.partition(".")
    return f"{head}[{names[head].index(name)}].{parameter}"
