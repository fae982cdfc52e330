"""Games, sheets and standings as plain values."""

from collections.abc import Iterable, Sequence

import orjson
from msgspec import Raw, Struct
from msgspec.json import Encoder

from app.rules.by_identity import by_identity
from app.rules.game import MAX_SEATS
from app.rules.layout import Layout, layout_of
from app.rules.plain.events import cell_from_plain, cell_to_plain
from app.rules.plain.reading import NotPlain, Plain, as_object, choice, items, nested, number, numbers
from app.rules.sheet import ColumnSums, Scores, Sheet, column_scores, column_sums
from app.rules.standings import Standing
from app.rules.state import Binding, Entry, Game, Undoing
from app.rules.variant import Cell, Variant


class GameShape(Struct, frozen=True):
    """A game's state as it looks in JSON, its variant apart."""

    sheets: Raw
    pending: Sequence[Sequence[Plain]]
    turn: int
    roll: int
    dice: tuple[int, ...]
    held: tuple[int, ...]
    announced: Plain | None
    undo: Undoing
    entry: Plain | None


def shape_of_game(game: Game) -> GameShape:
    """What `game_to_plain` gives, to be encoded by msgspec: at once, as a part of whatever it belongs to."""
    return GameShape(
        _encoded_sheets(game.sheets),
        [_bindings_to_plain(bindings) if bindings else () for bindings in game.pending],
        game.turn,
        game.roll,
        game.dice,
        game.held,
        None if game.announced is None else cell_to_plain(game.announced),
        game.undo,
        None if game.entry is None else _entry_to_plain(game.entry),
    )


@by_identity(kept=1024)
def _encoded_sheets(sheets: tuple[Sheet, ...]) -> Raw:
    """A roll leaves them as they are, an entry all but one."""
    return Raw(b"[" + b",".join([_encoded_sheet(sheet) for sheet in sheets]) + b"]")


@by_identity(kept=4096)
def _encoded_sheet(sheet: Sheet) -> bytes:
    return orjson.dumps(sheet)


def game_to_plain(game: Game) -> Plain:
    """The state of a game, its variant apart."""
    return {**orjson.loads(_encode(shape_of_game(game)))}


_encode = Encoder().encode


def game_from_plain(variant: Variant, plain: Plain) -> Game:
    """The game with that state; `variant` is the one that the table plays (`for_seats`).

    Types and shapes are checked, not whether the state can be reached.
    """
    layout = layout_of(variant)
    sheets = tuple(sheet_from_plain(layout, sheet) for sheet in items(plain, "sheets"))
    pending = tuple(_bindings_from_plain(bindings) for bindings in items(plain, "pending"))
    if not 1 <= len(sheets) <= MAX_SEATS or len(pending) != len(sheets):
        raise NotPlain(f"sheets, pending: one each for 1 to {MAX_SEATS} seats")
    return Game(
        layout=layout,
        sheets=sheets,
        pending=pending,
        turn=number(plain, "turn"),
        roll=number(plain, "roll"),
        dice=numbers(plain, "dice"),
        held=numbers(plain, "held"),
        announced=_announced_from_plain(plain),
        # A game stored before there was an undo has neither.
        undo=choice(plain, "undo", Undoing) if "undo" in plain else Undoing.OFF,
        entry=_entry_from_plain(nested(plain, "entry")) if plain.get("entry") is not None else None,
    )


def sheet_from_plain(layout: Layout, plain: object) -> Sheet:
    """A sheet as it is stored: scores by cell index."""
    if not isinstance(plain, list) or len(plain) != len(layout.cells):
        raise NotPlain(f"sheets: lists of {len(layout.cells)} cells are expected")
    # By type, not by isinstance: true is no score.
    if not {type(score) for score in plain} <= {int, type(None)}:
        raise NotPlain("sheets: scores are whole numbers or null")
    return tuple(plain)


def sheet_to_plain(layout: Layout, sheet: Sheet) -> Plain:
    """A sheet as a table shows it: filled cells by column and row, the sums of every column, the total.

    Columns without an entry are left out.
    """
    cells: dict[str, dict[str, int]] = {}
    sums: dict[str, Plain] = {}
    total = 0
    for column in layout.columns:
        scores = column_scores(layout, sheet, column)
        if scores != (None,) * len(scores):
            cells[column.text], sums[column.text], points = column_to_plain(layout, scores)
            total += points
    return {"total": total, "cells": cells, "sums": sums}


def column_to_plain(layout: Layout, scores: Scores) -> tuple[dict[str, int], Plain, int]:
    """A column's filled cells, sums and total."""
    sums = column_sums(layout, scores)
    filled = {row: score for row, score in zip(layout.row_texts, scores, strict=True) if score is not None}
    return filled, _sums_to_plain(sums), sums.total


def sheets_to_plain(game: Game) -> list[Plain]:
    """The sheets of all seats."""
    return [{"seat": seat, **sheet_to_plain(game.layout, sheet)} for seat, sheet in enumerate(game.sheets)]


def standings_to_plain(standings: Iterable[Standing]) -> list[Plain]:
    """Places, seats and totals, best first."""
    return [{"seat": seat, "place": place, "total": points} for place, seat, points in standings]


def _sums_to_plain(sums: ColumnSums) -> Plain:
    return {
        "upper": sums.upper,
        "bonus": sums.bonus,
        "middle": sums.middle,
        "lower": sums.lower,
        "total": sums.total,
    }


def _announced_from_plain(plain: Plain) -> Cell | None:
    return cell_from_plain(nested(plain, "announced")) if plain.get("announced") is not None else None


def _entry_to_plain(entry: Entry) -> Plain:
    return {
        **cell_to_plain(entry.cell),
        "turn": entry.turn,
        "roll": entry.roll,
        "dice": list(entry.dice),
        "held": list(entry.held),
        "announced": cell_to_plain(entry.announced) if entry.announced else None,
        "bound": _bindings_to_plain(entry.bound),
    }


def _entry_from_plain(plain: Plain) -> Entry:
    return Entry(
        cell=cell_from_plain(plain),
        turn=number(plain, "turn"),
        roll=number(plain, "roll"),
        dice=numbers(plain, "dice"),
        held=numbers(plain, "held"),
        announced=_announced_from_plain(plain),
        bound=_bindings_from_plain(items(plain, "bound")),
    )


def _bindings_to_plain(bindings: tuple[Binding, ...]) -> list[Plain]:
    return [{**cell_to_plain(binding.cell), "by": binding.by} for binding in bindings]


def _bindings_from_plain(plain: object) -> tuple[Binding, ...]:
    if not isinstance(plain, list):
        raise NotPlain("pending: a list for each seat is expected")
    bindings = (as_object(binding, "pending") for binding in plain)
    return tuple(Binding(cell_from_plain(binding), number(binding, "by")) for binding in bindings)
