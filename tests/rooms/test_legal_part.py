"""What a turn tells of legality is what the rules say of every single cell."""

import random
from collections.abc import Iterable
from typing import Any

import orjson
import pytest

from app.rooms.legal_part import legal_part
from app.rules.actions import Announce, Fill, Reason
from app.rules.layout import ColumnLayout
from app.rules.legality import legal_scores, next_rows, refusal, roll_refusal, undo_refusal
from app.rules.plain import Plain
from app.rules.presets import PRESETS
from app.rules.state import Game, Undoing
from app.rules.variant import Variant
from tests.rules.games import any_kind, steps

_ONE_OF = 12  # positions: each asks for every cell of the sheet


def asked_cell_by_cell(game: Game) -> Plain:
    """The same part, from one question to the rules for every cell."""
    is_rolled = game.roll > 0
    scores = by_row(game, game.layout.scores(game.dice, game.roll) if is_rolled else ())
    opened: dict[str, list[str]] = {}
    for cell, score in legal_scores(game).items():
        assert refusal(game, Fill(cell)) is None
        assert scores[cell.row.value] == score
        opened.setdefault(cell.column.value, []).append(cell.row.value)
    announce: dict[str, list[str]] = {}
    for cell in game.layout.cells:
        if refusal(game, Announce(cell)) is None:
            announce.setdefault(cell.column.value, []).append(cell.row.value)
    reason = roll_refusal(game)
    return {
        "roll": {
            "legal": reason is None,
            "max_hold": game.variant.max_hold if game.roll else 0,
            "reason": reason,
        },
        "announce": announce,
        "open": opened,
        "scores": scores,
        "counted": by_row(game, map(list, game.layout.counted_faces(game.dice)) if is_rolled else ()),
        "closed": closed_cell_by_cell(game),
        "undo": undo_refusal(game) is None,
    }


def by_row(game: Game, values: Iterable[Any]) -> Plain:
    """By the names of the rows; a row for which there is nothing is left out."""
    return {row.value: value for row, value in zip(game.layout.rows, values, strict=False) if value != []}


def closed_cell_by_cell(game: Game) -> Plain:
    """The closed columns. Where reasons differ, a cell that waits for its roll is one the turn is tied to."""
    closed: Plain = {}
    for column in game.layout.columns:
        reasons = reasons_of_empty_cells(game, column)
        if reasons:
            reason = Reason.ROLL_FIRST if Reason.ROLL_FIRST in reasons else reasons[0]
            rows = [row.value for row in next_rows(game, column)]
            closed[column.column.kind.value] = {"reason": reason, "rows": rows}
    return closed


def reasons_of_empty_cells(game: Game, column: ColumnLayout) -> list[Reason]:
    """Why the column's empty cells can't be filled, as far as they can't."""
    cells = [game.layout.cells[index] for index in column.cells if game.sheet[index] is None]
    return [reason for cell in cells if (reason := refusal(game, Fill(cell))) is not None]


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_the_part_says_what_the_rules_say_of_every_cell(variant: Variant) -> None:
    rng = random.Random(variant.id)
    looked_at = 0
    for step in steps(variant, rng.choice([1, 2, 3]), rng.randrange(1000), any_kind, undo=Undoing.ENTRY):
        if rng.randrange(_ONE_OF) == 0:
            assert orjson.loads(orjson.dumps(legal_part(step.before))) == asked_cell_by_cell(step.before)
            looked_at += 1
    assert looked_at > 5
