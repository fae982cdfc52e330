"""Columns that the players choose: what comes of a choice, and what is refused."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.column_choice import base_of, choosable_columns, with_columns
from app.rules.custom import custom_variant, parameters_of
from app.rules.plain import variant_from_plain, variant_to_plain
from app.rules.presets import (
    BULGARIAN_8,
    CLASSIC_5X4,
    PAPIR,
    PAPIR_SOLO,
    PRESETS,
    SWEDISH_5,
    SWEDISH_6,
    SWEDISH_OPTIONAL_COLUMNS,
)
from app.rules.variant import InvalidVariant, Variant, content_id
from tests.rules.games import in_haste, steps
from tests.rules.random_variants import random_variant
from tests.rules.variants import makes_a_sheet

PAPIR_NAMES = [column.kind.value for column in PAPIR.columns]
SWEDISH_NAMES = [column.kind.value for column in (*SWEDISH_5.columns, *SWEDISH_OPTIONAL_COLUMNS)]


def _names(variant: Variant) -> list[str]:
    return [column.kind.value for column in variant.columns]


def test_papir_offers_its_ten_columns_and_swedish_its_four_and_five_more() -> None:
    assert [column.kind.value for column in choosable_columns(PAPIR)] == PAPIR_NAMES
    for variant in (SWEDISH_5, SWEDISH_6):
        assert [column.kind.value for column in choosable_columns(variant)] == SWEDISH_NAMES
    assert {variant.id for variant in PRESETS if choosable_columns(variant)} == {
        "papir",
        "papir-solo",
        "swedish-5",
        "swedish-6",
    }


@pytest.mark.parametrize("variant", [PAPIR, SWEDISH_5, SWEDISH_6], ids=lambda variant: variant.id)
def test_the_columns_of_a_variant_chosen_give_the_variant_itself(variant: Variant) -> None:
    assert with_columns(variant, _names(variant)) is variant
    assert with_columns(variant, _names(variant)[::-1]) is variant


def test_papir_without_the_notification_column_is_papir_solo() -> None:
    assert with_columns(PAPIR, [name for name in PAPIR_NAMES if name != "notification"]) is PAPIR_SOLO


def test_chosen_columns_stand_in_the_order_of_the_variant_then_the_optional_ones() -> None:
    variant = with_columns(SWEDISH_5, ["hand", "announced", "maximum", "down", "late_announced"])
    assert _names(variant) == ["down", "announced", "late_announced", "hand", "maximum"]
    assert variant.turns == 4 * 13


def test_a_choice_is_named_by_its_content() -> None:
    variant = with_columns(PAPIR, ["down", "free"])
    assert variant.id == content_id(variant) == with_columns(PAPIR, ["free", "down"]).id
    assert variant.id != with_columns(PAPIR, ["down", "up"]).id
    assert variant_from_plain(variant_to_plain(variant)) == variant


@pytest.mark.parametrize(
    ("variant", "names", "sentence"),
    [
        (PAPIR, [], "at least one column beside final and maximum"),
        (PAPIR, ["final"], "at least one column beside final and maximum"),
        (PAPIR, ["maximum"], "at least one column beside final and maximum"),
        (PAPIR, ["final", "maximum"], "at least one column beside final and maximum"),
        (PAPIR, ["down", "notification"], "notification needs announced"),
        (PAPIR, ["down", "down"], "at most once"),
        (PAPIR, ["down", "sideways"], "not sideways"),
        (PAPIR, ["down", "both_ends", "every_other"], "not both_ends, every_other"),
        (PAPIR, ["Down"], "not Down"),
        (SWEDISH_5, ["down", "final"], "not final"),
        (SWEDISH_6, ["maximum"], "at least one column beside final and maximum"),
        (CLASSIC_5X4, ["down"], "those of classic-5x4 can't be chosen"),
        (BULGARIAN_8, _names(BULGARIAN_8), "those of bulgarian-8 can't be chosen"),
        (PAPIR_SOLO, ["down"], "those of papir-solo can't be chosen"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_is_allowed(
    variant: Variant, names: list[str], sentence: str
) -> None:
    with pytest.raises(InvalidVariant) as refused:
        with_columns(variant, names)
    assert refused.value.field == "columns"
    assert sentence in str(refused.value)


def test_every_set_of_columns_of_papir_makes_a_variant_or_is_refused() -> None:
    made = {}
    for size in range(len(PAPIR_NAMES) + 1):
        for columns in combinations(PAPIR.columns, size):
            names = [column.kind.value for column in columns]
            if makes_a_sheet(columns):
                variant = with_columns(PAPIR, names)
                assert _names(variant) == names
                made[variant.id] = names
            else:
                with pytest.raises(InvalidVariant):
                    with_columns(PAPIR, names)
    # Of the 1024 sets 4 have no column beside final and maximum, and a quarter of the rest lacks the
    # announced column for a notification.
    assert len(made) == 764


def test_the_base_of_a_choice_is_the_variant_it_was_chosen_from() -> None:
    assert base_of(with_columns(PAPIR, ["down", "free"])) is PAPIR
    assert base_of(with_columns(SWEDISH_6, ["down", "hand"])) is SWEDISH_6
    assert base_of(PAPIR_SOLO) is PAPIR
    for variant in PRESETS:
        assert base_of(variant) is (PAPIR if variant is PAPIR_SOLO else variant)


@given(seed=st.integers())
def test_any_variant_has_its_base_or_none_whatever_rows_it_lacks(seed: int) -> None:
    variant = custom_variant(parameters_of(random_variant(Random(seed))))
    base = base_of(variant)
    assert base is None or (base.rows, base.dice) == (variant.rows, variant.dice)


def test_a_variant_without_the_rows_that_a_presets_columns_need_has_no_base() -> None:
    variant = custom_variant({"dice": 5, "rows": [{"row": "ones"}], "columns": [{"column": "down"}]})
    assert base_of(variant) is None
    assert choosable_columns(variant) == ()


@settings(max_examples=10, deadline=None)
@given(names=st.sets(st.sampled_from(SWEDISH_NAMES), min_size=2), seats=st.integers(1, 3), seed=st.integers())
def test_a_game_of_chosen_columns_of_swedish_comes_to_its_end(names: set[str], seats: int, seed: int) -> None:
    variant = with_columns(SWEDISH_5, sorted(names))
    last = list(steps(variant, seats, seed, in_haste))[-1].after
    assert all(
        last.sheets[seat][index] is not None for seat in range(seats) for index in last.layout.playable
    )
