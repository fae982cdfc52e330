"""Trees of whole games, counted: every action of every decision, every distinct roll of every chance.

Nodes from which the same can follow are walked once and counted as often as they stand in the tree: it
doesn't matter in which order dice lie, nor which faces they had that are rolled again.
"""

from collections import Counter
from itertools import combinations_with_replacement
from typing import NamedTuple

from app.rules.actions import Roll
from app.rules.dice import FACES
from app.rules.game import apply
from app.rules.legality import is_over, legal_actions
from app.rules.state import Game
from tests.values import replace


class Count(NamedTuple):
    """Nodes at one depth of a tree."""

    decisions: int
    chances: int
    ends: int


class Chance(NamedTuple):
    """A roll about to fall; the held dice are the first ones."""

    game: Game
    roll: Roll


Node = Game | Chance


def walk(game: Game, depth: int) -> list[Count]:
    """The nodes at each depth, from 0 to `depth` or to the end of the tree.

    An action is a step, and so is what falls.
    """
    counts: list[Count] = []
    level: Counter[Node] = Counter([game])
    while level and len(counts) <= depth:
        counts.append(_count(level))
        following: Counter[Node] = Counter()
        for node, times in level.items():
            for child in _fall(node) if isinstance(node, Chance) else _decide(node):
                following[child] += times
        level = following
    return counts


def _count(level: Counter[Node]) -> Count:
    chances = sum(times for node, times in level.items() if isinstance(node, Chance))
    ends = sum(times for node, times in level.items() if isinstance(node, Game) and is_over(node))
    return Count(level.total() - chances - ends, chances, ends)


def _decide(game: Game) -> list[Node]:
    return [
        _chance(game, action) if isinstance(action, Roll) else _sorted(apply(game, action)[0])
        for action in legal_actions(game)
    ]


def _chance(game: Game, roll: Roll) -> Chance:
    held = tuple(sorted(game.dice[position] for position in roll.hold))
    dice = held + (FACES[0],) * (len(game.dice) - len(held))
    return Chance(replace(game, dice=dice), Roll(tuple(range(len(held)))))


def _fall(chance: Chance) -> list[Node]:
    held = len(chance.roll.hold)
    rolls = combinations_with_replacement(FACES, chance.game.variant.dice - held)
    return [_sorted(apply(chance.game, chance.roll, (FACES[0],) * held + roll)[0]) for roll in rolls]


def _sorted(game: Game) -> Game:
    return replace(game, dice=tuple(sorted(game.dice)), held=())
