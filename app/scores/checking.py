"""Whether records, in whatever form a server serves them, are the honest records of games."""

from pathlib import Path

from app.rules.events import Rolled
from app.rules.plain import Plain, as_object, readable, record_from_plain, record_to_plain
from app.rules.presets import PRESET_BY_ID
from app.rules.record import Record, WrongRecord, verify
from app.rules.sheet import total
from app.rules.state import Game
from app.rules.variant import Variant, content_id
from app.scores.noted import Noted, compare
from app.scores.record_files import Found, games_in, one_line, printable, read_file

# What a record says beside its log, and must follow from it.
_DERIVED = ("sheets", "standings", "proof", "seats", "variant")


def check_file(path: Path, noted: Noted | None = None) -> str:
    """A line for each game, on what was recomputed. Raises ValueError with a line for each wrong one.

    `noted`: what somebody wrote down before the start of the only game in the file.
    """
    noted = noted or Noted()
    try:
        games = games_in(read_file(path), path)
    except ValueError as error:
        raise ValueError(one_line(error)) from error
    if len(games) > 1 and not noted.is_empty:
        raise ValueError(f"a note is of one game, and there are {len(games)} in the file")
    lines: list[str] = []
    wrong: list[str] = []
    for found in games:
        try:
            lines.append(_placed(printable(_line(found.plain, noted)), found))
        except (ValueError, ArithmeticError, LookupError) as error:
            wrong.append(one_line(ValueError(_placed(str(error), found))))
    if wrong:
        raise ValueError("\nwrong: ".join(wrong))
    return "\n".join(lines)


def _line(plain: object, noted: Noted) -> str:
    record, final = checked_record(plain)
    return f"{_summary(record, final)}; {compare(record, noted)}"


def _placed(line: str, found: Found) -> str:
    if not found.place:
        return line
    return (
        line.replace("ok: ", f"ok: {found.place}: ", 1)
        if line.startswith("ok: ")
        else f"{found.place}: {line}"
    )


def checked_record(plain: object) -> tuple[Record, Game]:
    """The record that is shown so, found to be honest, and its final game. Raises ValueError and the like."""
    record = readable(record_from_plain, plain, "the record")
    _check_variant(record.variant)
    final = verify(record)
    _compare(as_object(plain, "the record"), record)
    return record, final


def _check_variant(variant: Variant) -> None:
    """A name stands for its parameters: a preset's for what it is here, any other is made from them."""
    preset = PRESET_BY_ID.get(variant.id)
    if variant != preset and variant.id != content_id(variant):
        raise WrongRecord(f"variant: its parameters are not those of {variant.id}")


def _compare(plain: Plain, record: Record) -> None:
    replayed = record_to_plain(record)
    for name in _DERIVED:
        if wrong := _difference(plain.get(name), replayed[name], name):
            raise WrongRecord(f"{wrong}: not what the log and the secret give")


def _difference(given: object, right: object, name: str) -> str | None:
    """The field that isn't as it must be, such as `sheets[1].total`; None where all are.

    What an answer says beside a record stands at its seats, where it changes nothing of the game: who has
    which user name today. Everywhere else a field that isn't known is wrong: it may be a rule.
    """
    if isinstance(given, dict) and isinstance(right, dict):
        names = right if name.startswith("seats[") else {**right, **given}
        parts = [(given.get(key), right.get(key), f"{name}.{key}") for key in names]
        if any(key not in given or key not in right for key in names):
            return next(f"{name}.{key}" for key in names if key not in given or key not in right)
    elif isinstance(given, list) and isinstance(right, list) and len(given) == len(right):
        parts = [
            (one, other, f"{name}[{at}]") for at, (one, other) in enumerate(zip(given, right, strict=True))
        ]
    else:
        return None if type(given) is type(right) and given == right else name
    return next((wrong for part in parts if (wrong := _difference(*part))), None)


def _summary(record: Record, final: Game) -> str:
    rolls = sum(isinstance(event, Rolled) for event in record.log)
    totals = ", ".join(
        f"{seat.name} {total(final.layout, sheet)}"
        for seat, sheet in zip(record.seats, final.sheets, strict=True)
    )
    return f"ok: {rolls} rolls recomputed, {len(record.log)} events replayed, final totals {totals}"
