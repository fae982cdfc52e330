"""Ways to choose an action, from the careless to the greedy: a bot that takes a seat over is one of them."""

from collections import Counter
from random import Random

from app.rules.actions import Action, Announce, Fill, Roll
from app.rules.legality import legal_actions, legal_scores
from app.rules.state import Game
from tests.rules.games import POLICIES, Choose, any_kind, anything, in_haste


def rolls_on(rng: Random, game: Game) -> Action:
    """Rolls as often as it can, holding anything."""
    actions = legal_actions(game)
    return rng.choice([action for action in actions if isinstance(action, Roll)] or actions)


def calls(rng: Random, game: Game) -> Action:
    """Announces whenever it can."""
    announces = [action for action in legal_actions(game) if isinstance(action, Announce)]
    return rng.choice(announces) if announces else any_kind(rng, game)


def keeps_quiet(rng: Random, game: Game) -> Action:
    """Announces nothing, by a word or an entry, as long as anything else is legal."""
    actions = legal_actions(game)
    quiet = [action for action in actions if isinstance(action, Roll) or not _is_announcing(game, action)]
    return any_kind(rng, game) if len(quiet) == len(actions) else rng.choice(quiet or actions)


def _is_announcing(game: Game, action: Action) -> bool:
    if isinstance(action, Fill):
        return bool(game.layout.column_by_kind[action.cell.column].column.window) and game.announced is None
    return isinstance(action, Announce)


def greedy(rng: Random, game: Game) -> Action:
    """Holds the face that shows most while it can roll, and then takes the cell of the most points."""
    if game.roll:
        face, _ = Counter(game.dice).most_common(1)[0]
        alike = [position for position, die in enumerate(game.dice) if die == face]
        hold = Roll(tuple(alike[: game.variant.max_hold]))
    else:
        hold = Roll()
    if hold in legal_actions(game):
        return hold
    scores = legal_scores(game)
    return Fill(max(scores, key=scores.__getitem__)) if scores else anything(rng, game)


def taken_over(rng: Random, game: Game) -> Action:
    """Every seat chooses in a way of its own, and in another one after its tenth turn."""
    way = game.seat + (len(_WAYS) // 2 if game.round > 10 else 0)
    return _WAYS[way % len(_WAYS)](rng, game)


_WAYS: tuple[Choose, ...] = (greedy, calls, anything, keeps_quiet, in_haste, rolls_on, any_kind)
CHOOSERS: tuple[Choose, ...] = (*POLICIES, rolls_on, calls, keeps_quiet, greedy, taken_over)
