"""Leaderboards as values: which one is meant, where a row stands in it, from where a page is read. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from app.accounts.names import Shown
from app.scores.periods import EVER


class Mode(StrEnum):
    """What a row of a board is: each result of a player, or each player by his best one."""

    RESULTS = "results"
    PLAYERS = "players"


@dataclass(frozen=True, slots=True)
class Board:
    """Which results are compared: a variant's, of a period by its key, all of them or each player's best."""

    variant: str
    period: str = EVER
    mode: Mode = Mode.RESULTS


class Position(NamedTuple):
    """Where a result stands: score descending, then the earlier end, then game and seat. No two are equal."""

    score: int
    ended_at: int
    game: str
    seat: int

    @property
    def order(self) -> tuple[int, int, str, int]:
        """What boards are sorted by, ascending."""
        return -self.score, self.ended_at, self.game, self.seat


class Side(StrEnum):
    """Which rows a page is made of, seen from a position: the next ones after it, or the last ones before it.

    AFTER and BEFORE leave the position's own row out, FROM and UP_TO take it in.
    """

    AFTER = "after"
    FROM = "from"
    BEFORE = "before"
    UP_TO = "up_to"

    @property
    def is_forward(self) -> bool:
        """Whether the rows lie down the board."""
        return self in {Side.AFTER, Side.FROM}

    @property
    def others(self) -> "Side":
        """The side with exactly the rows that aren't on this one."""
        return _OTHERS[self]


_OTHERS = {
    Side.AFTER: Side.UP_TO,
    Side.UP_TO: Side.AFTER,
    Side.BEFORE: Side.FROM,
    Side.FROM: Side.BEFORE,
}


@dataclass(frozen=True, slots=True)
class Edge:
    """From where a page is read."""

    side: Side
    position: Position


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard. Equal scores share the place (1, 2, 2, 4), which counts the whole board."""

    place: int
    position: Position
    player: Shown


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a board in their order. `previous` and `next`: from where the pages beside it are read.

    `total` counts the rows of all pages.
    """

    standings: Sequence[Standing]
    total: int
    previous: Edge | None
    next: Edge | None
