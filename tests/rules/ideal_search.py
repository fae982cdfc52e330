"""The most that a sheet can still become, found by trying everything: for small variants only.

Two ways, neither of which knows app.rules.ideal. `by_whole_games` plays every continuation to its end by the
game itself. `by_scores` plays every end of the present turn, and tries every score in every other empty cell.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from app.rules.actions import Roll
from app.rules.dice import Dice, distinct_rolls
from app.rules.events import Filled
from app.rules.game import apply
from app.rules.legality import is_over, legal_actions
from app.rules.sheet import Sheet
from app.rules.state import Game
from app.rules.variant import Cell, Column, ColumnKind, Middle, Row, Section, Variant, section_of
from tests.rules.naive_scorer import naive_score
from tests.rules.variants import numbers_of

Four = tuple[int, int, int, int]
"""Upper with its bonus, middle, lower, total."""
Card = dict[Cell, int]


def four_of(variant: Variant, card: Card) -> Four:
    """The parts of a sheet, counted cell by cell."""
    columns = [_column(variant, card, column.kind) for column in variant.columns]
    fours = [_four_of_column(variant, column) for column in columns]
    return _fourfold(sum(part) for part in zip(*fours, strict=True))


def by_whole_games(game: Game, seat: int) -> Four:
    """The best over every legal continuation of the game."""
    return _WholeGames(game.variant, seat).best(game)


def by_scores(game: Game, seat: int) -> Four:
    """The best over every end of the present turn, and every score that the other cells can get."""
    ends = _ends_of_turn(game) if seat == game.seat and game.roll else [None]
    return _greatest(_best_card(game.variant, _card(game, game.sheets[seat]), end) for end in ends)


def scores_of(variant: Variant, cell: Cell) -> list[int]:
    """Every score that the cell can get in a turn that has not begun."""
    column = variant.column(cell.column)
    assert column is not None
    every = {score for roll in _rolls(column) for score in _scores(variant, cell.row, roll)}
    return sorted(every)


class _WholeGames:
    def __init__(self, variant: Variant, seat: int) -> None:
        self.seat = seat
        self.dice = _telling_dice(variant)
        self.known: dict[object, Four] = {}

    def best(self, game: Game) -> Four:
        if is_over(game):
            return four_of(game.variant, _card(game, game.sheets[self.seat]))
        key = (game.sheets, game.pending, game.seat, game.roll, game.dice, game.announced)
        if key not in self.known:
            self.known[key] = _greatest(self.best(after) for after in _followers(game, self.dice))
        return self.known[key]


def _followers(game: Game, dice: Iterable[Dice]) -> Iterator[Game]:
    """The game after every action; of the rolls, one of all dice, which can show what any can."""
    for action in legal_actions(game):
        if not isinstance(action, Roll):
            yield apply(game, action)[0]
        elif action == Roll():
            yield from (apply(game, action, each)[0] for each in dice)


def _ends_of_turn(game: Game) -> list[tuple[Cell, int]]:
    """Every cell and score with which the present turn can end."""
    ends: set[tuple[Cell, int]] = set()
    seen: set[object] = set()
    waiting = [game]
    while waiting:
        position = waiting.pop()
        # Of the dice before a roll of everything nothing is left.
        is_new = (position.roll, position.announced) not in seen
        seen.add((position.roll, position.announced))
        for action in legal_actions(position):
            draws = _telling_dice(game.variant) if action == Roll() and is_new else ()
            for drawn in draws if isinstance(action, Roll) else ((),):
                after, events = apply(position, action, drawn)
                filled = {(event.cell, event.score) for event in events if isinstance(event, Filled)}
                ends |= filled
                waiting += [] if filled else [after]
    assert ends
    return sorted(ends)


def _best_card(variant: Variant, card: Card, end: tuple[Cell, int] | None) -> Four:
    card = card | ({end[0]: end[1]} if end else {})
    rows = [rule.row for rule in variant.rows]
    playable = [column.kind for column in variant.columns if column.kind is not ColumnKind.MAXIMUM]
    empty = [Cell(kind, row) for kind in playable for row in rows if Cell(kind, row) not in card]
    choices = product(*(scores_of(variant, cell) for cell in empty))
    return _greatest(four_of(variant, card | dict(zip(empty, chosen, strict=True))) for chosen in choices)


@lru_cache(maxsize=64)
def _telling_dice(variant: Variant) -> tuple[Dice, ...]:
    """Of the rolls that give the same in every row after every roll, one."""
    numbers = numbers_of(variant)
    by_scores = {
        tuple(
            naive_score(rule.row.value, dice, roll, numbers) for rule in variant.rows for roll in (1, 2, 3)
        ): dice
        for dice in distinct_rolls(variant.dice)
    }
    return tuple(by_scores.values())


def _rolls(column: Column) -> tuple[int, ...]:
    if column.kind is ColumnKind.HAND:
        return (1,)
    return (2, 3) if column.window == (2,) else (1, 2, 3)


@lru_cache(maxsize=512)
def _scores(variant: Variant, row: Row, roll: int) -> frozenset[int]:
    numbers = numbers_of(variant)
    return frozenset(naive_score(row.value, dice, roll, numbers) for dice in distinct_rolls(variant.dice))


def _card(game: Game, sheet: Sheet) -> Card:
    return {cell: score for cell, score in zip(game.layout.cells, sheet, strict=True) if score is not None}


def _column(variant: Variant, card: Card, kind: ColumnKind) -> dict[Row, int]:
    if kind is not ColumnKind.MAXIMUM:
        return {cell.row: score for cell, score in card.items() if cell.column is kind}
    by_row = {rule.row: [card[cell] for cell in card if cell.row is rule.row] for rule in variant.rows}
    return {row: min(of) if row is Row.MIN else max(of) for row, of in by_row.items() if of}


def _four_of_column(variant: Variant, column: dict[Row, int]) -> Four:
    upper = sum(score for row, score in column.items() if section_of(row) is Section.UPPER)
    lower = sum(score for row, score in column.items() if section_of(row) is Section.LOWER)
    for step in variant.bonus_steps[::-1]:
        if upper >= step.at_least:
            upper += step.award
            break
    middle = _middle(variant, column)
    return upper, middle, lower, upper + middle + lower


def _middle(variant: Variant, column: dict[Row, int]) -> int:
    times = column.get(Row.ONES) if variant.middle is Middle.TIMES_ONES else 1
    if times is None or Row.MAX not in column or Row.MIN not in column:
        return 0
    middle = (column[Row.MAX] - column[Row.MIN]) * times
    return 0 if variant.middle_floor and middle < 0 else middle


def _greatest(fours: Iterable[Four]) -> Four:
    return _fourfold(max(part) for part in zip(*fours, strict=True))


def _fourfold(parts: Iterable[int]) -> Four:
    upper, middle, lower, total = parts
    return upper, middle, lower, total
