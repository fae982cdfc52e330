"""A game step by step, for whoever looks at it afterwards: a fold of its log, and nothing that isn't in it.

A step is a turn with all that happened in it. At an own-dice table, which knows no turns, it is one event.
"""

from collections.abc import Iterable

from msgspec import Struct

from app.rules.events import Announced, Event
from app.rules.game import evolve
from app.rules.own_dice.actions import SheetEvent
from app.rules.own_dice.game import OwnDiceGame
from app.rules.own_dice.game import evolve as evolve_own_dice
from app.rules.sheet import Sheet
from app.rules.state import Game
from app.rules.variant import Cell


class Step(Struct, frozen=True):
    """What the seat did, and its sheet before and after it.

    `round`: which of its entries the seat makes, from 1: a pass has the number of the entry that follows it.
    At an own-dice table how many of its cells are filled then.
    `announced`: the cell that is announced at the end of the step, filled in it or not.
    """

    seat: int
    round: int
    events: tuple[Event | SheetEvent, ...]
    announced: Cell | None
    before: Sheet
    after: Sheet


def steps_of_game(first: Game, log: Iterable[Event]) -> tuple[Step, ...]:
    """The turns of a game; step n is turn n + 1, whatever was taken back meanwhile.

    An entry that was taken back stays among the events of its turn. Passes that followed from it go with it:
    these turns are still to come then.
    """
    game = first
    steps: list[Step] = []
    for event in log:
        after = evolve(game, event)
        # An entry belongs to the turn that it ends, an undo to the one that it leads back to.
        turn = min(game.turn, after.turn)
        earlier = steps[turn - 1 : turn]
        del steps[turn - 1 :]
        steps.append(_with(earlier[0] if earlier else _begun(game), event, after.sheets[event.seat]))
        game = after
    return tuple(steps)


def steps_of_own_dice(first: OwnDiceGame, log: Iterable[SheetEvent]) -> tuple[Step, ...]:
    """The entries of a game with real dice, and whatever else was done on its sheets, in their order."""
    game = first
    steps: list[Step] = []
    for event in log:
        before, seat = game, event.seat
        game = evolve_own_dice(game, event)
        announced = event.cell if isinstance(event, Announced) else game.announced[seat]
        filled = len(game.sheets[seat]) - game.sheets[seat].count(None)
        steps.append(Step(seat, filled, (event,), announced, before.sheets[seat], game.sheets[seat]))
    return tuple(steps)


def _begun(game: Game) -> Step:
    return Step(game.seat, game.round, (), None, game.sheet, game.sheet)


def _with(step: Step, event: Event, sheet: Sheet) -> Step:
    announced = event.cell if isinstance(event, Announced) else step.announced
    return Step(step.seat, step.round, (*step.events, event), announced, step.before, sheet)
