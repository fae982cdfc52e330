"""A turn that is spent on one row: its scores, what they usually come to, and how to roll for them."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from app.bots.holds import holds_of
from app.rules.dice import distinct_rolls
from app.rules.scoring import counted_faces, points
from app.rules.variant import ROLLS, Row, RowRule


@dataclass(frozen=True, slots=True)
class RowScores:
    """`scores`: every score that a row can have, rising.

    `places_by_roll`: for the rolls 1 to 3 of a turn, the place among them of what each distinct roll gives.
    """

    scores: tuple[int, ...]
    places_by_roll: tuple[tuple[int, ...], ...]

    def spread(self, values: Sequence[float], roll: int) -> list[float]:
        """From a value for each score the value of each distinct roll after roll `roll` (1 and up)."""
        return [values[place] for place in self.places_by_roll[min(roll, ROLLS) - 1]]


@lru_cache(maxsize=512)
def row_scores(rule: RowRule, dice: int) -> RowScores:
    """The scores of a row with so many dice."""
    faces = [counted_faces(rule, roll) for roll in distinct_rolls(dice)]
    by_roll = [[points(rule, counted, roll) for counted in faces] for roll in range(1, ROLLS + 1)]
    scores = tuple(sorted({score for of_roll in by_roll for score in of_roll}))
    place = {score: at for at, score in enumerate(scores)}
    return RowScores(scores, tuple(tuple(place[score] for score in of_roll) for of_roll in by_roll))


class RowTurn(NamedTuple):
    """A turn of so many rolls that can fill a cell of one row alone, after any of them."""

    rule: RowRule
    dice: int
    max_hold: int
    rolls: int


@lru_cache(maxsize=512)
def onward(turn: RowTurn, values: tuple[float, ...]) -> tuple["array[float]", ...]:
    """What rolling on is worth for each distinct roll, after each roll of the turn but the last.

    `values`: what each score of the row is worth. Takes some milliseconds, and up to 15 KB to keep.
    """
    holds, scores = holds_of(turn.dice), row_scores(turn.rule, turn.dice)
    found: list[array[float]] = []
    reached = scores.spread(values, turn.rolls)
    for roll in range(turn.rolls - 1, 0, -1):
        means = holds.means(reached)
        found.append(array("d", [means[hold] for hold in holds.best(means, turn.max_hold)]))
        reached = list(map(max, scores.spread(values, roll), found[-1]))
    return tuple(reversed(found))


class Usual(NamedTuple):
    """Mean and standard deviation of a score."""

    mean: float
    deviation: float


@lru_cache(maxsize=1024)
def usual(turn: RowTurn) -> Usual:
    """What the turn comes to if it aims at the most on average, in min at the least."""
    holds, scores = holds_of(turn.dice), row_scores(turn.rule, turn.dice)
    sign = -1 if turn.rule.row is Row.MIN else 1
    values = [float(sign * score) for score in scores.scores]
    squares = [value * value for value in values]
    reached, squared = scores.spread(values, turn.rolls), scores.spread(squares, turn.rolls)
    for roll in range(turn.rolls - 1, 0, -1):
        means, mean_squares = holds.means(reached), holds.means(squared)
        now, now_squared = scores.spread(values, roll), scores.spread(squares, roll)
        for place, hold in enumerate(holds.best(means, turn.max_hold)):
            is_better = means[hold] > now[place]
            reached[place] = means[hold] if is_better else now[place]
            squared[place] = mean_squares[hold] if is_better else now_squared[place]
    mean, square = holds.means(reached)[0], holds.means(squared)[0]
    return Usual(sign * mean, sqrt(max(square - mean * mean, 0.0)))
