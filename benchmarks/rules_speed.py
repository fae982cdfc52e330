"""What the rules cost for one action, over the positions of random games, and for a whole game.

Every time is CPU time of the thread that measures. A position is measured where a server meets it, in the
course of its game; the games are replayed some times from the start, with nothing kept from the time
before, and of a position the best time counts: the rest is other work of the machine.
"""

import gc
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from app.rooms.room import Phase, Room, Seat
from app.rooms.views import changed_parts
from app.rules.actions import Action
from app.rules.by_identity import forget
from app.rules.dice import Dice
from app.rules.fairness import draw_next
from app.rules.game import apply
from app.rules.legality import legal_actions, legal_scores
from app.rules.presets import PAPIR, PRESETS
from app.rules.state import Game
from app.rules.variant import Variant
from benchmarks.options import Options
from tests.rules.games import steps

SEATS = 4


class Move(NamedTuple):
    """An action in a position, the faces for it, and the position after it."""

    before: Game
    action: Action
    drawn: Dice
    after: Game


Measured = Callable[[Move, Room], object]


def _apply(move: Move, _: Room) -> object:
    return apply(move.before, move.action, move.drawn)


def _legal(move: Move, _: Room) -> object:
    return legal_actions(move.after), legal_scores(move.after)


def _update(move: Move, room: Room) -> object:
    return changed_parts(replace(room, game=move.before), replace(room, game=move.after))


MEASURED: dict[str, Measured] = {"apply": _apply, "legal": _legal, "update": _update}
"""`legal`: the legal actions and the score of every legal cell. `update`: what the table is told after it."""


def speed_of_presets(options: Options) -> Iterator[str]:
    """A line for every preset: microseconds for one action, median, 99th percentile and worst position."""
    yield "microseconds of CPU time for one position: median / 99 of 100 below / worst"
    yield f"{'':14}" + "".join(f"{name:>24}" for name in MEASURED) + "   positions"
    for variant in PRESETS:
        moves = [move for game in range(options.games or 2) for move in _moves(variant, options.seed + game)]
        times = _best_times(moves, options.passes)
        columns = "".join(f"{_three(times[name]):>24}" for name in MEASURED)
        yield f"{variant.id:14}{columns}{len(moves):12}"


def whole_game(options: Options) -> Iterator[str]:
    """Seconds of CPU time for a whole random game of papir for four: everything the rules do for it."""
    for game in range(options.games or 2):
        moves = _moves(PAPIR, options.seed + game)
        times = _best_times(moves, options.passes)
        seconds = (sum(times["apply"]) + sum(times["legal"])) / 1e6
        yield f"papir, {SEATS} seats, {len(moves)} actions: {seconds:.3f} s (apply and legal of every action)"


def _moves(variant: Variant, seed: int) -> list[Move]:
    """A random game. Its faces are those that `tests.rules.games` draws for the seed."""
    return [
        Move(step.before, step.action, draw_next(str(seed).encode(), step.before), step.after)
        for step in steps(variant, SEATS, seed)
    ]


def _best_times(moves: list[Move], passes: int) -> dict[str, list[float]]:
    """Microseconds for each move, by what is measured."""
    room = _room_of(moves[0].before)
    best: dict[str, list[float]] = {}
    for name, measured in MEASURED.items():
        runs = [_replay(moves, measured, room) for _ in range(passes)]
        best[name] = [min(times) / 1000 for times in zip(*runs, strict=True)]
    return best


def _replay(moves: list[Move], measured: Measured, room: Room) -> list[int]:
    """Nanoseconds for each move. Beforehand some are done unmeasured, since a server doesn't start cold."""
    for move in moves[-50:]:
        measured(move, room)
    forget()
    times = []
    gc.disable()
    for move in moves:
        started = time.thread_time_ns()
        measured(move, room)
        times.append(time.thread_time_ns() - started)
    gc.enable()
    return times


def _room_of(game: Game) -> Room:
    seats = tuple(Seat(f"p{seat}", f"Player {seat}", "", ready=True) for seat in range(game.seats))
    return Room("ABCDEF", Phase.PLAYING, "p0", game.variant, game.seats, seats, "g", b"secret", created_at=0)


def _three(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{median(ordered):.1f} / {ordered[len(ordered) * 99 // 100]:.1f} / {ordered[-1]:.1f}"
