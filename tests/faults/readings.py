"""What bytes and what dice a text may tell, in whatever form it is written. Pure."""

import base64
import binascii
import re
from collections.abc import Iterator

from tests.faults.view import Message

_RUN = re.compile(r"[A-Za-z0-9+/_=-]{11,}")
_PAIRS = re.compile(r"(?:(?:0x|\\+x|%)?[0-9A-Fa-f]{2}[\s,:;.-]{0,2}){8,}")
_LIST = re.compile(r"\d{1,3}(?:[\s,;:]{1,3}\d{1,3}){7,}")
_HEX = re.compile(r"[0-9A-Fa-f]{16,}")
_BASE32 = re.compile(r"[A-Z2-7]{13,}")
_DECIMAL = re.compile(r"\d{17,}")
_ESCAPED = re.compile(r"\\u00([0-9A-Fa-f]{2})")
_FACES = re.compile(r"(?<![0-9A-Za-z])[1-6](?:[\s,;:/|-]{0,2}[1-6]){4,}(?![0-9A-Za-z])")
_MOST_BYTE = 255
_FACE_NUMBERS = range(1, 7)
_SHOWS_DICE = frozenset({"dice", "counted", "variant"})
"""Parts of messages that show dice that have fallen, or rules."""


def runs(text: str) -> set[str]:
    """The pieces of a text that may be bytes written down; `bytes_of` reads each."""
    text = text.replace("\\/", "/")
    found = {match.group() for regex in (_RUN, _PAIRS, _LIST) for match in regex.finditer(text)}
    if not text.isascii() or _ESCAPED.search(text):
        found.add(text)
    return found


def bytes_of(run: str) -> Iterator[bytes]:
    """Every reading of a piece as bytes, wherever in it and in whichever direction they are written."""
    for text in (run, run[::-1]):
        for letters in _RUN.findall(text):
            yield from _base64(letters)
        for digits in _HEX.findall(text):
            yield from (bytes.fromhex(piece[: len(piece) // 2 * 2]) for piece in (digits, digits[1:]))
        for letters in _BASE32.findall(text.upper()):
            yield from _base32(letters)
    for digits in _DECIMAL.findall(run):
        number = int(digits)
        yield number.to_bytes((number.bit_length() + 7) // 8, "big")
    if _PAIRS.fullmatch(run):
        yield bytes.fromhex("".join(re.findall(r"[0-9A-Fa-f]{2}", run.replace("0x", ""))))
    if _LIST.fullmatch(run):
        yield bytes(int(number) for number in re.findall(r"\d+", run) if int(number) <= _MOST_BYTE)
    if not run.isascii() or "\\u" in run:
        yield _ESCAPED.sub(lambda match: chr(int(match[1], 16)), run).encode("latin-1", "ignore")


def faces_of(message: Message) -> Iterator[str]:
    """Faces side by side, five or more, where a message has no dice to show: "13254"."""
    yield from _faces(message, "")


def _base64(run: str) -> Iterator[bytes]:
    letters = run.translate(_STANDARD).replace("=", "")
    for skipped in range(4):
        piece = letters[skipped:]
        yield base64.b64decode(piece[: len(piece) // 4 * 4])
        if len(piece) % 4 > 1:
            yield base64.b64decode(piece + "=" * (-len(piece) % 4))


_STANDARD = str.maketrans("-_", "+/")


def _base32(letters: str) -> Iterator[bytes]:
    for skipped in range(8):
        piece = letters[skipped:]
        try:
            yield base64.b32decode(piece[: len(piece) // 8 * 8])
        except binascii.Error:
            continue


def _faces(value: object, part: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in _SHOWS_DICE:
                yield from _faces(inner, name)
    elif isinstance(value, list):
        yield from _faces_in_list(value)
        for inner in value:
            yield from _faces(inner, part)
    elif isinstance(value, str) or (isinstance(value, int) and part != "version"):
        for match in _FACES.finditer(str(value)):
            yield re.sub(r"\D", "", match.group())


def _faces_in_list(values: list[object]) -> Iterator[str]:
    if values and all(isinstance(value, int) for value in values):
        text = "".join(str(value) if value in _FACE_NUMBERS else " " for value in values)
        yield from (piece for piece in text.split() if len(piece) > 4)
