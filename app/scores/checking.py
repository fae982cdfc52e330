"""Whether a record, as `GET /api/games/{id}` serves it, is the honest record of a game."""

import json
from pathlib import Path

from app.rules.events import Rolled
from app.rules.plain import Plain, readable, record_from_plain, record_to_plain
from app.rules.presets import PRESET_BY_ID
from app.rules.record import Record, WrongRecord, verify
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import Variant, content_id

_MAX_BYTES = 16 * 1024 * 1024
# What a record says beside its log, and must follow from it.
_DERIVED = ("sheets", "standings", "proof", "seats", "variant")


def check_file(path: Path) -> str:
    """The line that says what was recomputed. Raises ValueError with the line that says what is wrong."""
    try:
        return _printable(_check(_read(path)))
    except (ValueError, ArithmeticError, LookupError) as error:
        raise ValueError(_one_line(error)) from error


def _check(plain: Plain) -> str:
    record = readable(record_from_plain, plain, "the record")
    _check_variant(record.variant)
    final = verify(record)
    _compare(plain, record)
    return _summary(record, final)


def _read(path: Path) -> Plain:
    try:
        with path.open("rb") as file:
            encoded = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror or error}") from error
    if len(encoded) > _MAX_BYTES:
        raise ValueError(f"{path} is too big for the record of a game")
    try:
        plain = json.loads(encoded)
    except RecursionError:
        raise ValueError(f"{path} is no record: nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(plain, dict):
        raise ValueError(f"{path} is no record: an object is expected")
    return plain


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


def _one_line(error: Exception) -> str:
    return _printable(" ".join(str(error).split()))[:300]


def _printable(text: str) -> str:
    """A record comes from anywhere: it neither breaks the line nor speaks to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)
