"""Positions of a game, put together by hand."""

from collections.abc import Iterable, Mapping

from app.rules.actions import Action, IllegalAction, Reason
from app.rules.dice import Dice
from app.rules.game import apply, start
from app.rules.layout import Layout
from app.rules.sheet import Sheet
from app.rules.state import Binding, Game
from app.rules.variant import Cell, ColumnKind, Row, Variant
from tests.values import replace

Entries = Mapping[Cell, int]


def cell(text: str) -> Cell:
    """The cell that "column row" names."""
    column, row = text.split()
    return Cell(ColumnKind(column), Row(row))


def cells(*texts: str) -> list[Cell]:
    """The cells that the texts name."""
    return [cell(text) for text in texts]


def sheet_of(layout: Layout, entries: Entries) -> Sheet:
    """A sheet with those entries and no other."""
    assert all(cell in layout.index_by_cell for cell in entries)
    return tuple(entries.get(cell) for cell in layout.cells)


def sheet_empty_at(layout: Layout, empty: Iterable[str], score: int = 0) -> Sheet:
    """A sheet on which every playable cell but those named is filled, with `score`."""
    left = set(cells(*empty))
    playable = {layout.cells[index] for index in layout.playable}
    assert left <= playable
    return tuple(score if cell in playable - left else None for cell in layout.cells)


def position(
    variant: Variant,
    *empty: Iterable[str] | None,
    seat: int = 0,
    dice: Dice = (),
    roll: int = 0,
    announced: str | None = None,
    bound: Mapping[int, Iterable[tuple[str, int]]] | None = None,
) -> Game:
    """A position with one seat for each of `empty`: the only cells empty on its sheet, None for all of them.

    `bound`: for a seat the notification rows that wait for it, and who announced them.
    """
    game = start(variant, len(empty))
    layout = game.layout
    return replace(
        game,
        sheets=tuple(game.sheets[0] if left is None else sheet_empty_at(layout, left) for left in empty),
        pending=tuple(
            tuple(Binding(cell(f"notification {row}"), by) for row, by in (bound or {}).get(at, ()))
            for at in range(len(empty))
        ),
        turn=seat + 1,
        dice=dice,
        roll=roll or (1 if dice else 0),
        announced=cell(announced) if announced else None,
    )


def reason_for(game: Game, action: Action) -> Reason | None:
    """Why `apply` refuses the action; None if it doesn't."""
    try:
        apply(game, action, (1, 2, 3, 4, 5, 6)[: game.variant.dice])
    except IllegalAction as refused:
        return refused.reason
    return None
