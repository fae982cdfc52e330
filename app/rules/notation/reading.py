"""What every part of a line is read with: its words, and an error that names the place."""

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from app.rules.variant import Cell, ColumnKind, Row

T = TypeVar("T")

_NUMBER = re.compile("0|[1-9][0-9]{0,8}")
_SHOWN = 40


class WrongNotation(ValueError):
    """The line can't be read. `place`: the character, from 1, at which the wrong word begins."""

    def __init__(self, place: int, text: str, sentence: str) -> None:
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        super().__init__(f"at character {place}, {shown!r}: {sentence}")
        self.place = place


class Word(NamedTuple):
    """A part of a line, and the character, from 1, at which it begins."""

    text: str
    place: int

    def split(self, by: str) -> "list[Word]":
        """The parts between the separators."""
        parts, place = [], self.place
        for text in self.text.split(by):
            parts.append(Word(text, place))
            place += len(text) + len(by)
        return parts

    def partition(self, by: str) -> "tuple[Word, Word | None]":
        """What stands before the first separator, and what after it; None where there is none."""
        text, found, rest = self.text.partition(by)
        return Word(text, self.place), Word(rest, self.place + len(text) + len(by)) if found else None

    def after(self, prefix: str) -> "Word":
        """The rest of a word that begins so."""
        return Word(self.text.removeprefix(prefix), self.place + len(prefix))

    def wrong(self, sentence: str) -> WrongNotation:
        """The error that says what is expected in place of this word."""
        return WrongNotation(self.place, self.text, sentence)


def number_of(word: Word) -> int:
    """A whole number from 0, without leading zeros."""
    if not _NUMBER.fullmatch(word.text):
        raise word.wrong("a whole number is expected")
    return int(word.text)


def one_of(word: Word, among: Iterable[T]) -> T:
    """That which is written so."""
    by_text = {str(it): it for it in among}
    if word.text not in by_text:
        raise word.wrong(f"one of {', '.join(by_text)} is expected")
    return by_text[word.text]


def cell_of(word: Word) -> Cell:
    """The cell column.row, which may be on no sheet."""
    column, row = word.partition(".")
    if row is None:
        raise word.wrong("column.row is expected")
    return Cell(one_of(column, ColumnKind), one_of(row, Row))


def format_cell(cell: Cell) -> str:
    """A cell as column.row."""
    return f"{cell.column}.{cell.row}"


def faces_of(word: Word, dice: int, allowed: str) -> str:
    """The characters of a word that has one of those allowed for each die."""
    if len(word.text) != dice or not set(word.text) <= set(allowed):
        raise word.wrong(f"{dice} characters of {allowed} are expected")
    return word.text


def check_form(words: list[Word], usual: list[str]) -> None:
    """Raises WrongNotation at the first word that isn't written in the usual form."""
    for word, text in zip(words, [*usual, *[""] * (len(words) - len(usual))], strict=False):
        if word.text != text:
            raise word.wrong(f"its usual form is {text}" if text else "nothing is expected here")
