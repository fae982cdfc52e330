"""docs/rules.md: what it says in numbers is what the rules give."""

from pathlib import Path

import pytest

from app.rules.fairness import RollName, commitment_of, draw, game_key
from app.rules.ideal import attainable, perfect
from app.rules.layout import layout_of
from app.rules.own_dice.values import values_by_row
from app.rules.presets import PRESET_BY_ID, PRESETS
from app.rules.scoring import score
from app.rules.sheet import column_sums
from app.rules.variant import ColumnKind, Row, without_column
from tests.rules.positions import position

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def _tables() -> list[list[dict[str, str]]]:
    """Every table of the page, its rows by their headings."""
    blocks = [block.splitlines() for block in PAGE.split("\n\n") if block.lstrip().startswith("|")]
    tables = []
    for block in blocks:
        head, _, *body = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in block]
        tables.append([dict(zip(head, cells, strict=True)) for cells in body])
    return tables


def _rows_of_tables_with(heading: str) -> list[dict[str, str]]:
    return [row for table in _tables() if heading in table[0] for row in table]


SCORED = [row for row in _rows_of_tables_with("roll") if "dice" in row]
SUMMED = _rows_of_tables_with("upper")
VALUES = _rows_of_tables_with("values")
WITHIN_REACH = _rows_of_tables_with("attainable in lower")
SECTIONS = {line.lstrip("# ") for line in PAGE.splitlines() if line.startswith("#")}


@pytest.mark.parametrize("example", SCORED, ids=lambda row: f"{row['variant']} {row['row']} {row['dice']}")
def test_a_scored_example_is_true(example: dict[str, str]) -> None:
    dice = tuple(map(int, example["dice"].split()))
    variant = PRESET_BY_ID[example["variant"]]
    assert len(dice) == variant.dice
    assert score(variant, Row(example["row"].replace(" ", "_")), dice, int(example["roll"])) == int(
        example["score"]
    )


@pytest.mark.parametrize("example", VALUES, ids=lambda row: f"{row['variant']} {row['row']}")
def test_the_values_of_a_row_with_own_dice_are_true(example: dict[str, str]) -> None:
    spans = [span.partition("-") for span in example["values"].split()]
    listed = [value for first, _, last in spans for value in range(int(first), int(last or first) + 1)]
    values = values_by_row(layout_of(PRESET_BY_ID[example["variant"]]))
    assert list(values[Row(example["row"].replace(" ", "_"))]) == listed


@pytest.mark.parametrize("number", range(len(SUMMED)))
def test_an_example_of_the_sums_of_a_column_is_true(number: int) -> None:
    example = SUMMED[number]
    variant = PRESET_BY_ID[example["variant"]]
    words = example["cells of a column"].split()
    scores = {Row(row): int(points) for row, points in zip(words[::2], words[1::2], strict=True)}
    sums = column_sums(layout_of(variant), tuple(scores.get(row) for row in layout_of(variant).rows))
    middle = "-" if sums.middle is None else str(sums.middle)
    assert [str(sums.upper), str(sums.bonus), middle, str(sums.lower)] == [
        example[part] for part in ("upper", "bonus", "middle", "lower")
    ]


@pytest.mark.parametrize(
    "example", WITHIN_REACH, ids=lambda row: f"{row['open cell']} {row['rolls made']} {row['dice']}"
)
def test_an_example_of_what_is_attainable_is_true(example: dict[str, str]) -> None:
    variant = without_column(PRESET_BY_ID[example["variant"]], ColumnKind.MAXIMUM)
    dice = () if example["dice"] == "-" else tuple(map(int, example["dice"].split()))
    game = position(variant, [example["open cell"]], dice=dice, roll=int(example["rolls made"]))
    assert attainable(game, 0).lower == int(example["attainable in lower"])


def test_the_perfect_games_of_the_page_are_right() -> None:
    for variant in (PRESET_BY_ID[name] for name in ("classic-5x4", "papir", "papir-solo")):
        assert f"{perfect(layout_of(variant)).total} for `{variant.id}`" in PAGE


def test_there_are_examples_of_every_game_and_of_every_row() -> None:
    assert {row["variant"].split("-")[0] for row in SCORED} == {
        variant.id.split("-")[0] for variant in PRESETS
    }
    assert {row["row"].replace(" ", "_") for row in SCORED} >= {
        rule.row.value for variant in PRESETS for rule in variant.rows
    } - {"twos", "fours", "fives"}
    assert len(SUMMED) >= 8


def test_the_variants_of_the_page_are_those_that_can_be_played() -> None:
    shown = {row["id"]: row for row in _rows_of_tables_with("turns")}
    assert set(shown) == set(PRESET_BY_ID)
    for variant in PRESETS:
        row = shown[variant.id]
        assert (int(row["dice"]), int(row["turns"])) == (variant.dice, variant.turns)
        steps = ", ".join(f"{step.award} from {step.at_least}" for step in variant.bonus_steps)
        assert row["upper bonus"] == (steps or "none")


def test_every_row_and_column_is_on_the_page() -> None:
    rows = ", ".join(row["row"] for row in _rows_of_tables_with("satisfied by")).split(", ")
    columns = [row["column"] for row in _rows_of_tables_with("gate")]
    assert rows == [row.value.replace("_", " ") for row in Row]
    assert columns == [kind.value.replace("_", " ") for kind in ColumnKind]


def test_the_example_of_the_dice_is_true() -> None:
    secret = bytes(range(32))
    key = game_key(secret, ["seven blue herons", "", "чаша 🎲"], "g7d1")
    assert f"commitment  {commitment_of(secret)}\n" in PAGE
    assert f"game key    {key.hex()}\n" in PAGE
    for roll in (1, 2, 3):
        faces = " ".join(map(str, draw(key, RollName(0, 1, roll), 6)))
        assert f"0:1:{roll}       {faces}\n" in PAGE


@pytest.mark.parametrize(
    "module",
    sorted((ROOT / "app" / "rules").rglob("*.py")),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_the_sections_that_the_code_names_are_on_the_page(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    for mention in source.split("docs/rules.md, ")[1:]:
        named = mention.split(".")[0].split(")")[0].split("\n")[0]
        assert set(named.split(", ")) <= SECTIONS
