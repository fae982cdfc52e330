"""The part of a turn that tells what is legal. Pure. Made after every action, so it looks at a cell once."""

from collections import Counter
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

_BITS = (1, 2, 4, 8, 16, 32)
"""A bit for each die position: of no more than six."""

_POSITIONS = [[position for position, bit in enumerate(_BITS) if bits & bit] for bits in range(64)]
"""The positions of each set of bits. Not to be changed."""

Group = tuple[tuple[int, int], ...]
"""Faces, and how many dice of each."""


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
    # By face and number of dice: a bit for each of the first positions that show it.
    firsts = [[0] for _ in range(7)]
    for bit, face in zip(_BITS, game.dice, strict=False):
        firsts[face].append(firsts[face][-1] | bit)
    groups, group_by_row = _groups(layout, tuple(sorted(game.dice)))
    positions = [_POSITIONS[sum([firsts[face][count] for face, count in group])] for group in groups]
    by_row = zip(layout.row_texts, group_by_row, strict=True)
    return {row: positions[group] for row, group in by_row if row in rows}


@lru_cache(maxsize=8192)
def _groups(layout: Layout, dice: Dice) -> tuple[tuple[Group, ...], tuple[int, ...]]:
    """The groups of dice that count in some row, and for each row which of them: many count the same."""
    counted = layout.counted_faces(dice)
    groups = tuple(dict.fromkeys(counted))
    return tuple(tuple(Counter(group).items()) for group in groups), tuple(map(groups.index, counted))


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
