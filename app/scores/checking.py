"""Whether a record, as `GET /api/games/{id}` serves it, is the honest record of a game."""

from pathlib import Path

from app.rules.events import Rolled
from app.rules.plain import Plain, readable, record_from_plain, record_to_plain
from app.rules.presets import PRESET_BY_ID
from app.rules.record import Record, WrongRecord, verify
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import Variant, content_id
from app.scores.record_files import one_line, printable, read_file, read_object

# What a record says beside its log, and must follow from it.
_DERIVED = ("sheets", "standings", "proof", "seats", "variant")


def check_file(path: Path) -> str:
    """The line that says what was recomputed. Raises ValueError with the line that says what is wrong."""
    try:
        record, final = checked_record(read_object(read_file(path), path))
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ValueError(one_line(error)) from error
    return printable(_summary(record, final))


def checked_record(plain: Plain) -> tuple[Record, Game]:
    """The record that is shown so, found to be honest, and its final game. Raises ValueError and the like."""
    record = readable(record_from_plain, plain, "the record")
    _check_variant(record.variant)
    final = verify(record)
    _compare(plain, record)
    return record, final


def _check_variant(variant: Variant) -> None:
    """A name stands for its parameters: a preset's for what it is here, any other is made from them."""
    preset = PRESET_BY_ID.get(variant.id)
    if variant != preset and variant.id != content_id(variant):
        raise WrongRecord(f"variant: its parameters are not those of {variant.id}")


def _compare(plain: Plain, record: Record) -> None:
    replayed = record_to_plain(record)
    for name in _DERIVED:
        if plain.get(name) != replayed[name]:
            raise WrongRecord(f"{name}: not what the log and the secret give")


def _summary(record: Record, final: Game) -> str:
    rolls = sum(isinstance(event, Rolled) for event in record.log)
    totals = ", ".join(
        f"{seat.name} {total(final.layout, sheet)}"
        for seat, sheet in zip(record.seats, final.sheets, strict=True)
    )
    return f"ok: {rolls} rolls recomputed, {len(record.log)} events replayed, final totals {totals}"
