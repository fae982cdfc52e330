"""Random games, held step by step against the referee: any variant, number of seats and way to choose."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from app.rules.actions import Action, Announce, Roll
from app.rules.events import Filled, Passed, Undone
from app.rules.game import evolve, standings, start
from app.rules.legality import can_play, is_over, legal_actions
from app.rules.presets import PRESETS
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import MAX_ROLLS, ColumnKind, Variant
from tests.rules.choosers import CHOOSERS
from tests.rules.games import Choose, Step, steps
from tests.rules.random_variants import random_variant
from tests.rules.referee import Referee


class Tally(NamedTuple):
    """What happened in games."""

    games: int = 0
    rolls: int = 0
    announcements: int = 0
    fills: int = 0
    passes: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(*(mine + its for mine, its in zip(self, other, strict=True)))


def follow(variant: Variant, seats: int, seed: int, choose: Choose) -> Tally:
    """Plays a game and holds every step and its end against the referee; AssertionError for what is wrong.

    A game ends after the entries it has room for, with no more than the rolls of a turn, one announcement
    and one entry in each turn, and with less passes in a row than there are seats.
    """
    game = folded = start(variant, seats)
    referee = Referee(game.variant, seats)
    tally = Tally(games=1)
    filled = set()
    bound = seats * game.variant.turns * (MAX_ROLLS + 2)
    for count, step in enumerate(steps(variant, seats, seed, choose)):
        assert count < bound, "the game doesn't end"
        assert step.before == game
        assert can_play(game)
        assert legal_actions(game)
        _is_round_of_its_entry(game)
        for event in step.events:
            referee.follow(event)
            folded = evolve(folded, event)
            if isinstance(event, Filled):
                assert (event.seat, event.cell) not in filled
                filled.add((event.seat, event.cell))
        tally = tally.plus(_tally(step))
        assert _passes(step) < seats, "nobody can play, and the game isn't over"
        game = step.after
        assert folded == game
    assert is_over(game)
    assert len(filled) == seats * game.variant.turns
    assert not legal_actions(game)
    totals = referee.totals()
    assert [total(game.layout, sheet) for sheet in game.sheets] == totals
    assert sorted((seat, points) for _, seat, points in standings(game)) == list(enumerate(totals))
    return tally


def follow_any(seed: int) -> Tally:
    """The game of a seed: a preset once in four, else any variant; 1 to 8 seats.

    All choose in one way, or each in his own until somebody else takes his seat over.
    """
    rng = Random(seed)
    variant = rng.choice(PRESETS) if rng.random() < 0.25 else random_variant(rng)
    seats = rng.randint(1, 8)
    choose = rng.choice(CHOOSERS) if rng.random() < 0.5 else taken_over(rng, seats, variant.turns)
    return follow(variant, seats, seed, choose)


def taken_over(rng: Random, seats: int, turns: int) -> Choose:
    """Each seat chooses in a way of its own, and from some turn of its game on in another, as a bot does."""
    before, after = ([rng.choice(CHOOSERS) for _ in range(seats)] for _ in range(2))
    from_round = [rng.randint(1, turns + 1) for _ in range(seats)]

    def choose(rng: Random, game: Game) -> Action:
        ways = before if game.round < from_round[game.seat] else after
        return ways[game.seat](rng, game)

    return choose


def follow_many(seed: int, games: int) -> Iterator[tuple[int, Tally]]:
    """The games of so many seeds from `seed` on, each with its seed. An error names the seed of its game."""
    for number in range(seed, seed + games):
        try:
            yield number, follow_any(number)
        except Exception as error:
            error.add_note(f"in the random game of seed {number}")
            raise


def _is_round_of_its_entry(game: Game) -> None:
    """The seat to move is in the round of the entry that it is about to make, and never in one too many."""
    playable = [column for column in game.layout.columns if column.column.kind is not ColumnKind.MAXIMUM]
    written = sum(game.sheet[index] is not None for column in playable for index in column.cells)
    assert game.round == written + 1 <= game.rounds == game.variant.turns


def _passes(step: Step) -> int:
    return sum(isinstance(event, Passed) for event in step.events)


def _tally(step: Step) -> Tally:
    assert not any(isinstance(event, Undone) for event in step.events)
    return Tally(
        rolls=isinstance(step.action, Roll),
        announcements=isinstance(step.action, Announce),
        fills=sum(isinstance(event, Filled) for event in step.events),
        passes=_passes(step),
    )
