"""The most that a sheet can still become: the best end of the game that the rules leave open to a seat.

Source: docs/rules.md, Score panel. The dice may fall as they like from here on and all players help, but
what is written stays, gates hold, and a turn under way goes on from its present dice and roll.

Why the best end can be written down instead of searched for:

- A cell that is filled in a turn to come can get every score that its row gives after a roll at which its
  column is open, whatever the other cells get: each turn has its own dice, all can be rolled again, and every
  game ends with all cells filled. Order, announcements and duties say when a cell is filled, not with what.
- The award of the upper bonus never falls as the points rise, so more is never worse in twos to sixes and in
  the lower rows: for the column, and for the maximum column, which holds the most of each row.
- The middle is (max - min) times ones, or without ones, and ones are never below 0. So more in max and less
  in min are never worse, for the column and for the maximum column.
- More in ones is never worse where max - min isn't below 0. Where some column's isn't, the maximum column's
  isn't either, since its max is at least that column's and its min at most.

Left are empty ones of columns whose max - min can only be below 0: there each point in ones costs points in
the middle. `_with_fewer_ones` tries what can be best for those.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from app.rules.layout import CellIndex, ColumnLayout, Layout
from app.rules.legality import announceable_cells, legal_cells, roll_refusal
from app.rules.scoring import COUNTED_DICE
from app.rules.sheet import Sheet, award, empty_sheet, sums_by_column
from app.rules.state import Game
from app.rules.variant import ROLLS, ColumnKind, Middle, Row, Section


class Points(NamedTuple):
    """Points of a sheet's parts over all its columns, the maximum column among them, and their total."""

    upper: int
    middle: int
    lower: int
    total: int


def points_of(layout: Layout, sheet: Sheet) -> Points:
    """What stands on the sheet now. The bonus is part of upper; a middle that isn't complete counts 0."""
    sums = sums_by_column(layout, sheet).values()
    upper = sum(column.upper + column.bonus for column in sums)
    middle = sum(column.middle or 0 for column in sums)
    lower = sum(column.lower for column in sums)
    return Points(upper, middle, lower, upper + middle + lower)


def attainable(game: Game, seat: int) -> Points:
    """The most that each part, and the total, of a seat's sheet can still become. Each for itself."""
    return _best(
        points_of(game.layout, end)
        for sheet, ideal in _ways_through_the_turn(game, seat)
        for end in (ideal, *_with_fewer_ones(game.layout, sheet, ideal))
    )


@lru_cache(maxsize=256)
def perfect(layout: Layout) -> Points:
    """The points of a perfect game: what is attainable from an empty sheet."""
    return points_of(layout, _completed(layout, empty_sheet(layout)))


def _best(ends: Iterable[Points]) -> Points:
    return Points(*map(max, zip(*ends, strict=True)))


def _ways_through_the_turn(game: Game, seat: int) -> Iterator[tuple[Sheet, Sheet]]:
    """The sheet after each way to end the present turn, and its ideal end.

    One way is enough where the turn can't do harm: before its first roll, in another seat's turn, and where a
    cell can still be filled as well as in a turn to come. What the present dice fill is written on the sheet;
    a cell that is still to be rolled for is left empty there: it can have less than its ideal score too.
    """
    layout, sheet = game.layout, game.sheets[seat]
    ideal = _completed(layout, sheet)
    if seat != game.seat or game.roll == 0:
        yield sheet, ideal
        return
    late: dict[CellIndex, int] = {}
    for index, roll in _fills_to_come(game):
        score = _best_scores(layout, roll, roll)[layout.places[index]]
        if score == ideal[index]:
            yield sheet, ideal
            return
        late[index] = max(score, late.get(index, 0))
    for index, score in late.items():
        yield sheet, _with(ideal, {index: score})
    for index in legal_cells(game):
        score = layout.scores(game.dice, game.roll)[layout.places[index]]
        yield _with(sheet, {index: score}), _with(ideal, {index: score})


def _fills_to_come(game: Game) -> Iterator[tuple[CellIndex, int]]:
    """The cells that can be filled after a later roll of the turn, with that roll, on every legal way."""
    announced = (game.layout.cells[index] for index in announceable_cells(game))
    for ready in (game, *(replace(game, announced=cell) for cell in announced)):
        if roll_refusal(ready) is None:
            rolled = replace(ready, roll=ready.roll + 1)
            yield from ((index, rolled.roll) for index in legal_cells(rolled))
            yield from _fills_to_come(rolled)


def _completed(layout: Layout, sheet: Sheet) -> Sheet:
    """The sheet with the best score of its row in every empty cell. The maximum column stays empty."""
    ideal = list(sheet)
    for column in layout.columns:
        if column.column.is_playable:
            scores = _best_scores(layout, *_rolls(column))
            for index, score in zip(column.cells, scores, strict=True):
                if ideal[index] is None:
                    ideal[index] = score
    return tuple(ideal)


def _rolls(column: ColumnLayout) -> tuple[int, int]:
    """The first and the last roll of a whole turn after which a cell of the column can be filled.

    Once announced, a cell stays open when its window has closed. Rolls 4 and 5 are worth what roll 3 is.
    """
    return column.first_roll, 1 if column.column.kind is ColumnKind.HAND else ROLLS


@lru_cache(maxsize=1024)
def _best_scores(layout: Layout, first: int, last: int) -> tuple[int, ...]:
    """The best score of every row after one of the rolls `first` to `last`: in min the lowest."""
    tables = (layout.table.scores_by_roll[min(roll, ROLLS) - 1] for roll in range(first, last + 1))
    by_row = zip(*(scores for table in tables for scores in table.values()), strict=True)
    return tuple(
        (min if row is Row.MIN else max)(scores) for row, scores in zip(layout.rows, by_row, strict=True)
    )


class _Ones(NamedTuple):
    """Empty ones in a column whose max - min, `difference`, is below 0; `others`: its points from twos up."""

    cell: CellIndex
    difference: int
    others: int


def _with_fewer_ones(layout: Layout, sheet: Sheet, ideal: Sheet) -> set[Sheet]:
    """Ends with less in ones, among them the best for the total and the best for the middle.

    Take a best end, and of the ones in question the column with the most. The maximum column depends on no
    other of them, so each other column has what is best for itself among what is no more than that.
    """
    costly = tuple(_costly_ones(layout, sheet, ideal))
    return {
        _with(ideal, {ones.cell: _kindest(layout, ones, most, part) for ones in costly} | {leader.cell: most})
        for part in (None, Section.MIDDLE)
        for leader in costly
        for most in range(COUNTED_DICE + 1)
    }


def _costly_ones(layout: Layout, sheet: Sheet, ideal: Sheet) -> Iterator[_Ones]:
    variant = layout.variant
    if layout.middle is None or variant.middle is not Middle.TIMES_ONES or variant.middle_floor:
        return
    for column in layout.columns:
        if column.column.is_playable:
            highest, lowest, ones = (column.cells[place] for place in layout.middle)
            difference = _score_at(ideal, highest) - _score_at(ideal, lowest)
            if sheet[ones] is None and difference < 0:
                yield _Ones(ones, difference, _upper_points(layout, ideal, column) - _score_at(ideal, ones))


def _upper_points(layout: Layout, ideal: Sheet, column: ColumnLayout) -> int:
    in_column = zip(layout.sections, column.cells, strict=True)
    return sum(_score_at(ideal, index) for section, index in in_column if section is Section.UPPER)


def _kindest(layout: Layout, ones: _Ones, most: int, part: Section | None) -> int:
    """The score up to `most` that is best for the column: for its total, or for its middle alone."""

    def worth(score: int) -> int:
        middle = score * ones.difference
        upper = score + ones.others
        return middle if part is Section.MIDDLE else middle + upper + award(layout.variant, upper)

    return max(range(most + 1), key=worth)


def _score_at(ideal: Sheet, index: CellIndex) -> int:
    return ideal[index] or 0


def _with(sheet: Sheet, scores: dict[CellIndex, int]) -> Sheet:
    return tuple(scores.get(index, score) for index, score in enumerate(sheet))
