"""The words of the descriptions beside the standard names."""

from pathlib import Path

import pytest

from app.rules.column_choice import with_columns
from app.rules.names import names_of
from app.rules.plain import variant_from_plain, variant_shown, variant_to_plain
from app.rules.presets import BULGARIAN_4, CLASSIC_5X4, PAPIR, PAPIR_SOLO, PRESETS, SWEDISH_5
from app.rules.variant import ColumnKind, Row, Variant
from tests.rules.variants import HAND
from tests.rules.variants import with_columns as toy

WORDS = {
    "classic-5x4 en": "ones:Aces straight:Kent announced:Assign",
    "classic-6x6 en": "yamb:Yamb from_middle:Middle hand:Hand",
    "papir en": "straight:KENTA full:FUL",
    "bulgarian-8 bg": "ones:Единици poker:Каре down:Надолу free:Произволно up:Нагоре announced:Обявено",
    "swedish-5 sv": "ones:Ettor full:Kåk down:Stigande up:Fallande free:Fri announced:Deklaration",
    "swedish-6 sv": "hand:Hand every_other:Hopp from_middle:Mitt maximum:Maximum",
    "my-yahtzee en": "yamb:Yahtzee",
    "croatian hr": "ones:Jedinice straight:Skala full:Ful",
}


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_every_variant_has_names_for_its_special_rows_and_a_title(variant: Variant) -> None:
    names = names_of(variant)
    assert names is not None
    assert names.title
    assert {rule.row for rule in variant.rows[8:]} <= set(names.rows) <= {rule.row for rule in variant.rows}


@pytest.mark.parametrize("key", WORDS)
def test_the_words_are_those_of_the_description(key: str) -> None:
    variant_id, language = key.split()
    names = names_of(next(variant for variant in PRESETS if variant.id == variant_id))
    assert names is not None
    assert names.language == language
    shown = {
        **{str(row): word for row, word in names.rows.items()},
        **{str(kind): word for kind, word in names.columns.items()},
    }
    for pair in WORDS[key].split():
        name, word = pair.split(":")
        assert shown[name] == word


def test_a_choice_of_columns_keeps_the_words_of_its_description() -> None:
    names = names_of(with_columns(SWEDISH_5, ["down", "late_announced"]))
    assert names is not None
    assert names.rows[Row.FULL] == "Kåk"
    assert names.columns[ColumnKind.LATE_ANNOUNCED] == "Sen deklaration"


def test_only_columns_that_a_variant_can_have_are_named() -> None:
    names = names_of(BULGARIAN_4)
    assert names is not None
    assert set(names.columns) == {column.kind for column in BULGARIAN_4.columns}


def test_a_variant_of_no_description_has_no_names() -> None:
    assert names_of(toy(HAND)) is None
    assert variant_shown(toy(HAND))["names"] is None
    assert variant_shown(toy(HAND))["base"] == "test"


def test_what_is_shown_beside_the_parameters_is_not_read() -> None:
    shown = variant_shown(PAPIR_SOLO)
    assert (shown["base"], shown["id"]) == ("papir", "papir-solo")
    assert shown["choosable"] == [column.kind.value for column in PAPIR.columns]
    assert variant_from_plain(shown) == PAPIR_SOLO
    assert set(shown) - set(variant_to_plain(PAPIR_SOLO)) == {
        "code",
        "base",
        "choosable",
        "starts",
        "names",
    }
    assert variant_shown(CLASSIC_5X4)["choosable"] == []


def test_the_words_of_every_description_are_on_the_rules_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    table = page.split("| game | its words |")[1].split("\n\n")[0]
    told = {line.split(" | ")[0].strip("| ").split("-")[0]: line for line in table.splitlines()[2:]}
    assert set(told) == {variant.id.split("-")[0] for variant in PRESETS}
    for key, pairs in WORDS.items():
        for pair in pairs.split():
            assert pair.split(":")[1] in told[key.split("-")[0].split()[0]]
