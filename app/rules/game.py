"""A game: state, legality, and how actions become events.

`apply` decides and folds; `evolve` alone changes state; `legality` alone knows what is legal.
"""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from app.rules.actions import Action, Announce, Fill, IllegalAction, Roll, Undo
from app.rules.dice import FACES, Dice
from app.rules.events import Announced, Event, Filled, Passed, Rolled, Undone
from app.rules.layout import layout_of
from app.rules.legality import can_play, is_over, refusal, rolls_allowed, rows_first
from app.rules.presets import for_seats
from app.rules.sheet import Sheet, empty_sheet
from app.rules.standings import Standing, ranked
from app.rules.state import Binding, Entry, Game, Undoing
from app.rules.variant import Cell, ColumnKind, Reach, Variant

MAX_SEATS = 8
_FACES = frozenset(FACES)
T = TypeVar("T")


def start(variant: Variant, seats: int, undo: Undoing = Undoing.OFF) -> Game:
    """A game before its first roll. `seats`: 1 to 8; seat 0 begins.

    A table of one plays the variant less its notification column.
    """
    if not 1 <= seats <= MAX_SEATS:
        raise ValueError(f"a game has 1 to {MAX_SEATS} seats, not {seats}")
    layout = layout_of(for_seats(variant, seats))
    return Game(layout=layout, sheets=(empty_sheet(layout),) * seats, pending=((),) * seats, undo=undo)


def apply(game: Game, action: Action, drawn: Dice = ()) -> tuple[Game, tuple[Event, ...]]:
    """The game after an action of the seat to move, or an undo of the one before, and what happened.

    `drawn` has a face for every die position; a roll needs it, other actions ignore it. After a fill the
    seats that can't play pass. Raises IllegalAction for what isn't legal, ValueError for wrong faces.
    """
    reason = refusal(game, action)
    if reason is not None:
        raise IllegalAction(reason, action, rows_first(game, action))
    events: list[Event] = []
    for event in _decide(game, action, drawn):
        game = evolve(game, event)
        events.append(event)
    # Within a turn the seat can play, or it would not have been let to go on.
    while game.roll == 0 and not can_play(game) and not is_over(game):
        passed = Passed(game.seat)
        game = evolve(game, passed)
        events.append(passed)
    return game, tuple(events)


def evolve(game: Game, event: Event) -> Game:
    """The game after an event. Total over events that `apply` made; doesn't check them."""
    match event:
        case Rolled():
            return replace(game, roll=event.roll, dice=event.dice, held=event.held, entry=None)
        case Announced():
            return replace(game, announced=event.cell, pending=_bind(game, event))
        case Filled():
            return _next_turn(game, _written(game, event.seat, event.cell, event.score), _entry(game, event))
        case Passed():
            return _next_turn(game, game.sheets, game.entry)
        case Undone():
            return _taken_back(game, event.seat)
        case _:
            assert_never(event)


def fills_itself(game: Game) -> bool:
    """Whether the announced cell fills itself now: no roll is left, and the variant has it so."""
    return game.announced is not None and _is_filled_after(game, game.roll)


def _is_filled_after(game: Game, roll: int) -> bool:
    """Whether a cell announced in this turn fills itself after that roll of it."""
    return game.variant.auto_fill and roll == rolls_allowed(game)


def standings(game: Game) -> tuple[Standing, ...]:
    """(place, seat, total) by place; equal totals share the place (1, 2, 2, 4)."""
    return ranked(game.layout, game.sheets)


def _decide(game: Game, action: Action, drawn: Dice) -> list[Event]:
    match action:
        case Roll():
            return _decide_roll(game, action, drawn)
        case Announce():
            return [Announced(game.seat, action.cell)]
        case Fill():
            return _decide_fill(game, action.cell)
        case Undo():
            return [Undone(seat) for seat in (game.undo_seat,) if seat is not None]
        case _:
            assert_never(action)


def _decide_roll(game: Game, action: Roll, drawn: Dice) -> list[Event]:
    if len(drawn) != game.variant.dice or not _FACES.issuperset(drawn):
        raise ValueError(f"a roll draws {game.variant.dice} faces from 1 to 6, not {drawn}")
    roll = game.roll + 1
    faces = list(drawn)
    for position in action.hold:
        faces[position] = game.dice[position]
    dice = tuple(faces)
    rolled = Rolled(game.seat, roll, dice, action.hold)
    if game.announced is None or not _is_filled_after(game, roll):
        return [rolled]
    return [rolled, Filled(game.seat, game.announced, _score(game, game.announced, dice, roll))]


def _decide_fill(game: Game, cell: Cell) -> list[Event]:
    filled = Filled(game.seat, cell, _score(game, cell, game.dice, game.roll))
    column = game.layout.column_by_kind[cell.column].column
    if column.window and game.announced is None:
        # Filling such a cell in its window is announcing and filling in one.
        return [Announced(game.seat, cell), filled]
    return [filled]


def _score(game: Game, cell: Cell, dice: Dice, roll: int) -> int:
    place = game.layout.places[game.layout.index_by_cell[cell]]
    return game.layout.scores(dice, roll)[place]


def _written(game: Game, seat: int, cell: Cell, score: int | None) -> tuple[Sheet, ...]:
    """The sheets with that score, or none, in a cell."""
    sheet = list(game.sheets[seat])
    sheet[game.layout.index_by_cell[cell]] = score
    return _put(game.sheets, seat, tuple(sheet))


def _next_turn(game: Game, sheets: tuple[Sheet, ...], entry: Entry | None) -> Game:
    """The following turn. What bound the seat lapses with its turn."""
    bound_next = _put(game.pending, game.seat, ()) if game.pending[game.seat] else game.pending
    return Game(game.layout, sheets, bound_next, game.turn + 1, undo=game.undo, entry=entry)


def _entry(game: Game, event: Filled) -> Entry | None:
    """What of an entry can be taken back: nothing of one that made itself, since it would again."""
    if game.undo is Undoing.OFF or fills_itself(game):
        return None
    bound = game.pending[event.seat]
    return Entry(event.cell, game.turn, game.roll, game.dice, game.held, game.announced, bound)


def _taken_back(game: Game, seat: int) -> Game:
    """The turn as it was before the last entry. What it announced is still known to the table."""
    entry = game.entry
    if entry is None:
        return game
    return replace(
        game,
        sheets=_written(game, seat, entry.cell, None),
        pending=_put(game.pending, seat, entry.bound),
        turn=entry.turn,
        roll=entry.roll,
        dice=entry.dice,
        held=entry.held,
        announced=entry.announced,
        entry=None,
    )


def _put(by_seat: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


def _bind(game: Game, event: Announced) -> tuple[tuple[Binding, ...], ...]:
    """Pending notifications after an announcement: it binds every seat in reach whose cell is still empty."""
    notification = game.layout.column_by_kind.get(ColumnKind.NOTIFICATION)
    if notification is None or event.cell.column is not ColumnKind.ANNOUNCED:
        return game.pending
    binding = Binding(Cell(ColumnKind.NOTIFICATION, event.cell.row), by=event.seat)
    index = game.layout.index_by_cell[binding.cell]
    others = range(event.seat + 1, event.seat + game.seats)
    reached = others if notification.column.reach is Reach.ALL else others[:1]
    pending = list(game.pending)
    for seat in (number % game.seats for number in reached):
        if game.sheets[seat][index] is None:
            pending[seat] = (*pending[seat], binding)
    return tuple(pending)
