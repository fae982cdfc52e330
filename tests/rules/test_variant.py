"""The parameters of a variant: what is refused, and ids made from the content."""

from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.layout import layout_of
from app.rules.presets import CLASSIC_5X4, PAPIR, PAPIR_SOLO, PRESET_BY_ID, PRESETS, for_seats
from app.rules.variant import (
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
    Section,
    StraightByRoll,
    StraightBySize,
    Variant,
    content_id,
    section_of,
    without_column,
)
from tests.rules.variants import (
    ANNOUNCED,
    DOWN,
    FINAL,
    FIXED,
    FREE,
    MAXIMUM,
    NOTIFICATION,
    variants,
    with_columns,
)

HUGE = 2**63
STRAIGHT = RowRule(Row.STRAIGHT, straight=StraightBySize(45, 50))


def _rows(*lower: RowRule) -> Variant:
    return replace(CLASSIC_5X4, rows=(*FIXED, *lower))


def _steps(*steps: tuple[int, int]) -> Variant:
    return replace(CLASSIC_5X4, bonus_steps=tuple(BonusStep(*step) for step in steps))


def _by_roll(*values: int, shortest: int = 5) -> Variant:
    first, second, third = values
    return _rows(RowRule(Row.STRAIGHT, straight=StraightByRoll((first, second, third), shortest)))


Make = Callable[[], Variant]

INVALID: tuple[tuple[str, Make], ...] = (
    ("id", lambda: replace(CLASSIC_5X4, id="")),
    ("id", lambda: replace(CLASSIC_5X4, id="x" * 41)),
    ("id", lambda: replace(CLASSIC_5X4, id="../classic")),
    ("id", lambda: replace(CLASSIC_5X4, id="Classic")),
    ("dice", lambda: replace(CLASSIC_5X4, dice=4)),
    ("dice", lambda: replace(CLASSIC_5X4, dice=7)),
    ("rows", lambda: replace(CLASSIC_5X4, rows=())),
    ("rows", lambda: replace(CLASSIC_5X4, rows=FIXED[:7])),
    ("rows", lambda: replace(CLASSIC_5X4, rows=FIXED[::-1])),
    ("rows", lambda: _rows(STRAIGHT, STRAIGHT)),
    ("rows", lambda: _rows(FIXED[0])),
    ("rows.straight.straight", lambda: _rows(RowRule(Row.STRAIGHT))),
    ("rows.full.straight", lambda: _rows(RowRule(Row.FULL, straight=StraightBySize(1, 2)))),
    ("rows.straight.straight", lambda: _rows(RowRule(Row.STRAIGHT, straight=StraightBySize(50, 45)))),
    ("rows.straight.straight", lambda: _rows(RowRule(Row.STRAIGHT, straight=StraightBySize(0, 45)))),
    ("rows.straight.straight", lambda: _rows(RowRule(Row.STRAIGHT, straight=StraightBySize(45, HUGE)))),
    ("rows.straight.straight", lambda: _by_roll(66, -56, 46)),
    ("rows.straight.straight", lambda: _by_roll(HUGE, 56, 46)),
    ("rows.straight.straight.shortest", lambda: _by_roll(66, 56, 46, shortest=3)),
    ("rows.straight.straight.shortest", lambda: _by_roll(66, 56, 46, shortest=6)),
    ("rows.straight.bonus", lambda: _rows(replace(STRAIGHT, bonus=1))),
    ("rows.full.bonus", lambda: _rows(RowRule(Row.FULL, HUGE))),
    ("rows.full.bonus", lambda: _rows(RowRule(Row.FULL, -1))),
    ("rows.max.bonus", lambda: replace(CLASSIC_5X4, rows=(*FIXED[:6], RowRule(Row.MAX, 5), FIXED[7]))),
    ("rows.ones.bonus", lambda: replace(CLASSIC_5X4, rows=(RowRule(Row.ONES, 5), *FIXED[1:]))),
    ("rows.full.counted", lambda: _rows(RowRule(Row.FULL, counted=Counted.ALL))),
    ("columns", with_columns),
    ("columns", lambda: with_columns(DOWN, DOWN)),
    ("columns", lambda: with_columns(*[DOWN] * 500)),
    ("columns", lambda: with_columns(FINAL)),
    ("columns", lambda: with_columns(MAXIMUM)),
    ("columns", lambda: with_columns(FINAL, MAXIMUM)),
    ("columns", lambda: with_columns(FREE, NOTIFICATION)),
    ("columns.from_middle.split", lambda: with_columns(Column(ColumnKind.FROM_MIDDLE))),
    ("columns.from_middle.split", lambda: with_columns(Column(ColumnKind.FROM_MIDDLE, split=Row.MIN))),
    ("columns.ends_in.split", lambda: with_columns(Column(ColumnKind.ENDS_IN, split=Row.SIXES))),
    ("columns.down.split", lambda: with_columns(Column(ColumnKind.DOWN, split=Row.MAX))),
    ("columns.announced.window", lambda: with_columns(Column(ColumnKind.ANNOUNCED))),
    ("columns.announced.window", lambda: with_columns(Column(ColumnKind.ANNOUNCED, window=(1, 2)))),
    ("columns.late_announced.window", lambda: with_columns(Column(ColumnKind.LATE_ANNOUNCED, window=(3,)))),
    ("columns.late_announced.window", lambda: with_columns(Column(ColumnKind.LATE_ANNOUNCED, window=(2, 1)))),
    ("columns.free.window", lambda: with_columns(Column(ColumnKind.FREE, window=(1,)))),
    ("columns.free.reach", lambda: with_columns(Column(ColumnKind.FREE, reach=Reach.ALL))),
    ("columns.announced.reach", lambda: with_columns(replace(ANNOUNCED, duty=Duty.MAY))),
    ("bonus_steps", lambda: _steps((71, 40), (61, 30))),
    ("bonus_steps", lambda: _steps((61, 40), (61, 30))),
    ("bonus_steps", lambda: _steps((61, 40), (71, 30))),
    ("bonus_steps", lambda: _steps((0, 30))),
    ("bonus_steps", lambda: _steps((106, 30))),
    ("bonus_steps", lambda: _steps((61, 0))),
    ("bonus_steps", lambda: _steps((61, HUGE))),
    ("max_hold", lambda: replace(CLASSIC_5X4, max_hold=6)),
    ("max_hold", lambda: replace(CLASSIC_5X4, max_hold=-1)),
    ("last_cell_rolls", lambda: replace(CLASSIC_5X4, last_cell_rolls=4)),
    ("last_cell_rolls", lambda: replace(CLASSIC_5X4, last_cell_rolls=10**9)),
)


@pytest.mark.parametrize(
    ("field", "make"), [pytest.param(*case, id=f"{case[0]}-{n}") for n, case in enumerate(INVALID)]
)
def test_parameters_that_make_no_variant_are_refused_by_field(field: str, make: Make) -> None:
    with pytest.raises(InvalidVariant) as refused:
        make()
    assert refused.value.field == field
    assert str(refused.value).startswith(f"{field}: ")


def test_every_field_of_a_variant_but_the_two_free_ones_can_be_wrong() -> None:
    wrong = {field.split(".")[0] for field, _ in INVALID}
    assert wrong == {field.name for field in fields(Variant)} - {"middle", "middle_floor", "auto_fill"}


def test_turns_are_the_playable_cells_of_a_sheet() -> None:
    assert (CLASSIC_5X4.turns, PAPIR.turns, PAPIR_SOLO.turns) == (48, 117, 104)


def test_every_row_has_a_section() -> None:
    upper = {Row.ONES, Row.TWOS, Row.THREES, Row.FOURS, Row.FIVES, Row.SIXES}
    for row in Row:
        expected = Section.UPPER if row in upper else Section.LOWER
        assert section_of(row) is (Section.MIDDLE if row in {Row.MAX, Row.MIN} else expected)


# These ids stand in links and on leaderboards: they must never change.
KNOWN_IDS = {
    "classic-5x4": "x-80d23e6b496b8cdb",
    "classic-6x4": "x-e8c9fafcba124f1d",
    "classic-6x6": "x-0bf7b75aaecd850f",
    "papir": "x-b258adf924986f12",
    "papir-solo": "x-1372509cc017615c",
    "bulgarian-4": "x-d66b9502b4e8d26a",
    "bulgarian-6": "x-1ecb19c559134a7c",
    "bulgarian-8": "x-87f29e90fcee2057",
    "my-yahtzee": "x-9d572b370fdef25a",
    "swedish-5": "x-76f9104d0cc0e26f",
    "swedish-6": "x-fb79ec1b6fe8df5f",
    "croatian": "x-16ed750c8877b8b7",
}


def test_content_ids_stay_as_they_are() -> None:
    assert {variant.id: content_id(variant) for variant in PRESETS} == KNOWN_IDS


def test_the_id_of_a_variant_is_no_part_of_its_content() -> None:
    assert content_id(replace(PAPIR, id="other")) == content_id(PAPIR)


@settings(max_examples=50, deadline=None)
@given(one=variants(), other=variants())
def test_different_contents_have_different_ids(one: Variant, other: Variant) -> None:
    assert (content_id(one) == content_id(other)) == (one == other)


CHANGED = (
    replace(PAPIR, columns=PAPIR.columns[::-1]),
    replace(PAPIR, middle=Middle.DIFFERENCE),
    replace(PAPIR, middle_floor=True),
    replace(PAPIR, auto_fill=True),
    replace(PAPIR, max_hold=5),
    replace(PAPIR, last_cell_rolls=5),
    replace(PAPIR, bonus_steps=()),
    replace(PAPIR, rows=PAPIR.rows[:-1]),
    replace(PAPIR, rows=(*PAPIR.rows[:-1], RowRule(Row.YAMB, 60))),
)


def test_each_parameter_changes_the_id() -> None:
    assert len({content_id(variant) for variant in (PAPIR, *CHANGED)}) == 1 + len(CHANGED)


def test_a_variant_less_a_column_takes_the_id_given_or_that_of_its_content() -> None:
    assert without_column(PAPIR, ColumnKind.NOTIFICATION, variant_id="mine").id == "mine"
    reduced = without_column(PAPIR, ColumnKind.NOTIFICATION)
    assert reduced.id == content_id(PAPIR_SOLO)
    assert replace(reduced, id="papir-solo") == PAPIR_SOLO


def test_a_table_plays_its_variant_and_a_table_of_one_less_the_notification_column() -> None:
    for variant in PRESETS:
        for seats in range(2, 9):
            assert for_seats(variant, seats) is variant
        assert for_seats(variant, 1).column(ColumnKind.NOTIFICATION) is None
        assert for_seats(for_seats(variant, 1), 1) == for_seats(variant, 1)


def test_a_renamed_papir_at_a_table_of_one_is_papir_solo() -> None:
    assert for_seats(replace(PAPIR, id="mine"), 1) is PAPIR_SOLO


def test_presets_are_found_by_their_ids() -> None:
    assert {variant_id: variant.id for variant_id, variant in PRESET_BY_ID.items()} == {
        variant.id: variant.id for variant in PRESETS
    }


def test_equal_variants_share_their_layout_and_their_scores_with_other_columns() -> None:
    assert layout_of(PAPIR) is layout_of(replace(PAPIR))
    # Under names of their own: what other tests left in the caches plays no part.
    one, other = replace(PAPIR, id="one"), replace(PAPIR_SOLO, id="other")
    assert layout_of(one).table is layout_of(other).table
    assert layout_of(PAPIR) != layout_of(PAPIR_SOLO)


@settings(max_examples=30, deadline=None)
@given(variant=variants(), data=st.data())
def test_cells_of_a_layout_are_numbered_column_by_column(variant: Variant, data: st.DataObject) -> None:
    layout = layout_of(variant)
    index = data.draw(st.integers(0, len(layout.cells) - 1))
    cell = layout.cells[index]
    assert layout.index_by_cell[cell] == index
    assert layout.rows[layout.places[index]] is cell.row
    assert index in layout.column_by_kind[cell.column].cells
    assert (index in layout.playable) == (cell.column is not ColumnKind.MAXIMUM)
    assert len(layout.playable) == variant.turns
