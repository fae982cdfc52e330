"""Cursors: from where the next or previous page of a board is read, signed so that nobody makes one up. Pure.

It is bound to what it was given for, such as the board and the player asked for: elsewhere it is foreign.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from app.scores.boards import Edge, Position, Side

_MOST_LETTERS = 400
_SIGNATURE_BYTES = 16
_SIDES = tuple(Side)


@dataclass(frozen=True, slots=True)
class Mark:
    """What a cursor says: an edge, and the key of the period that was meant when the first page was read."""

    period: str
    edge: Edge


class WrongCursor(ValueError):
    """This is no cursor that was given for what is asked."""


def write_cursor(key: bytes, purpose: Sequence[str], mark: Mark) -> str:
    """The cursor with a mark. `purpose`: what it is good for."""
    edge = mark.edge
    values = [mark.period, _SIDES.index(edge.side), *edge.position]
    said = json.dumps(values, separators=(",", ":")).encode()
    return urlsafe_b64encode(_sign(key, purpose, said) + said).decode().rstrip("=")


def read_cursor(key: bytes, purpose: Sequence[str], cursor: str) -> Mark:
    """The mark in a cursor. Raises WrongCursor."""
    signed = _decode(cursor)
    signature, said = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _sign(key, purpose, said)):
        raise WrongCursor(_SENTENCE)
    period, side, score, ended_at, game, seat = json.loads(said)
    return Mark(period, Edge(_SIDES[side], Position(score, ended_at, game, seat)))


_SENTENCE = "this is no cursor of this leaderboard: take one from `next` or `previous` of an answer"


def _sign(key: bytes, purpose: Sequence[str], said: bytes) -> bytes:
    """The purpose is signed too and not said. Its length keeps what is said apart from it."""
    stated = json.dumps(list(purpose)).encode()
    signed = len(stated).to_bytes(4, "big") + stated + said
    return hmac.new(key, signed, sha256).digest()[:_SIGNATURE_BYTES]


def _decode(cursor: str) -> bytes:
    """Only the one spelling that was written is read."""
    if len(cursor) > _MOST_LETTERS or not cursor.isascii():
        raise WrongCursor(_SENTENCE)
    try:
        signed = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        raise WrongCursor(_SENTENCE) from None
    if urlsafe_b64encode(signed).decode().rstrip("=") != cursor:
        raise WrongCursor(_SENTENCE)
    return signed
