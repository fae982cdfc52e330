"""scored_rolls.txt: what single rolls are worth, one fact a line, each from the words of a description."""

from pathlib import Path
from typing import NamedTuple

import pytest

from app.rules.layout import layout_of
from app.rules.presets import PRESET_BY_ID, PRESETS
from app.rules.scoring import score
from app.rules.variant import Row


class Fact(NamedTuple):
    """A line of the table."""

    variant: str
    row: str
    roll: str
    dice: str
    score: str
    source: str


LINES = (Path(__file__).parent / "scored_rolls.txt").read_text(encoding="utf-8").splitlines()
FACTS = [
    Fact(*(cell.strip() for cell in line.split(" | ", maxsplit=5)))
    for line in LINES
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(
    "fact", FACTS, ids=lambda fact: f"{fact.variant} {fact.row} {fact.roll} {fact.dice}".replace(" ", "-")
)
def test_a_roll_is_worth_what_its_description_says(fact: Fact) -> None:
    variant = PRESET_BY_ID[fact.variant]
    dice = tuple(map(int, fact.dice.split()))
    assert len(dice) == variant.dice
    assert score(variant, Row(fact.row), dice, int(fact.roll)) == int(fact.score)
    layout = layout_of(variant)
    assert layout.scores(dice, int(fact.roll))[layout.rows.index(Row(fact.row))] == int(fact.score)


def test_every_row_of_every_variant_is_in_the_table() -> None:
    assert {(fact.variant, fact.row) for fact in FACTS} == {
        (variant.id, rule.row) for variant in PRESETS for rule in variant.rows
    }


def test_the_table_is_large_and_no_fact_stands_twice() -> None:
    asked = [fact[:4] for fact in FACTS]
    assert len(set(asked)) == len(asked) >= 150


def test_every_row_that_can_fail_has_a_roll_that_fails_it() -> None:
    failed = {fact.row for fact in FACTS if fact.score == "0"}
    assert failed == set(Row) - {Row.MAX, Row.MIN}
