"""Custom variants from plain parameters: what is refused, by the path of the field; ids and codes."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.column_choice import with_columns
from app.rules.custom import custom_variant, parameters_of
from app.rules.plain import variant_shown
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS, named
from app.rules.share_code import is_content_id, read_share_code, share_code
from app.rules.variant import InvalidVariant, Middle, Variant, content_id
from tests.rules.variants import variants

FOR_THE_CLIENT = Path(__file__).parent.parent / "web" / "presets.json"
STRAIGHT = {"row": "straight", "straight": {"small": 45, "large": 50}}
FULL = {"row": "full", "bonus": 40}
PLAIN: dict[str, Any] = {
    "dice": 5,
    "rows": [
        *({"row": row} for row in ("ones", "twos", "threes", "fours", "fives", "sixes", "max", "min")),
        STRAIGHT,
        FULL,
    ],
    "columns": [{"column": "down"}, {"column": "announced"}, {"column": "final"}],
}


def changed(**changes: Any) -> dict[str, Any]:
    return PLAIN | changes


def rows(*lower: Any) -> dict[str, Any]:
    return changed(rows=[*PLAIN["rows"][:8], *lower])


def columns(*wanted: Any) -> dict[str, Any]:
    return changed(columns=list(wanted))


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in PLAIN.items() if key != name}


def by_roll(values: Any, **others: Any) -> dict[str, Any]:
    return rows({"row": "straight", "straight": {"by_roll": values, **others}})


DOWN = {"column": "down"}
DEEP: Any = json.loads("[" * 400 + "]" * 400)

REFUSED: tuple[tuple[str, Any], ...] = (
    ("body", None),
    ("body", [PLAIN]),
    ("body", "papir"),
    ("body", float("nan")),
    ("dice", without("dice")),
    ("rows", without("rows")),
    ("columns", without("columns")),
    ("dice", changed(dice=4)),
    ("dice", changed(dice="5")),
    ("dice", changed(dice=None)),
    ("dice", changed(dice=True)),
    ("dice", changed(dice=5.0)),
    ("dice", changed(dice=float("nan"))),
    ("dice", changed(dice=float("inf"))),
    ("dice", changed(dice=2**63)),
    ("colour", changed(colour="red")),
    ("id", changed(id="papir")),
    ("?", changed(**{"x" * 5000: 1})),
    ("?", changed(**{"\ud800": 1})),
    ("rows", changed(rows=[])),
    ("rows", changed(rows={})),
    ("rows", changed(rows="ones")),
    ("rows", changed(rows=[{"row": "ones"}] * 500)),
    ("rows", changed(rows=PLAIN["rows"][:7])),
    ("rows", rows(FULL, FULL)),
    ("rows", rows({"row": "ones"})),
    ("rows[0]", changed(rows=["ones"])),
    ("rows[0]", changed(rows=[DEEP])),
    ("rows[8].row", rows({"row": "chance"})),
    ("rows[8].row", rows({"row": None})),
    ("rows[8].row", rows({"row": ["full"]})),
    ("rows[8].row", rows({"bonus": 1})),
    ("rows[8].colour", rows({"row": "full", "colour": 1})),
    ("rows[8].section", rows({"row": "full", "section": "lower"})),
    ("rows[8].bonus", rows({"row": "full", "bonus": 2**63})),
    ("rows[8].bonus", rows({"row": "full", "bonus": -1})),
    ("rows[8].bonus", rows({"row": "full", "bonus": 1001})),
    ("rows[8].bonus", rows({"row": "full", "bonus": 1e3})),
    ("rows[8].bonus", rows({"row": "full", "bonus": False})),
    ("rows[9].bonus", rows(FULL, STRAIGHT | {"bonus": 5})),
    ("rows[7].bonus", changed(rows=[*PLAIN["rows"][:7], {"row": "min", "bonus": 5}])),
    ("rows[8].counted", rows({"row": "full", "counted": "all"})),
    ("rows[8].counted", rows({"row": "poker", "counted": "some"})),
    ("rows[8].straight", rows({"row": "straight"})),
    ("rows[8].straight", rows({"row": "straight", "straight": 45})),
    ("rows[8].straight", rows(FULL | {"straight": {"small": 1, "large": 2}})),
    ("rows[8].straight", rows({"row": "straight", "straight": {"small": 50, "large": 45}})),
    ("rows[8].straight", rows({"row": "straight", "straight": {"small": 0, "large": 45}})),
    ("rows[8].straight.large", rows({"row": "straight", "straight": {"small": 50}})),
    (
        "rows[8].straight.shortest",
        rows({"row": "straight", "straight": {"small": 1, "large": 2, "shortest": 4}}),
    ),
    ("rows[8].straight", by_roll([66, 56, 0])),
    ("rows[8].straight.small", by_roll([66, 56, 46], small=3)),
    ("rows[8].straight.by_roll", by_roll([66, 56])),
    ("rows[8].straight.by_roll", by_roll([66, 56, 46, 36])),
    ("rows[8].straight.by_roll", by_roll([1] * 500)),
    ("rows[8].straight.by_roll[1]", by_roll([66, "56", 46])),
    ("rows[8].straight.shortest", by_roll([66, 56, 46], shortest=3)),
    ("columns", columns()),
    ("columns", columns(*[DOWN] * 500)),
    ("columns", columns(DOWN, DOWN)),
    ("columns", columns({"column": "final"})),
    ("columns", columns({"column": "maximum"}, {"column": "final"})),
    ("columns", columns(DOWN, {"column": "notification"})),
    ("columns[1]", columns(DOWN, None)),
    ("columns[1].column", columns(DOWN, {"column": "sideways"})),
    ("columns[1].column", columns(DOWN, {})),
    ("columns[1].playable", columns(DOWN, {"column": "up", "playable": True})),
    ("columns[1].split", columns(DOWN, {"column": "from_middle"})),
    ("columns[1].split", columns(DOWN, {"column": "from_middle", "split": "min"})),
    ("columns[1].split", columns(DOWN, {"column": "from_middle", "split": 7})),
    ("columns[1].split", columns(DOWN, {"column": "up", "split": "max"})),
    ("columns[0].split", changed(rows=[{"row": "ones"}], columns=[{"column": "ends_in"}])),
    ("columns[1].window", columns(DOWN, {"column": "late_announced"})),
    ("columns[1].window", columns(DOWN, {"column": "late_announced", "window": [3]})),
    ("columns[1].window", columns(DOWN, {"column": "late_announced", "window": [2, 1]})),
    ("columns[1].window", columns(DOWN, {"column": "announced", "window": []})),
    ("columns[1].window", columns(DOWN, {"column": "announced", "window": 1})),
    ("columns[1].window[0]", columns(DOWN, {"column": "announced", "window": [True]})),
    ("columns[0].reach", columns(DOWN | {"reach": "all"})),
    ("columns[0].reach", columns(DOWN | {"reach": "everybody"})),
    ("columns[0].duty", columns(DOWN | {"duty": 1})),
    ("bonus_steps", changed(bonus_steps=None)),
    ("bonus_steps", changed(bonus_steps=[{"at_least": 60, "award": 30}] * 500)),
    ("bonus_steps", changed(bonus_steps=[{"at_least": 71, "award": 30}, {"at_least": 61, "award": 40}])),
    ("bonus_steps", changed(bonus_steps=[{"at_least": 61, "award": 40}, {"at_least": 71, "award": 30}])),
    ("bonus_steps", changed(bonus_steps=[{"at_least": 0, "award": 30}])),
    ("bonus_steps", changed(bonus_steps=[{"at_least": 60, "award": 1001}])),
    ("bonus_steps[0].award", changed(bonus_steps=[{"at_least": 60, "award": 2**63}])),
    ("bonus_steps[0].award", changed(bonus_steps=[{"at_least": 60}])),
    ("bonus_steps[0].at", changed(bonus_steps=[{"at_least": 60, "award": 1, "at": 1}])),
    ("middle", changed(middle="difference")),
    ("middle.formula", changed(middle={"formula": "sum"})),
    ("middle.formula", changed(rows=[{"row": "max"}, {"row": "min"}])),
    ("middle.floor", changed(middle={"floor": 0})),
    ("middle.roof", changed(middle={"roof": True})),
    ("max_hold", changed(max_hold=6)),
    ("max_hold", changed(max_hold=-1)),
    ("max_hold", changed(max_hold="5")),
    ("auto_fill", changed(auto_fill=1)),
    ("auto_fill", changed(auto_fill=None)),
    ("last_cell_rolls", changed(last_cell_rolls=4)),
    ("last_cell_rolls", changed(last_cell_rolls=10**30)),
)


@pytest.mark.parametrize(("field", "plain"), REFUSED, ids=[f"{i}-{one[0]}" for i, one in enumerate(REFUSED)])
def test_parameters_that_make_no_variant_are_refused_by_the_path_of_the_field(field: str, plain: Any) -> None:
    with pytest.raises(InvalidVariant) as refused:
        custom_variant(plain)
    assert refused.value.field == field
    assert refused.value.sentence
    # Whatever was given, the error can be written down, and is short.
    assert len(str(refused.value).encode()) < 400


def test_what_may_be_left_out_has_its_usual_value() -> None:
    variant = custom_variant(PLAIN)
    assert variant == custom_variant(parameters_of(variant))
    assert (variant.bonus_steps, variant.middle, variant.middle_floor) == ((), Middle.TIMES_ONES, False)
    assert (variant.max_hold, variant.auto_fill, variant.last_cell_rolls) == (5, False, 3)
    assert variant.columns[1].window == (1,)
    assert variant.turns == 30


@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.id)
def test_the_parameters_of_a_preset_are_that_preset(preset: Variant) -> None:
    assert custom_variant(parameters_of(preset)) is preset


def test_chosen_columns_and_the_same_columns_by_parameters_are_one_variant() -> None:
    chosen = with_columns(PAPIR, ["down", "up", "final"])
    assert custom_variant(parameters_of(chosen)) == chosen


def test_the_presets_of_the_tests_of_the_client_are_those_that_the_server_tells() -> None:
    kept = json.loads(FOR_THE_CLIENT.read_text())
    assert kept == [variant_shown(preset) for preset in PRESETS]


@given(variant=variants())
def test_any_variant_comes_back_from_its_parameters_under_the_id_of_its_content(variant: Variant) -> None:
    plain = json.loads(json.dumps(parameters_of(variant)))
    assert custom_variant(plain) == named(variant)


@given(variant=variants(), chance=st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_no_id(variant: Variant, chance: random.Random) -> None:
    assert custom_variant(shuffled(parameters_of(variant), chance)).id == content_id(variant)


def shuffled(value: Any, chance: random.Random) -> Any:
    """The same value, its objects with their keys in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance) for key in keys}
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


@given(variant=variants())
def test_what_a_variant_tells_apart_its_id_tells_apart(variant: Variant) -> None:
    other = replace(variant, last_cell_rolls=8 - variant.last_cell_rolls)
    backward = replace(variant, columns=variant.columns[::-1])
    assert named(other).id != named(variant).id
    assert (named(backward).id == named(variant).id) == (len(variant.columns) == 1)


@given(variant=variants())
def test_a_code_is_read_however_it_is_typed(variant: Variant) -> None:
    code = share_code(named(variant))
    assert code is not None
    assert len(code) == 11
    assert not set(code) & set("OILU")
    looks_like = code.lower().replace("0", "o").replace("1", "l")
    for typed in (code, code.lower(), code.replace("-", ""), f" {code} ", looks_like):
        assert read_share_code(typed) == code


def test_a_code_is_made_from_the_first_fifty_bits_of_the_id() -> None:
    variant = replace(CLASSIC_5X4, id="x-ffffffffffffc000")
    assert share_code(variant) == "ZZZZZ-ZZZZZ"
    assert share_code(replace(variant, id="x-0000000000004001")) == "00000-00001"


def test_a_preset_has_no_code() -> None:
    assert [share_code(preset) for preset in PRESETS] == [None] * len(PRESETS)
    assert not any(is_content_id(preset.id) for preset in PRESETS)


@pytest.mark.parametrize(
    "typed", ["", "7KQ2M", "7KQ2M-4XD9", "7KQ2M-4XD9TT", "7KQ2M-4XD9U", "papir", "ß" * 10, "x" * 9999]
)
def test_what_is_no_code_is_read_as_none(typed: str) -> None:
    assert read_share_code(typed) is None
