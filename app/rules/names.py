"""What each description calls its game, rows and columns: shown beside the standard names.

Words of the descriptions themselves, in their own language; where one says "and so on", the series is
completed. Rows and columns that a description has no word for are left out.
"""

from dataclasses import dataclass, replace

from app.rules.column_choice import base_of, choosable_columns
from app.rules.variant import FIXED_ROWS, ColumnKind, Row, Variant

_Column = ColumnKind


@dataclass(frozen=True, slots=True)
class Names:
    """Names in one language (a BCP 47 tag). `rows` and `columns` may lack some."""

    title: str
    language: str
    rows: dict[Row, str]
    columns: dict[ColumnKind, str]


def names_of(variant: Variant) -> Names | None:
    """The words of a variant's description, for its rows and for the columns it has or could have."""
    base = base_of(variant)
    names = _NAMES.get(base.id) if base else None
    if names is None:
        return None
    kinds = {column.kind for column in (*variant.columns, *choosable_columns(variant))}
    rows = {rule.row for rule in variant.rows}
    return replace(
        names,
        rows={row: name for row, name in names.rows.items() if row in rows},
        columns={kind: name for kind, name in names.columns.items() if kind in kinds},
    )


def _rows(fixed: str, **others: str) -> dict[Row, str]:
    """The first rows of a sheet by their order, the others by their ids."""
    first = dict(zip(FIXED_ROWS, fixed.split(), strict=False))
    return first | {Row(row): name for row, name in others.items()}


_CLASSIC = Names(
    title="Yamb: 5 dice, 4 columns",
    language="en",
    rows=_rows(
        "Aces Twos 3s 4s 5s 6s Maximum Minimum", straight="Kent", full="Full", poker="Poker", yamb="Yamb"
    ),
    columns={
        _Column.DOWN: "Down",
        _Column.FREE: "Free",
        _Column.UP: "Up",
        _Column.ANNOUNCED: "Assign",
        _Column.FROM_MIDDLE: "Middle",
        _Column.HAND: "Hand",
    },
)
_PAPIR = Names(
    title="Yamb Papir",
    language="en",
    rows={
        Row.MAX: "MAX",
        Row.MIN: "MIN",
        Row.STRAIGHT: "KENTA",
        Row.TRILING: "TRILING",
        Row.FULL: "FUL",
        Row.POKER: "POKER",
        Row.YAMB: "YAMB",
    },
    columns={
        _Column.FREE: "Free column",
        _Column.ANNOUNCED: "N, the announcement",
        _Column.HAND: "R, the hand column",
        _Column.NOTIFICATION: "D, the notification",
        _Column.FINAL: "O",
        _Column.MAXIMUM: "M",
    },
)
_BULGARIAN = Names(
    title="Ямб",
    language="bg",
    rows=_rows(
        "Единици Двойки Тройки Четворки Петици Шестици Максимум Минимум",
        straight="Кента",
        full="Фул",
        poker="Каре",
        yamb="Ямб",
    ),
    columns={
        _Column.DOWN: "Надолу",
        _Column.FREE: "Произволно",
        _Column.UP: "Нагоре",
        _Column.ANNOUNCED: "Обявено",
        _Column.BOTH_ENDS: "От двата края",
        _Column.FROM_MIDDLE: "От средата",
        _Column.EVERY_OTHER: "През едно",
        _Column.LATE_ANNOUNCED: "Късна обява",
    },
)
_MY_YAHTZEE = Names(
    title="My Yahtzee",
    language="en",
    rows={
        Row.MAX: "Max",
        Row.MIN: "Min",
        Row.TRILING: "3 of a Kind",
        Row.STRAIGHT: "Straight",
        Row.FULL: "Full House",
        Row.POKER: "4 of a Kind",
        Row.YAMB: "Yahtzee",
    },
    columns={
        _Column.DOWN: "First column",
        _Column.FREE: "Free column",
        _Column.UP: "Third column",
        _Column.HAND: "Scoring by hand",
        _Column.FROM_MIDDLE: "Fifth column",
        _Column.ENDS_IN: "Sixth column",
    },
)
_SWEDISH = Names(
    title="Yamb",
    language="sv",
    rows=_rows(
        "Ettor Tvåor Treor Fyror Femmor Sexor Max Min",
        two_pairs="Två par",
        straight="Stege (Kenta)",
        full="Kåk",
        poker="Poker",
        yamb="Yamb",
    ),
    columns={
        _Column.DOWN: "Stigande",
        _Column.UP: "Fallande",
        _Column.FREE: "Fri",
        _Column.ANNOUNCED: "Deklaration",
        _Column.LATE_ANNOUNCED: "Sen deklaration",
        _Column.HAND: "Hand",
        _Column.FROM_MIDDLE: "Mitt",
        _Column.EVERY_OTHER: "Hopp",
        _Column.MAXIMUM: "Maximum",
    },
)
_CROATIAN = Names(
    title="Jamb",
    language="hr",
    rows=_rows(
        "Jedinice Dvojke Trojke Četvorke Petice Šestice Max Min",
        triling="Tris",
        straight="Skala",
        full="Ful",
        poker="Poker",
        yamb="Jamb",
    ),
    columns={
        _Column.DOWN: "Prema dolje",
        _Column.UP: "Prema gore",
        _Column.FREE: "Slobodno",
        _Column.ANNOUNCED: "Najava",
    },
)

_NAMES = {
    "classic-5x4": _CLASSIC,
    "classic-6x4": replace(_CLASSIC, title="Yamb: 6 dice, 4 columns"),
    "classic-6x6": replace(_CLASSIC, title="Yamb: 6 dice, 6 columns"),
    "papir": _PAPIR,
    "bulgarian-4": _BULGARIAN,
    "bulgarian-6": _BULGARIAN,
    "bulgarian-8": _BULGARIAN,
    "my-yahtzee": _MY_YAHTZEE,
    "swedish-5": _SWEDISH,
    "swedish-6": _SWEDISH,
    "croatian": _CROATIAN,
}
