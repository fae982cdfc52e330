"""Whole games by chance, with a memory of every step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from app.rules.actions import Action, Announce, Fill
from app.rules.events import Event
from app.rules.fairness import commitment_of, draw_next, game_key
from app.rules.game import apply, start
from app.rules.legality import is_over, legal_actions
from app.rules.record import Record, RecordSeat
from app.rules.state import Game, Undoing
from app.rules.variant import ColumnKind, Variant

Choose = Callable[[Random, Game], Action]


@dataclass(frozen=True)
class Step:
    """An action in the position it was made in, and what came of it."""

    before: Game
    action: Action
    events: tuple[Event, ...]
    after: Game


def anything(rng: Random, game: Game) -> Action:
    """Any legal action, each as likely."""
    return rng.choice(legal_actions(game))


def any_kind(rng: Random, game: Game) -> Action:
    """First the kind of action, then one of it: announcements and fills as often as the many ways to roll."""
    actions = legal_actions(game)
    kinds = sorted({type(action) for action in actions}, key=lambda kind: kind.__name__)
    kind = rng.choice(kinds)
    return rng.choice([action for action in actions if isinstance(action, kind)])


def in_haste(rng: Random, game: Game) -> Action:
    """Fills as soon as it can: the shortest games."""
    actions = legal_actions(game)
    return rng.choice([action for action in actions if isinstance(action, Fill)] or actions)


def unevenly(rng: Random, game: Game) -> Action:
    """Even seats announce as late as they can and odd seats as early: these wait for those and pass."""
    announces = [action for action in legal_actions(game) if _announces(action)]
    others = [action for action in legal_actions(game) if not _announces(action)]
    first, second = (others, announces) if game.seat % 2 == 0 else (announces, others)
    return rng.choice(first or second)


def _announces(action: Action) -> bool:
    return isinstance(action, Announce | Fill) and action.cell.column is ColumnKind.ANNOUNCED


POLICIES: tuple[Choose, ...] = (anything, any_kind, in_haste, unevenly)


def steps(
    variant: Variant,
    seats: int,
    seed: int,
    choose: Choose = any_kind,
    *,
    key: bytes = b"",
    undo: Undoing = Undoing.OFF,
) -> Iterator[Step]:
    """A game from its start to its end, step by step."""
    rng = Random(seed)
    game = start(variant, seats, undo)
    while not is_over(game):
        action = choose(rng, game)
        drawn = draw_next(key or str(seed).encode(), game)
        after, events = apply(game, action, drawn)
        yield Step(game, action, events, after)
        game = after


def honest_record(
    variant: Variant,
    seats: int,
    seed: int,
    choose: Choose = any_kind,
    *,
    secret_bytes: int = 32,
    undo: Undoing = Undoing.OFF,
) -> Record:
    """The record of a game played by chance, with everything true in it."""
    rng = Random(seed)
    secret = rng.randbytes(secret_bytes)
    texts = [f"text {rng.random()} ч" for _ in range(seats)]
    game_id = f"g{seed}"
    key = game_key(secret, texts, game_id)
    played = list(steps(variant, seats, seed, choose, key=key, undo=undo))
    return Record(
        game_id=game_id,
        variant=played[-1].after.variant,
        seats=tuple(RecordSeat(f"p{seat}", f"Player {seat}", text) for seat, text in enumerate(texts)),
        log=tuple(event for step in played for event in step.events),
        secret=secret,
        commitment=commitment_of(secret),
        started_at=1_790_000_000_000,
        ended_at=1_790_000_600_000,
        undo=undo,
    )
