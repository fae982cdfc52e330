"""The score panel of a seat: points now and points still attainable, beside those of the perfect game.

Source: docs/rules.md, Score panel.
"""

from dataclasses import dataclass

from app.rules.ideal import Points, attainable, perfect, points_of
from app.rules.state import Game


@dataclass(frozen=True, slots=True)
class PanelPart:
    """One line of the panel: a part of the sheet over all columns, or the total."""

    now: int
    attainable: int
    perfect: int

    @property
    def now_share(self) -> float:
        """Which share of the perfect game's points is on the sheet, from 0 to 1."""
        return _share(self.now, self.perfect)

    @property
    def attainable_share(self) -> float:
        """Which share of the perfect game's points is attainable, from 0 to 1."""
        return _share(self.attainable, self.perfect)


@dataclass(frozen=True, slots=True)
class Panel:
    """The score panel of a seat."""

    upper: PanelPart
    middle: PanelPart
    lower: PanelPart
    total: PanelPart


def panel(game: Game, seat: int) -> Panel:
    """The score panel of a seat, exact at every moment of the game."""
    now = points_of(game.layout, game.sheets[seat])
    return Panel(*map(PanelPart, now, attainable(game, seat), perfect(game.layout)))


def perfect_game(game: Game) -> Points:
    """The points of a perfect game of the variant, as this table plays it."""
    return perfect(game.layout)


def _share(points: int, of: int) -> float:
    """Points below zero are no share, and of a part that the sheet doesn't have there is none."""
    return max(points, 0) / of if of else 0.0
