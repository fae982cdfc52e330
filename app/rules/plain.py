"""Variants, events and states as plain values (dict, list, str, int, None), and back.

The one owner of how these look outside: on the wire, in the store and in a record. Reading is strict: a value that
isn't what it should be raises ValueError (InvalidVariant is one) or KeyError, which `readable` turns into NotPlain.
"""

from collections.abc import Callable
from typing import TypeVar, assert_never, cast

from app.rules.events import Announced, Event, Filled, Passed, Rolled
from app.rules.game import standings
from app.rules.layout import Layout, layout_of
from app.rules.record import Record, RecordSeat
from app.rules.sheet import Sheet, column_scores, column_sums
from app.rules.state import Binding, Game
from app.rules.variant import (
    ROLLS,
    BonusStep,
    Cell,
    Column,
    ColumnKind,
    Counted,
    Duty,
    Middle,
    Reach,
    Row,
    RowRule,
    StraightByRoll,
    StraightBySize,
    Variant,
    section_of,
)

Plain = dict[str, object]
T = TypeVar("T")


class NotPlain(ValueError):
    """A plain value that can't be read."""


def readable(read: Callable[[Plain], T], plain: object, name: str) -> T:
    """`read(plain)`; raises NotPlain with a sentence that says what `name` is wrong, instead of any other error."""
    if not isinstance(plain, dict):
        raise NotPlain(f"{name}: an object is expected")
    try:
        return read(plain)
    except KeyError as error:
        raise NotPlain(f"{name}: {error.args[0]} is missing") from error
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        raise NotPlain(f"{name}: {error}") from error


def variant_to_plain(variant: Variant) -> Plain:
    """Every parameter of a variant, and what a sheet needs to be drawn: sections, playable columns, turns."""
    return {
        "id": variant.id,
        "dice": variant.dice,
        "rolls": ROLLS,
        "last_cell_rolls": variant.last_cell_rolls,
        "max_hold": variant.max_hold,
        "auto_fill": variant.auto_fill,
        "turns": variant.turns,
        "rows": [_row_to_plain(rule) for rule in variant.rows],
        "columns": [_column_to_plain(column) for column in variant.columns],
        "bonus_steps": [{"at_least": step.at_least, "award": step.award} for step in variant.bonus_steps],
        "middle": {"formula": variant.middle.value, "floor": variant.middle_floor},
    }


def variant_from_plain(plain: Plain) -> Variant:
    """The variant with these parameters; what can be derived from them is not read."""
    middle = _object(plain["middle"])
    return Variant(
        id=_text(plain["id"]),
        dice=_number(plain["dice"]),
        rows=tuple(_row_from_plain(_object(rule)) for rule in _list(plain["rows"])),
        columns=tuple(_column_from_plain(_object(column)) for column in _list(plain["columns"])),
        bonus_steps=tuple(
            BonusStep(_number(_object(step)["at_least"]), _number(_object(step)["award"]))
            for step in _list(plain["bonus_steps"])
        ),
        middle=Middle(middle["formula"]),
        middle_floor=_flag(middle["floor"]),
        max_hold=_number(plain["max_hold"]),
        auto_fill=_flag(plain["auto_fill"]),
        last_cell_rolls=_number(plain["last_cell_rolls"]),
    )


def cell_to_plain(cell: Cell) -> Plain:
    """A cell by the names of its column and row."""
    return {"column": cell.column.value, "row": cell.row.value}


def cell_from_plain(plain: Plain) -> Cell:
    """The cell with these names."""
    return Cell(ColumnKind(plain["column"]), Row(plain["row"]))


def event_to_plain(event: Event) -> Plain:
    """An event as the protocol and the record show it."""
    match event:
        case Rolled():
            return {
                "type": "rolled",
                "seat": event.seat,
                "roll": event.roll,
                "dice": list(event.dice),
                "held": list(event.held),
            }
        case Announced():
            return {"type": "announced", "seat": event.seat, **cell_to_plain(event.cell)}
        case Filled():
            return {"type": "filled", "seat": event.seat, **cell_to_plain(event.cell), "score": event.score}
        case Passed():
            return {"type": "passed", "seat": event.seat}
        case _:
            assert_never(event)


def event_from_plain(plain: Plain) -> Event:
    """The event that is shown so."""
    return _EVENT_READERS[_text(plain["type"])](plain)


_EVENT_READERS: dict[str, Callable[[Plain], Event]] = {
    "rolled": lambda plain: Rolled(
        _number(plain["seat"]), _number(plain["roll"]), _numbers(plain["dice"]), _numbers(plain["held"])
    ),
    "announced": lambda plain: Announced(_number(plain["seat"]), cell_from_plain(plain)),
    "filled": lambda plain: Filled(_number(plain["seat"]), cell_from_plain(plain), _number(plain["score"])),
    "passed": lambda plain: Passed(_number(plain["seat"])),
}


def game_to_plain(game: Game) -> Plain:
    """The state of a game, its variant apart."""
    return {
        "sheets": [list(sheet) for sheet in game.sheets],
        "pending": [[{**cell_to_plain(b.cell), "by": b.by} for b in bindings] for bindings in game.pending],
        "turn": game.turn,
        "roll": game.roll,
        "dice": list(game.dice),
        "held": list(game.held),
        "announced": cell_to_plain(game.announced) if game.announced else None,
    }


def game_from_plain(variant: Variant, plain: Plain) -> Game:
    """The game with that state; `variant` is the one that the table plays (`for_seats`)."""
    announced = plain["announced"]
    return Game(
        layout=layout_of(variant),
        sheets=tuple(tuple(cast("list[int | None]", sheet)) for sheet in _list(plain["sheets"])),
        pending=tuple(
            tuple(Binding(cell_from_plain(_object(b)), _number(_object(b)["by"])) for b in _list(bindings))
            for bindings in _list(plain["pending"])
        ),
        turn=_number(plain["turn"]),
        roll=_number(plain["roll"]),
        dice=_numbers(plain["dice"]),
        held=_numbers(plain["held"]),
        announced=cell_from_plain(_object(announced)) if announced is not None else None,
    )


def sheet_to_plain(layout: Layout, sheet: Sheet) -> Plain:
    """A sheet as a table shows it: filled cells by column and row, the sums of every column, the total."""
    cells: dict[str, dict[str, int]] = {}
    sums: dict[str, Plain] = {}
    total = 0
    for column in layout.columns:
        scores = column_scores(layout, sheet, column)
        filled = {
            row.value: score for row, score in zip(layout.rows, scores, strict=True) if score is not None
        }
        if filled:
            kind = column.column.kind.value
            column_sum = column_sums(layout.variant, scores)
            cells[kind] = filled
            sums[kind] = {
                "upper": column_sum.upper,
                "bonus": column_sum.bonus,
                "middle": column_sum.middle,
                "lower": column_sum.lower,
                "total": column_sum.total,
            }
            total += column_sum.total
    return {"total": total, "cells": cells, "sums": sums}


def sheets_to_plain(game: Game) -> list[Plain]:
    """The sheets of all seats."""
    return [{"seat": seat, **sheet_to_plain(game.layout, sheet)} for seat, sheet in enumerate(game.sheets)]


def standings_to_plain(game: Game) -> list[Plain]:
    """Places, seats and totals, best first."""
    return [{"seat": seat, "place": place, "total": points} for place, seat, points in standings(game)]


def record_to_plain(record: Record) -> Plain:
    """A record as `GET /api/games/{id}` serves it and `yamb verify` reads it."""
    final = record.final
    return {
        "id": record.game_id,
        "variant": variant_to_plain(record.variant),
        "seats": [
            {"seat": seat, "player": who.player, "name": who.name, "ended": who.ended}
            for seat, who in enumerate(record.seats)
        ],
        "started_at": record.started_at,
        "ended_at": record.ended_at,
        "reason": record.reason,
        "standings": standings_to_plain(final),
        "sheets": sheets_to_plain(final),
        "log": [event_to_plain(event) for event in record.log],
        "proof": {
            "game": record.game_id,
            "commitment": record.commitment,
            "secret": record.secret.hex(),
            "texts": [who.text for who in record.seats],
        },
    }


def record_from_plain(plain: Plain) -> Record:
    """The record that is shown so. Sheets and standings follow from the log and are not read."""
    proof = _object(plain["proof"])
    seats = [_object(seat) for seat in _list(plain["seats"])]
    texts = [_text(text) for text in _list(proof["texts"])]
    return Record(
        game_id=_text(plain["id"]),
        variant=variant_from_plain(_object(plain["variant"])),
        seats=tuple(
            RecordSeat(_text(seat["player"]), _text(seat["name"]), text, _text(seat["ended"]))
            for seat, text in zip(seats, texts, strict=True)
        ),
        log=tuple(event_from_plain(_object(event)) for event in _list(plain["log"])),
        secret=bytes.fromhex(_text(proof["secret"])),
        commitment=_text(proof["commitment"]),
        started_at=_number(plain["started_at"]),
        ended_at=_number(plain["ended_at"]),
        reason=_text(plain["reason"]),
    )


def _row_to_plain(rule: RowRule) -> Plain:
    plain: Plain = {"row": rule.row.value, "section": section_of(rule.row).value}
    if rule.bonus:
        plain["bonus"] = rule.bonus
    if rule.counted is Counted.ALL:
        plain["counted"] = rule.counted.value
    if isinstance(rule.straight, StraightBySize):
        plain["straight"] = {"small": rule.straight.small, "large": rule.straight.large}
    elif isinstance(rule.straight, StraightByRoll):
        plain["straight"] = {"by_roll": list(rule.straight.values), "shortest": rule.straight.shortest}
    return plain


def _row_from_plain(plain: Plain) -> RowRule:
    straight = plain.get("straight")
    return RowRule(
        row=Row(plain["row"]),
        bonus=_number(plain.get("bonus", 0)),
        counted=Counted(plain.get("counted", Counted.MATCHING.value)),
        straight=_straight_from_plain(_object(straight)) if straight is not None else None,
    )


def _straight_from_plain(plain: Plain) -> StraightBySize | StraightByRoll:
    if "by_roll" in plain:
        first, second, third = _numbers(plain["by_roll"])
        return StraightByRoll((first, second, third), _number(plain["shortest"]))
    return StraightBySize(small=_number(plain["small"]), large=_number(plain["large"]))


def _column_to_plain(column: Column) -> Plain:
    plain: Plain = {"column": column.kind.value, "playable": column.is_playable}
    if column.split is not None:
        plain["split"] = column.split.value
    if column.window:
        plain["window"] = list(column.window)
    if column.kind is ColumnKind.NOTIFICATION:
        plain |= {"reach": column.reach.value, "duty": column.duty.value}
    return plain


def _column_from_plain(plain: Plain) -> Column:
    split = plain.get("split")
    return Column(
        kind=ColumnKind(plain["column"]),
        split=Row(split) if split is not None else None,
        window=_numbers(plain.get("window", [])),
        reach=Reach(plain.get("reach", Reach.NEXT.value)),
        duty=Duty(plain.get("duty", Duty.MUST.value)),
    )


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"a whole number is expected, not {value!r:.40}")
    return value


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(_number(item) for item in _list(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"a text is expected, not {value!r:.40}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"true or false is expected, not {value!r:.40}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"a list is expected, not {value!r:.40}")
    return value


def _object(value: object) -> Plain:
    if not isinstance(value, dict):
        raise ValueError(f"an object is expected, not {value!r:.40}")
    return value
