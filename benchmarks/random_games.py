"""Random games over every variant there can be, each held against the referee of the tests."""

import time
from collections.abc import Iterator

from benchmarks.options import Options
from tests.rules.random_games import Tally, follow_many

_GAMES = 200
_LINES = 20


def random_games(options: Options) -> Iterator[str]:
    """The tally as it grows. A game that breaks a rule ends it all with an error that names its seed."""
    games = options.games or _GAMES
    every = max(games // _LINES, 1)
    started = time.process_time()
    tally = Tally()
    for seed, one in follow_many(options.seed, games):
        tally = tally.plus(one)
        if tally.games % every == 0 or tally.games == games:
            spent = time.process_time() - started
            counts = ", ".join(f"{count} {name}" for name, count in tally._asdict().items())
            yield f"to seed {seed}: {counts} ({spent:.0f} s)"
