"""Dice that anybody can check: every face is fixed by a secret that is committed to before the start.

Source: docs/rules.md, Dice. The secret itself is drawn by the caller.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from hmac import digest

from app.rules.dice import Dice

SECRET_BYTES = 32
MAX_TEXT_CHARACTERS = 64

# 252 is the largest multiple of six that a byte can hold: below it every face is equally likely.
_FAIR_BYTES = 252


def commitment_of(secret: bytes) -> str:
    """The commitment to a secret, in hexadecimal. Public from the moment the secret exists."""
    return sha256(secret).hexdigest()


def game_key(secret: bytes, texts: Sequence[str], game_id: str) -> bytes:
    """The key from which every face of a game is read. `texts` are the seats' texts in seat order.

    HMAC-SHA256 under the secret of the texts and then the game id, each as UTF-8 after its length in two bytes.
    """
    message = b"".join(_length_prefixed(text) for text in (*texts, game_id))
    return digest(secret, message, "sha256")


def draw(key: bytes, seat: int, turn: int, roll: int, dice: int) -> Dice:
    """Faces of a roll, one for each die position. `seat` from 0, `turn` (the seat's own) and `roll` from 1."""
    faces = _faces(key, f"{seat}:{turn}:{roll}")
    return tuple(next(faces) for _ in range(dice))


def _faces(key: bytes, name: str) -> Iterator[int]:
    block = 0
    while True:
        for byte in digest(key, f"{name}:{block}".encode(), "sha256"):
            if byte < _FAIR_BYTES:
                yield byte % 6 + 1
        block += 1


def _length_prefixed(text: str) -> bytes:
    encoded = text.encode()
    return len(encoded).to_bytes(2, "big") + encoded
