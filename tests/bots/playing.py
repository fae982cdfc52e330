"""Games that bots play."""

from random import Random

from app.bots import choose
from app.rules.actions import Action
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import Variant
from tests.rules.games import Choose, steps


def bot(_: Random, game: Game) -> Action:
    """What the bot chooses, as a way to choose in games by chance."""
    return choose(game)


def totals(variant: Variant, seed: int, choose: Choose, seats: int) -> list[int]:
    """The totals of a game whose seats all choose in that way. The dice are those of the seed."""
    *_, last = steps(variant, seats, seed, choose)
    return [total(last.after.layout, sheet) for sheet in last.after.sheets]
