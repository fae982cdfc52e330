"""What somebody wrote down of a game's dice before the start, compared with the record's proof. Pure.

A record proves only what follows from its own commitment and texts. Whether those are the ones of the
start, only somebody's note can tell.
"""

import re
from dataclasses import dataclass, field

from app.rules.record import Record, WrongRecord

_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Noted:
    """A commitment (64 hexadecimal digits, lower case; None: not noted), and texts by seat from 0."""

    commitment: str | None = None
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was noted."""
        return self.commitment is None and not self.texts


def noted_from(commitment: str | None, texts: list[str]) -> Noted:
    """What the command line says. `texts`: each as SEAT=TEXT. Raises ValueError."""
    if commitment is not None and not _COMMITMENT.fullmatch(commitment.lower()):
        raise ValueError("--commitment: 64 hexadecimal digits are expected")
    by_seat: dict[int, str] = {}
    for given in texts:
        seat, text = _seat_and_text(given)
        if seat in by_seat:
            raise ValueError(f"--text: seat {seat} has two texts")
        by_seat[seat] = text
    return Noted(commitment and commitment.lower(), by_seat)


def compare(record: Record, noted: Noted) -> str:
    """What was compared and what was not, as part of a sentence. Raises WrongRecord where they differ."""
    if noted.is_empty:
        return "compared with no note from before the start"
    if noted.commitment not in (None, record.commitment):
        raise WrongRecord("the commitment is not the one you noted")
    for seat, text in noted.texts.items():
        if seat >= len(record.seats):
            raise WrongRecord(f"you noted a text of seat {seat}, but the game has {len(record.seats)} seats")
        if record.seats[seat].text != text:
            raise WrongRecord(f"the text of seat {seat} is not the one you noted")
    return f"{_compared(noted)}; {_not_compared(record, noted)}"


def _compared(noted: Noted) -> str:
    parts = ["the commitment"] if noted.commitment is not None else []
    parts += [f"the text of seat {seat}" for seat in sorted(noted.texts)]
    return f"as you noted: {', '.join(parts)}"


def _not_compared(record: Record, noted: Noted) -> str:
    """The texts of bots need no note: they are always the same."""
    parts = ["the commitment"] if noted.commitment is None else []
    persons = [seat for seat, who in enumerate(record.seats) if not who.is_bot]
    parts += [f"the text of seat {seat}" for seat in persons if seat not in noted.texts]
    return f"not compared: {', '.join(parts) or 'nothing'}"


def _seat_and_text(given: str) -> tuple[int, str]:
    seat, equals, text = given.partition("=")
    if not equals or not re.fullmatch(r"[0-7]", seat, re.ASCII):
        raise ValueError("--text: SEAT=TEXT is expected, with a seat from 0 to 7")
    return int(seat), text
