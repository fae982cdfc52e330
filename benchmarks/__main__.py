"""Parts by name, and the command line: `python3 dev.py bench [PART …]`."""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.bots import speed_and_points
from benchmarks.leaderboards import leaderboards_speed
from benchmarks.machine import calibration_ms, machine_line
from benchmarks.options import Options
from benchmarks.random_games import random_games
from benchmarks.rules_speed import speed_of_presets, whole_game
from benchmarks.server.part import server_speed


@dataclass(frozen=True, slots=True)
class Part:
    """Something to measure: gives lines as it goes. `is_usual`: it runs when no part is named."""

    run: Callable[[Options], Iterator[str]]
    is_usual: bool = True


PARTS = {
    "rules": Part(speed_of_presets),
    "whole-game": Part(whole_game),
    "bots": Part(speed_and_points),
    "server": Part(server_speed),
    "leaderboards": Part(leaderboards_speed, is_usual=False),
    "random-games": Part(random_games, is_usual=False),
}


def main(arguments: list[str] | None = None) -> int:
    """Run the parts named, or the usual ones, between two calibrations."""
    given = _parser().parse_args(arguments)
    options = Options(seed=given.seed, games=given.games, passes=given.passes, is_pure=given.pure)
    print(machine_line())
    print(f"calibration: {calibration_ms():.2f} ms", flush=True)
    for name in given.parts or [name for name, part in PARTS.items() if part.is_usual]:
        print(f"\n{name}", flush=True)
        for line in PARTS[name].run(options):
            print(f"  {line}", flush=True)
    print(f"\ncalibration: {calibration_ms():.2f} ms")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py bench", description="Measure how fast Yamb is.")
    # Checked here: argparse checks no choices of an empty list that nargs="*" gives.
    parser.add_argument("parts", nargs="*", metavar="PART", type=_part, help=f"any of {', '.join(PARTS)}")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (%(default)s)")
    parser.add_argument("--games", type=_positive, help="how many games (each part has its own number)")
    parser.add_argument("--passes", type=_positive, default=3, help="replays of each game (%(default)s)")
    parser.add_argument("--pure", action="store_true", help="measure the server from source, not compiled")
    return parser


def _part(text: str) -> str:
    if text not in PARTS:
        raise argparse.ArgumentTypeError(f"no part {text!r}; there are {', '.join(PARTS)}")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text!r}")
    return int(text)


if __name__ == "__main__":
    raise SystemExit(main())
