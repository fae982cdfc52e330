"""Dice that anybody can check: every face is fixed by a secret that is committed to before the start.

Source: docs/rules.md, Dice. The secret itself is drawn by the caller.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from app.rules.dice import Dice
from app.rules.state import Game

if TYPE_CHECKING:
    from hashlib import _Hash

SECRET_BYTES = 32
MAX_TEXT_CHARACTERS = 64
BOT_TEXT = "bot"
"""The text of every bot's seat. A text that varied would be of the server's choice."""

# 252 is the largest multiple of six that a byte can hold: below it every face is equally likely.
_FAIR_BYTES = 252
_UNFAIR = bytes(range(_FAIR_BYTES, 256))
_FACE_BY_BYTE = bytes(byte % 6 + 1 for byte in range(256))
_MAX_TEXT_BYTES = 2**16 - 1
_BLOCK_BYTES = 64  # of SHA-256


class RollName(NamedTuple):
    """Which roll of a game: seat (from 0), its own turn (from 1, passes count), roll in it (from 1)."""

    seat: int
    turn: int
    roll: int


def commitment_of(secret: bytes) -> str:
    """The commitment to a secret, in hexadecimal. Public from the moment the secret exists."""
    return sha256(secret).hexdigest()


def game_key(secret: bytes, texts: Sequence[str], game_id: str) -> bytes:
    """The key from which every face of a game is read. `texts`: the seats' texts in seat order.

    HMAC-SHA256 under the secret of the texts and then the game id, each in UTF-8 after its two-byte length.
    Raises ValueError for a text that has no UTF-8 or whose length has no two bytes.
    """
    message = b"".join(_length_prefixed(text) for text in (*texts, game_id))
    return digest(secret, message, "sha256")


def draw(key: bytes, name: RollName, dice: int) -> Dice:
    """Faces of a roll, one for each die position, held or not."""
    faces = b""
    for block in count():
        faces += _faces(_hmac(key, f"{name.seat}:{name.turn}:{name.roll}:{block}".encode()))
        if len(faces) >= dice:
            break
    return tuple(faces[:dice])


def draw_next(key: bytes, game: Game) -> Dice:
    """Faces of the next roll of the seat to move: what `apply` takes as `drawn`."""
    return draw(key, RollName(game.seat, game.seat_turn, game.roll + 1), game.variant.dice)


def _faces(block: bytes) -> bytes:
    """A face for every byte of the block that gives one."""
    return block.translate(_FACE_BY_BYTE, _UNFAIR)


def _hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 (RFC 2104), in a third of the time of `hmac.digest`, which gives Python's lock away too."""
    inner, outer = _keyed(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=1024)
def _keyed(key: bytes) -> "tuple[_Hash, _Hash]":
    """The inner and the outer hash after the key, to be copied. Kept: a game draws from one key."""
    block = (key if len(key) <= _BLOCK_BYTES else sha256(key).digest()).ljust(_BLOCK_BYTES, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in block)), sha256(bytes(byte ^ 0x5C for byte in block))


def _length_prefixed(text: str) -> bytes:
    encoded = text.encode()
    if len(encoded) > _MAX_TEXT_BYTES:
        raise ValueError(f"a text of more than {_MAX_TEXT_BYTES} bytes")
    return len(encoded).to_bytes(2, "big") + encoded
