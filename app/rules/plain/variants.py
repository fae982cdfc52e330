"""Variants as plain values."""

from app.rules.column_choice import base_of, choosable_columns
from app.rules.columns import starts_of
from app.rules.names import Names, names_of
from app.rules.plain.reading import NotPlain, Plain, choice, flag, nested, nested_list, number, numbers, text
from app.rules.share_code import share_code
from app.rules.variant import (
    ROLLS,
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
    section_of,
)


def variant_to_plain(variant: Variant) -> Plain:
    """Every parameter of a variant, and what a sheet needs to be drawn: sections, playable columns, turns."""
    return {
        "id": variant.id,
        "dice": variant.dice,
        "rolls": ROLLS,
        "last_cell_rolls": variant.last_cell_rolls,
        "max_hold": variant.max_hold,
        "auto_fill": variant.auto_fill,
        "turns": variant.turns,
        "rows": [_row_to_plain(rule) for rule in variant.rows],
        "columns": [_column_to_plain(column) for column in variant.columns],
        "bonus_steps": [{"at_least": step.at_least, "award": step.award} for step in variant.bonus_steps],
        "middle": {"formula": variant.middle.value, "floor": variant.middle_floor},
    }


def variant_shown(variant: Variant) -> Plain:
    """A variant as players are shown it: also its code, what it was chosen from, where columns with several
    ways to go begin, and the words of its description.
    """
    base, names = base_of(variant), names_of(variant)
    return variant_to_plain(variant) | {
        "code": share_code(variant),
        "base": base.id if base else variant.id,
        "choosable": [column.kind.value for column in choosable_columns(variant)],
        "starts": _starts_to_plain(variant),
        "names": _names_to_plain(names) if names else None,
    }


def variant_from_plain(plain: Plain) -> Variant:
    """The variant with these parameters; what can be derived from them is not read."""
    middle = nested(plain, "middle")
    return Variant(
        id=text(plain, "id"),
        dice=number(plain, "dice"),
        rows=tuple(_row_from_plain(rule) for rule in nested_list(plain, "rows")),
        columns=tuple(_column_from_plain(column) for column in nested_list(plain, "columns")),
        bonus_steps=tuple(
            BonusStep(number(step, "at_least"), number(step, "award"))
            for step in nested_list(plain, "bonus_steps")
        ),
        middle=choice(middle, "formula", Middle),
        middle_floor=flag(middle, "floor"),
        max_hold=number(plain, "max_hold"),
        auto_fill=flag(plain, "auto_fill"),
        last_cell_rolls=number(plain, "last_cell_rolls"),
    )


def _starts_to_plain(variant: Variant) -> Plain:
    rows = [rule.row for rule in variant.rows]
    starts = {column.kind.value: starts_of(column, rows) for column in variant.columns}
    return {
        column: {row.value: way.value for row, way in ways.items()} for column, ways in starts.items() if ways
    }


def _names_to_plain(names: Names) -> Plain:
    return {
        "title": names.title,
        "language": names.language,
        "rows": {row.value: name for row, name in names.rows.items()},
        "columns": {kind.value: name for kind, name in names.columns.items()},
    }


def _row_to_plain(rule: RowRule) -> Plain:
    plain: Plain = {"row": rule.row.value, "section": section_of(rule.row).value}
    if rule.bonus:
        plain["bonus"] = rule.bonus
    if rule.counted is Counted.ALL:
        plain["counted"] = rule.counted.value
    if isinstance(rule.straight, StraightBySize):
        plain["straight"] = {"small": rule.straight.small, "large": rule.straight.large}
    elif isinstance(rule.straight, StraightByRoll):
        plain["straight"] = {"by_roll": list(rule.straight.values), "shortest": rule.straight.shortest}
    return plain


def _row_from_plain(plain: Plain) -> RowRule:
    return RowRule(
        row=choice(plain, "row", Row),
        bonus=number(plain, "bonus") if "bonus" in plain else 0,
        counted=choice(plain, "counted", Counted) if "counted" in plain else Counted.MATCHING,
        straight=_straight_from_plain(nested(plain, "straight")) if "straight" in plain else None,
    )


def _straight_from_plain(plain: Plain) -> StraightBySize | StraightByRoll:
    if "by_roll" not in plain:
        return StraightBySize(small=number(plain, "small"), large=number(plain, "large"))
    values = numbers(plain, "by_roll")
    if len(values) != ROLLS:
        raise NotPlain(f"by_roll: {ROLLS} numbers are expected")
    first, second, third = values
    return StraightByRoll((first, second, third), number(plain, "shortest"))


def _column_to_plain(column: Column) -> Plain:
    plain: Plain = {"column": column.kind.value, "playable": column.is_playable}
    if column.split is not None:
        plain["split"] = column.split.value
    if column.window:
        plain["window"] = list(column.window)
    if column.kind is ColumnKind.NOTIFICATION:
        plain |= {"reach": column.reach.value, "duty": column.duty.value}
    return plain


def _column_from_plain(plain: Plain) -> Column:
    return Column(
        kind=choice(plain, "column", ColumnKind),
        split=choice(plain, "split", Row) if "split" in plain else None,
        window=numbers(plain, "window") if "window" in plain else (),
        reach=choice(plain, "reach", Reach) if "reach" in plain else Reach.NEXT,
        duty=choice(plain, "duty", Duty) if "duty" in plain else Duty.MUST,
    )
