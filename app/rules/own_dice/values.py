"""The values that a row can have, from the variant's parameters: nothing here is typed in."""

from functools import lru_cache

from app.rules.dice import Dice
from app.rules.layout import Layout
from app.rules.variant import ROLLS, Row

Values = tuple[int, ...]
"""Whole numbers, rising."""


@lru_cache(maxsize=64)
def values_by_row(layout: Layout) -> dict[Row, Values]:
    """What each row can have: every score that any dice give in it after any roll."""
    columns = zip(
        *(scores for by_roll in layout.table.scores_by_roll for scores in by_roll.values()), strict=True
    )
    return {row: tuple(sorted(set(scores))) for row, scores in zip(layout.rows, columns, strict=True)}


def values_of_dice(layout: Layout, dice: Dice) -> dict[Row, Values]:
    """What these dice give in each row: one value, or those of a straight whose roll isn't known.

    `dice`: as many faces from 1 to 6 as the variant has dice, in any order. Raises ValueError for others.
    """
    if len(dice) != layout.variant.dice or not all(1 <= face <= 6 for face in dice):
        raise ValueError(f"{layout.variant.dice} faces from 1 to 6 are expected")
    columns = zip(*(layout.scores(dice, roll) for roll in range(1, ROLLS + 1)), strict=True)
    return {row: tuple(sorted(set(scores))) for row, scores in zip(layout.rows, columns, strict=True)}
