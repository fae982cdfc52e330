"""The part of a turn that tells what is legal. Pure. Made after every action, so it looks at a cell once."""

from functools import lru_cache

from app.rules.actions import Reason
from app.rules.dice import Dice
from app.rules.layout import CellIndex, Layout
from app.rules.legality import (
    announceable_cells,
    closed_reasons,
    legal_by_column,
    roll_refusal,
    undo_refusal,
)
from app.rules.plain import Plain
from app.rules.sheet import next_cells_by_column
from app.rules.state import Game
from app.rules.variant import TEXTS

LegalByColumn = tuple[tuple[CellIndex, ...], ...]


def legal_part(game: Game) -> Plain:
    """The legal actions, with the score of every legal cell, and why other empty cells are closed."""
    legal = legal_by_column(game)
    fill = _fill(game, legal)
    return {
        "roll": _roll(game),
        "announce": _announce(game),
        "fill": fill,
        "counts": _counts(game, fill) if fill else {},
        "closed": _closed(game, legal),
        "undo": undo_refusal(game) is None,
    }


def _roll(game: Game) -> Plain:
    reason = roll_refusal(game)
    return {
        "legal": reason is None,
        "max_hold": game.variant.max_hold if game.roll else 0,
        "reason": reason.value if reason else None,
    }


def _announce(game: Game) -> dict[str, list[str]]:
    announce: dict[str, list[str]] = {}
    for column, row in [game.layout.cells[index] for index in announceable_cells(game)]:
        announce.setdefault(TEXTS[column], []).append(TEXTS[row])
    return announce


def _fill(game: Game, legal: LegalByColumn) -> dict[str, dict[str, int]]:
    """The score of every legal cell, by column and row."""
    layout = game.layout
    if game.roll == 0:
        return {}
    scores, places, texts = layout.scores(game.dice, game.roll), layout.places, layout.row_texts
    return {
        column.text: {texts[places[index]]: scores[places[index]] for index in cells}
        for column, cells in zip(layout.columns, legal, strict=True)
        if cells
    }


def _counts(game: Game, fill: dict[str, dict[str, int]]) -> dict[str, list[int]]:
    """The dice positions that count in each row with a legal cell, in sheet order."""
    layout = game.layout
    rows = set().union(*fill.values())
    positions_by_face: list[list[int]] = [[] for _ in range(7)]
    for position, face in enumerate(game.dice):
        positions_by_face[face].append(position)
    # Many rows count the same dice: all of them, or none.
    known: dict[Dice, list[int]] = {}
    counts = {}
    for row, faces in zip(layout.row_texts, layout.counted_faces(game.dice), strict=True):
        if row in rows:
            if faces not in known:
                known[faces] = _positions(faces, positions_by_face)
            counts[row] = known[faces]
    return counts


def _positions(faces: Dice, positions_by_face: list[list[int]]) -> list[int]:
    """The first positions that show these faces, rising."""
    positions: list[int] = []
    for face in set(faces):
        positions += positions_by_face[face][: faces.count(face)]
    positions.sort()
    return positions


def _closed(game: Game, legal: LegalByColumn) -> Plain:
    nexts = next_cells_by_column(game.layout.columns, game.sheet)
    return {
        column.text: _closed_column(game.layout, nexts[column.place] if column.is_ordered else (), reason)
        for column, reason in closed_reasons(game, legal)
    }


@lru_cache(maxsize=4096)
def _closed_column(layout: Layout, first: tuple[CellIndex, ...], reason: Reason) -> Plain:
    """Why a column is closed, and which of its cells come first. There are few such parts: they are kept.

    Whoever gets one must not change it.
    """
    return {"reason": reason.value, "rows": [layout.row_texts[layout.places[index]] for index in first]}
