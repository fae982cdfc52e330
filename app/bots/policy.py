"""A bot that plays the best expected value of the present turn. Stated in docs/bots.md.

It weighs every way to go on from the dice on the table: each legal entry, each announcement, and each way to
hold, over all rolls that are left in the turn. Deterministic: one position, one action.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from msgspec.structs import replace

from app.bots.holds import Holds, holds_of
from app.bots.one_row import RowTurn, onward, row_scores
from app.bots.worth import Prospect, prospect_of
from app.rules.actions import Action, Roll
from app.rules.dice import positions_of
from app.rules.layout import CellIndex
from app.rules.legality import announceable_cells, is_over, legal_cells, rolls_allowed
from app.rules.state import Game

_CLOSE = 1e-9
"""Values that differ by no more are equal: sums of fractions are not exact."""


class Option(NamedTuple):
    """An action and what it is worth."""

    worth: float
    action: Action


def choose(game: Game) -> Action:
    """The action that the seat to move takes: always legal, never an undo.

    Raises ValueError for a game that is over.
    """
    if is_over(game):
        raise ValueError("the game is over: nothing is left to choose")
    if game.roll == 0:
        return Roll()
    best, *others = _options(_Turn(game, prospect_of(game.layout, game.sheet)))
    for option in others:
        if option.worth > best.worth + _CLOSE:
            best = option
    return best.action


@dataclass(frozen=True, slots=True)
class _Turn:
    """The turn under way. `worths`: what was found of its cells, for each score of their rows."""

    game: Game
    prospect: Prospect
    worths: dict[CellIndex, tuple[float, ...]] = field(default_factory=dict)

    @property
    def holds(self) -> Holds:
        return holds_of(self.game.variant.dice)

    def worths_of(self, index: CellIndex) -> tuple[float, ...]:
        found = self.worths.get(index)
        if found is None:
            found = self.worths[index] = self.prospect.worths(index)
        return found


def _options(turn: _Turn) -> Iterator[Option]:
    """What can be done now: of equal worth, an entry is better than an announcement, and that than a roll."""
    game = turn.game
    place = turn.holds.place_of_roll(game.dice)
    for index in legal_cells(game):
        rows = row_scores(game.variant.rows[game.layout.places[index]], game.variant.dice)
        yield Option(rows.spread(turn.worths_of(index), game.roll)[place], game.layout.fills[index])
    for index in announceable_cells(game):
        yield Option(_announced(turn, index, game.roll)[place], game.layout.announces[index])
    if game.roll < rolls_allowed(game):
        yield from _roll(turn)


def _roll(turn: _Turn) -> Iterator[Option]:
    """The best way to roll again, if any cell can become legal by it."""
    game, holds = turn.game, turn.holds
    means = holds.means(_reached(turn, game.roll + 1))
    hold = holds.best_of(holds.place_of_roll(game.dice), means, game.variant.max_hold)
    if means[hold] > -inf:
        yield Option(means[hold], Roll(positions_of(holds.faces[hold], game.dice)))


def _reached(turn: _Turn, roll: int) -> list[float]:
    """What each distinct roll is worth after that later roll of the turn.

    Minus infinity where no entry can come of it.
    """
    game, holds = replace(turn.game, roll=roll), turn.holds
    ways = [*_entries(turn, legal_cells(game), roll)]
    ways += [_announced(turn, index, roll) for index in announceable_cells(game)]
    if roll < rolls_allowed(game):
        means = holds.means(_reached(turn, roll + 1))
        ways.append([means[hold] for hold in holds.best(means, game.variant.max_hold)])
    if not ways:
        return [-inf] * (len(holds.faces) - holds.whole)
    return list(map(max, *ways)) if len(ways) > 1 else list(ways[0])


def _entries(turn: _Turn, cells: Iterable[CellIndex], roll: int) -> Iterator[Sequence[float]]:
    """What the best entry of each row is worth, for each distinct roll after roll `roll`."""
    variant, places = turn.game.variant, turn.game.layout.places
    by_row: dict[int, list[tuple[float, ...]]] = {}
    for index in cells:
        by_row.setdefault(places[index], []).append(turn.worths_of(index))
    for place, of_cells in by_row.items():
        best = tuple(map(max, *of_cells)) if len(of_cells) > 1 else of_cells[0]
        yield row_scores(variant.rows[place], variant.dice).spread(best, roll)


def _announced(turn: _Turn, index: CellIndex, roll: int) -> Sequence[float]:
    """What it is worth to announce a cell after that roll and to roll on, for each distinct roll."""
    variant = turn.game.variant
    rule = variant.rows[turn.game.layout.places[index]]
    worths_of = turn.worths_of(index)
    # Kept values are of scores from 0 to 1: rows whose worth differs by a constant or a factor share them.
    least = min(worths_of)
    span = max(worths_of) - least or 1.0
    scaled = tuple(round((worth - least) / span, 6) for worth in worths_of)
    rolls = rolls_allowed(turn.game)
    values = onward(RowTurn(rule, variant.dice, variant.max_hold, rolls), scaled)[roll - 1]
    return [least + span * value for value in values]
