"""What a finished game changes on the boards: bests of players, and how many rows have which score. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from app.scores.boards import Board, Mode, Position


class Owner(NamedTuple):
    """Whose best it is, and of which period of a variant."""

    player: str
    period: str


@dataclass(frozen=True, slots=True)
class Best:
    """A player's best result of a period, and how many he has in it."""

    position: Position
    results: int


@dataclass(frozen=True, slots=True)
class Changes:
    """The bests as they are now, and by how much the number of a board's rows with a score changes."""

    bests: Mapping[Owner, Best]
    numbers: Mapping[tuple[Board, int], int]


def list_positions(
    variant: str,
    bests: Mapping[Owner, Best],
    periods: Iterable[str],
    positions: Iterable[tuple[str, Position]],
) -> Changes:
    """What a game's results, (player, position) each, change, whatever order games are recorded in.

    `bests`: those that there are of these players in these periods.
    """
    periods = tuple(periods)
    now = dict(bests)
    numbers: Counter[tuple[Board, int]] = Counter()
    for player, position in positions:
        for period in periods:
            owner = Owner(player, period)
            before = now.get(owner)
            numbers[Board(variant, period), position.score] += 1
            now[owner] = _better(before, position)
            of_players = Board(variant, period, Mode.PLAYERS)
            numbers[of_players, now[owner].position.score] += 1
            if before is not None:
                numbers[of_players, before.position.score] -= 1
    return Changes(now, {key: number for key, number in numbers.items() if number})


def _better(before: Best | None, position: Position) -> Best:
    """A late recorder may bring an earlier result: the best is what stands first, not what came first."""
    if before is None:
        return Best(position, 1)
    return Best(min(before.position, position, key=lambda one: one.order), before.results + 1)
