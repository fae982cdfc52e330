"""Places at the end of a game, by the totals of its sheets."""

from collections.abc import Sequence

from app.rules.layout import Layout
from app.rules.sheet import Sheet, total

Standing = tuple[int, int, int]
"""(place, seat, total)."""


def ranked(layout: Layout, sheets: Sequence[Sheet]) -> tuple[Standing, ...]:
    """The seats' standings by place; equal totals share the place (1, 2, 2, 4)."""
    totals = [total(layout, sheet) for sheet in sheets]
    seats = sorted(range(len(totals)), key=lambda seat: (-totals[seat], seat))
    return tuple((1 + sum(other > totals[seat] for other in totals), seat, totals[seat]) for seat in seats)
