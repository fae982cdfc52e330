"""The first word of every line: the variant, and the number of seats.

A preset stands by its id. Any other variant stands by its parameters, and its id is made from them.
"""

from dataclasses import replace

from app.rules.game import MAX_SEATS, start
from app.rules.notation.reading import Word, number_of, one_of
from app.rules.presets import PRESET_BY_ID
from app.rules.state import Game, Undoing
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
    content_id,
)


def format_table(game: Game) -> str:
    """The variant and the number of seats of a game."""
    undo = "" if game.undo is Undoing.OFF else f"/{game.undo}"
    return f"{_format_variant(game.variant)}/{game.seats}{undo}"


def parse_table(word: Word) -> Game:
    """The game before its first roll. Raises WrongNotation."""
    variant_word, *rest = word.split("/")
    if not 1 <= len(rest) <= 2:
        raise word.wrong("variant/seats is expected")
    seats_word = rest[0]
    undo = one_of(rest[1], (Undoing.ENTRY,)) if len(rest) == 2 else Undoing.OFF
    seats = number_of(seats_word)
    if not 1 <= seats <= MAX_SEATS:
        raise seats_word.wrong(f"1 to {MAX_SEATS} seats are expected")
    variant = _parse_variant(variant_word)
    if _format_variant(variant) != variant_word.text:
        raise variant_word.wrong(f"its usual form is {_format_variant(variant)}")
    game = start(variant, seats, undo)
    if game.variant != variant:
        raise word.wrong(f"a table of one plays {_format_variant(game.variant)}")
    return game


def _format_variant(variant: Variant) -> str:
    if PRESET_BY_ID.get(variant.id) == variant:
        return variant.id
    parts = [
        f"dice={variant.dice}",
        ",".join(map(_format_row, variant.rows)),
        ",".join(map(_format_column, variant.columns)),
        *_format_options(variant),
    ]
    return f"({';'.join(parts)})"


def _format_row(rule: RowRule) -> str:
    text = f"{rule.row}"
    if isinstance(rule.straight, StraightBySize):
        text += f":{rule.straight.small}:{rule.straight.large}"
    elif isinstance(rule.straight, StraightByRoll):
        text += "".join(f":{value}" for value in rule.straight.values)
        text += "" if rule.straight.shortest == 5 else f":{rule.straight.shortest}"
    if rule.counted is Counted.ALL:
        text += f":{rule.counted}"
    return f"{text}+{rule.bonus}" if rule.bonus else text


def _format_column(column: Column) -> str:
    parts: list[object] = [column.kind]
    if column.split is not None:
        parts.append(column.split)
    parts += column.window
    if column.kind is ColumnKind.NOTIFICATION:
        parts += [column.reach, column.duty]
    return ":".join(map(str, parts))


def _format_options(variant: Variant) -> list[str]:
    """The parameters that aren't the usual ones."""
    steps = ",".join(f"{step.at_least}:{step.award}" for step in variant.bonus_steps)
    options = (
        (f"steps={steps}", bool(steps)),
        (f"middle={variant.middle}", variant.middle is not Middle.TIMES_ONES),
        ("floor", variant.middle_floor),
        (f"hold={variant.max_hold}", variant.max_hold != variant.dice),
        ("auto_fill", variant.auto_fill),
        (f"last={variant.last_cell_rolls}", variant.last_cell_rolls != ROLLS),
    )
    return [text for text, is_stated in options if is_stated]


def _parse_variant(word: Word) -> Variant:
    if not word.text.startswith("("):
        return PRESET_BY_ID[one_of(word, PRESET_BY_ID)]
    if not word.text.endswith(")"):
        raise word.wrong("the parameters end with )")
    parts = Word(word.text[1:-1], word.place + 1).split(";")
    if len(parts) < 3 or not parts[0].text.startswith("dice="):
        raise word.wrong("(dice=number;rows;columns;…) is expected")
    dice = number_of(parts[0].after("dice="))
    try:
        return _make_variant(dice, parts[1], parts[2], parts[3:])
    except InvalidVariant as error:
        raise word.wrong(str(error)) from error


def _make_variant(dice: int, rows: Word, columns: Word, options: list[Word]) -> Variant:
    parameters: dict[str, object] = {"max_hold": dice}
    for option in options:
        parameters |= _parse_option(option)
    variant = Variant(
        id="x",
        dice=dice,
        rows=tuple(map(_parse_row, rows.split(","))),
        columns=tuple(map(_parse_column, columns.split(","))),
        **parameters,  # type: ignore[arg-type] # the names of _parse_option are fields of a variant
    )
    return replace(variant, id=content_id(variant))


def _parse_row(word: Word) -> RowRule:
    row_word, bonus = word.partition("+")
    first, *rest = row_word.split(":")
    row = one_of(first, Row)
    counted = Counted.MATCHING
    if rest and rest[-1].text == Counted.ALL:
        counted = Counted.ALL
        rest.pop()
    straight = _parse_straight(word, [number_of(value) for value in rest])
    return RowRule(row, number_of(bonus) if bonus else 0, counted, straight)


def _parse_straight(word: Word, numbers: list[int]) -> StraightBySize | StraightByRoll | None:
    match numbers:
        case []:
            return None
        case [small, large]:
            return StraightBySize(small, large)
        case [first, second, third, *shortest] if len(shortest) < 2:
            return StraightByRoll((first, second, third), *shortest)
        case _:
            raise word.wrong(
                "two values by size, three by roll, or four with the shortest straight are expected"
            )


def _parse_column(word: Word) -> Column:
    first, *rest = word.split(":")
    kind = one_of(first, ColumnKind)
    if kind is ColumnKind.NOTIFICATION:
        if len(rest) != 2:
            raise word.wrong("notification:reach:duty is expected")
        return Column(kind, reach=one_of(rest[0], Reach), duty=one_of(rest[1], Duty))
    if rest and rest[0].text in set(Row):
        return Column(kind, Row(rest[0].text), tuple(map(number_of, rest[1:])))
    return Column(kind, window=tuple(map(number_of, rest)))


def _parse_option(word: Word) -> dict[str, object]:
    name, value = word.partition("=")
    if value is None:
        return {
            {"floor": "middle_floor", "auto_fill": "auto_fill"}[one_of(name, ("floor", "auto_fill"))]: True
        }
    match one_of(name, ("steps", "middle", "hold", "last")):
        case "steps":
            return {"bonus_steps": tuple(map(_parse_step, value.split(",")))}
        case "middle":
            return {"middle": one_of(value, Middle)}
        case "hold":
            return {"max_hold": number_of(value)}
        case _:
            return {"last_cell_rolls": number_of(value)}


def _parse_step(word: Word) -> BonusStep:
    at_least, award = word.partition(":")
    if award is None:
        raise word.wrong("at_least:award is expected")
    return BonusStep(number_of(at_least), number_of(award))
