"""A referee: follows a log with sheets of his own, checks it by the words of the rules, and recounts.

Works from the parameters and the events alone: no layout, no lanes, no legality of the core.
"""

from typing import NamedTuple

from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.fairness import RollName, draw, game_key
from app.rules.record import Record
from app.rules.variant import Column, ColumnKind, Duty, Middle, Reach, Row, Variant
from tests.rules.naive_scorer import FACES_BY_ROW, naive_score
from tests.rules.variants import numbers_of

Kind = ColumnKind


class Moment(NamedTuple):
    """A turn before its entry."""

    cell: tuple[Kind, Row]
    turn: int
    roll: int
    dice: tuple[int, ...]
    announced: tuple[Kind, Row] | None
    called: list[Row]


class Referee:
    """Follows one game. Every broken rule is an AssertionError."""

    def __init__(self, variant: Variant, seats: int) -> None:
        self.variant = variant
        self.seats = seats
        self.rows = [rule.row for rule in variant.rows]
        self.numbers = numbers_of(variant)
        self.columns = {column.kind: column for column in variant.columns}
        self.playable = [kind for kind in self.columns if kind is not Kind.MAXIMUM]
        self.cards: list[dict[tuple[Kind, Row], int]] = [{} for _ in range(seats)]
        self.called: list[list[Row]] = [[] for _ in range(seats)]
        self.turn = 0
        self.before_entry: Moment | None = None
        self.begin_turn()

    def begin_turn(self) -> None:
        self.roll = 0
        self.dice: tuple[int, ...] = ()
        self.announced: tuple[Kind, Row] | None = None

    @property
    def seat(self) -> int:
        return self.turn % self.seats

    @property
    def is_over(self) -> bool:
        return all(len(card) == len(self.playable) * len(self.rows) for card in self.cards)

    def follow(self, event: Event) -> None:
        assert not self.is_over
        assert isinstance(event, Undone) or event.seat == self.seat
        match event:
            case Rolled():
                self.rolled(event)
            case Announced():
                self.announce(event.cell.column, event.cell.row)
            case Filled():
                self.fill(event.cell.column, event.cell.row, event.score)
                self.remember((event.cell.column, event.cell.row))
                self.end_turn()
            case Undone():
                self.take_back(event.seat)
            case Passed():
                assert self.roll == 0
                assert not self.called[self.seat], "a seat that is called upon has something to play"
                assert not any(self.could_ever_fill(kind, row) for kind in self.playable for row in self.rows)
                self.end_turn()

    def remember(self, cell: tuple[Kind, Row]) -> None:
        """Keeps the moment before an entry that a player made."""
        empty = len(self.playable) * len(self.rows) - len(self.cards[self.seat]) + 1
        last = self.variant.last_cell_rolls if empty == 1 else 3
        made_itself = self.variant.auto_fill and self.announced is not None and self.roll == last
        called = list(self.called[self.seat])
        moment = Moment(cell, self.turn, self.roll, self.dice, self.announced, called)
        self.before_entry = None if made_itself else moment

    def take_back(self, seat: int) -> None:
        moment = self.before_entry
        assert moment is not None, "somebody has rolled, or the entry made itself"
        assert seat == moment.turn % self.seats
        del self.cards[seat][moment.cell]
        self.turn, self.roll, self.dice = moment.turn, moment.roll, moment.dice
        self.announced, self.called[seat] = moment.announced, moment.called
        self.before_entry = None

    def end_turn(self) -> None:
        self.called[self.seat] = []
        self.turn += 1
        self.begin_turn()

    def rolled(self, event: Rolled) -> None:
        empty = len(self.playable) * len(self.rows) - len(self.cards[self.seat])
        assert event.roll == self.roll + 1
        assert event.roll <= (self.variant.last_cell_rolls if empty == 1 else 3)
        assert len(event.dice) == self.variant.dice
        assert set(event.dice) <= {1, 2, 3, 4, 5, 6}
        assert len(event.held) <= (self.variant.max_hold if self.roll else 0)
        assert all(event.dice[position] == self.dice[position] for position in event.held)
        self.roll, self.dice = event.roll, event.dice
        self.before_entry = None

    def announce(self, kind: Kind, row: Row) -> None:
        assert self.announced is None
        assert self.roll in self.columns[kind].window
        assert not self.must()
        assert (kind, row) not in self.cards[self.seat]
        self.announced = (kind, row)
        notification = self.columns.get(Kind.NOTIFICATION)
        if kind is Kind.ANNOUNCED and notification is not None:
            for seat in range(self.seats):
                reached = notification.reach is Reach.ALL or seat == (self.seat + 1) % self.seats
                if seat != self.seat and reached and (Kind.NOTIFICATION, row) not in self.cards[seat]:
                    self.called[seat].append(row)

    def must(self) -> list[Row]:
        notification = self.columns.get(Kind.NOTIFICATION)
        return self.called[self.seat] if notification and notification.duty is Duty.MUST else []

    def fill(self, kind: Kind, row: Row, score: int) -> None:
        card = self.cards[self.seat]
        assert self.roll >= 1
        assert (kind, row) not in card
        if self.announced:
            assert (kind, row) == self.announced
        elif self.must():
            assert kind is Kind.NOTIFICATION
            assert row in self.must()
        assert self.is_open(kind, row)
        assert score == naive_score(row.value, self.dice, min(self.roll, 3), self.numbers)
        card[kind, row] = score

    def is_open(self, kind: Kind, row: Row) -> bool:
        """By the column's own words, its cell being empty."""
        column = self.columns[kind]
        match kind:
            case Kind.ANNOUNCED | Kind.LATE_ANNOUNCED:
                return self.announced == (kind, row)
            case Kind.HAND:
                return self.roll == 1
            case Kind.NOTIFICATION:
                return row in self.called[self.seat] or self.is_silent()
            case Kind.FINAL:
                card = self.cards[self.seat]
                others = [other for other in self.playable if other is not Kind.FINAL]
                return all((other, each) in card for other in others for each in self.rows) and self.is_next(
                    column, row
                )
            case _:
                return self.is_next(column, row)

    def could_ever_fill(self, kind: Kind, row: Row) -> bool:
        """Whether an empty cell could be filled in a turn that has not begun."""
        if (kind, row) in self.cards[self.seat]:
            return False
        return kind in {Kind.ANNOUNCED, Kind.LATE_ANNOUNCED, Kind.HAND} or self.is_open(kind, row)

    def is_silent(self) -> bool:
        """Whether nobody can call upon the seat any more, and nobody has."""
        reach = self.columns[Kind.NOTIFICATION].reach
        before = (self.seat - 1) % self.seats
        callers = [
            seat for seat in range(self.seats) if seat != self.seat and (reach is Reach.ALL or seat == before)
        ]
        everything = {(Kind.ANNOUNCED, row) for row in self.rows}
        return not self.called[self.seat] and all(everything <= set(self.cards[seat]) for seat in callers)

    def is_next(self, column: Column, row: Row) -> bool:
        """By the order of the column: what must be there before the row is."""
        here = self.rows.index(row)
        count = len(self.rows)
        split = self.rows.index(column.split) if column.split else 0
        above, below = range(here), range(here + 1, count)
        match column.kind:
            case Kind.DOWN | Kind.FINAL:
                first = [above]
            case Kind.UP:
                first = [below]
            case Kind.FREE:
                first = [range(0)]
            case Kind.FROM_MIDDLE:
                first = [range(here + 1, split + 1)] if here <= split else [range(split + 1, here)]
            case Kind.ENDS_IN:
                first = [above] if here <= split else [below]
            case Kind.BOTH_ENDS:
                first = [above, below]
            case Kind.EVERY_OTHER:
                first = [range(here % 2, here, 2)] if here % 2 == 0 else [range(here + 2, count, 2)]
            case _:
                raise AssertionError(f"{column.kind} has no order")
        filled = {each for kind, each in self.cards[self.seat] if kind is column.kind}
        return any(all(self.rows[place] in filled for place in places) for places in first)

    def totals(self) -> list[int]:
        """The points of every seat, counted cell by cell."""
        return [self.total(card) for card in self.cards]

    def total(self, card: dict[tuple[Kind, Row], int]) -> int:
        points = 0
        for kind in self.columns:
            column = {row: card[kind, row] for row in self.rows if (kind, row) in card}
            if kind is Kind.MAXIMUM:
                column = self.best_of_rows(card)
            points += self.column_total(column)
        return points

    def best_of_rows(self, card: dict[tuple[Kind, Row], int]) -> dict[Row, int]:
        best: dict[Row, int] = {}
        for (_, row), score in card.items():
            better = min if row is Row.MIN else max
            best[row] = better(best.get(row, score), score)
        return best

    def column_total(self, column: dict[Row, int]) -> int:
        points = sum(score for row, score in column.items() if row not in {Row.MAX, Row.MIN})
        upper = sum(column.get(row, 0) for row in self.rows if row.value in FACES_BY_ROW)
        awards = [step.award for step in self.variant.bonus_steps if step.at_least <= upper]
        if awards:
            points += awards[-1]
        is_product = self.variant.middle is Middle.TIMES_ONES
        if {Row.MAX, Row.MIN} <= set(column) and (Row.ONES in column or not is_product):
            middle = (column[Row.MAX] - column[Row.MIN]) * (column[Row.ONES] if is_product else 1)
            points += 0 if self.variant.middle_floor and middle < 0 else middle
        return points


def is_lawful(record: Record) -> bool:
    """Whether the log is that of a whole game by the rules with the dice of its secret."""
    key = game_key(record.secret, [seat.text for seat in record.seats], record.game_id)
    referee = Referee(record.variant, len(record.seats))
    try:
        for event in record.log:
            if isinstance(event, Rolled):
                name = RollName(referee.seat, referee.turn // referee.seats + 1, event.roll)
                drawn = draw(key, name, record.variant.dice)
                rolled = set(range(len(drawn))) - set(event.held)
                assert all(event.dice[position] == drawn[position] for position in rolled)
            referee.follow(event)
        assert referee.is_over
    except (AssertionError, LookupError):
        return False
    return True
