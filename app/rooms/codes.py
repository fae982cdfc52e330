"""The codes of rooms: short and easy to say. What is asked for by a request id gets the same each time."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # less I and O, which look like 1 and 0
LENGTH = 6


def read_room_code(typed: str) -> str:
    """The code of a room from how somebody wrote it: in any case, with spaces, hyphens or a full stop."""
    return "".join(character for character in typed.upper() if character.isalpha())


def codes_for(request: str | None, draw: Callable[[int], bytes]) -> Iterator[str]:
    """Codes to try one after another, without an end: drawn, or those of the request (player and request id).

    Nobody finds the room of a request who doesn't know its id.
    """
    for attempt in count():
        yield _letters(draw(LENGTH) if request is None else sha256(f"{request}:{attempt}".encode()).digest())


def _letters(octets: bytes) -> str:
    return "".join(LETTERS[octet % len(LETTERS)] for octet in octets[:LENGTH])
