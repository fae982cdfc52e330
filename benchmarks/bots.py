"""What a decision of the bot costs, and how well it plays."""

import time
from collections.abc import Iterator
from random import Random
from statistics import mean, median

from app.bots import choose
from app.rules.actions import Action
from app.rules.presets import PRESETS
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import Variant
from benchmarks.options import Options
from tests.rules.games import Choose, any_kind, steps

SEATS = 2
_GAMES = 4


def speed_and_points(options: Options) -> Iterator[str]:
    """A line for every preset: milliseconds for a decision, and mean totals with the same dice.

    The first decision of a variant, which makes what is kept of it, is told apart.
    """
    yield "milliseconds of CPU time for one decision: first / median / 99 of 100 below / worst of the others;"
    yield f"mean total of a seat, {options.games or _GAMES} games of {SEATS} seats"
    yield f"{'':14}{'decision':>30}{'bot':>8}{'by chance':>12}   decisions"
    for variant in PRESETS:
        times: list[float] = []
        bots = _mean_total(variant, options, _timed(times))
        chance = _mean_total(variant, options, any_kind)
        yield f"{variant.id:14}{_four(times):>30}{bots:8.0f}{chance:12.0f}{len(times):12}"


def _timed(times: list[float]) -> Choose:
    """The bot as a way to choose; it adds the milliseconds of every decision."""

    def chosen(_: Random, game: Game) -> Action:
        started = time.thread_time_ns()
        action = choose(game)
        times.append((time.thread_time_ns() - started) / 1e6)
        return action

    return chosen


def _mean_total(variant: Variant, options: Options, way: Choose) -> float:
    totals: list[int] = []
    for game in range(options.games or _GAMES):
        *_, last = steps(variant, SEATS, options.seed + game, way)
        totals += [total(last.after.layout, sheet) for sheet in last.after.sheets]
    return mean(totals)


def _four(times: list[float]) -> str:
    # The first of a game is its first roll, about which nothing is to be decided.
    first, ordered = times[1], sorted(times[2:])
    return (
        f"{first:.1f} / {median(ordered):.1f} / {ordered[len(ordered) * 99 // 100]:.1f} / {ordered[-1]:.1f}"
    )
