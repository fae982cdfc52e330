"""Short codes by which variants are shared: ten letters and digits made from the id of the content.

No letter looks like a digit: they are those of Crockford's base 32, and what is typed for 0 and 1 is read so.
"""

import re

from app.rules.variant import Variant

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOK_ALIKES = str.maketrans("OIL", "011")
_LENGTH = 10
_BITS = 5 * _LENGTH
_CONTENT_ID = re.compile(r"x-([0-9a-f]{16})")
_ID_BITS = 64


def share_code(variant: Variant) -> str | None:
    """The code of a variant that is known by its content, such as 7KQ2M-4XD9T; None for a preset."""
    return code_of_id(variant.id)


def code_of_id(variant_id: str) -> str | None:
    """The code of the variant with that id; None for a preset's."""
    match = _CONTENT_ID.fullmatch(variant_id)
    if match is None:
        return None
    number = int(match[1], 16) >> (_ID_BITS - _BITS)
    letters = [_LETTERS[number >> shift & 31] for shift in range(_BITS - 5, -1, -5)]
    return _grouped("".join(letters))


def read_share_code(typed: str) -> str | None:
    """The code as it is written, from how somebody typed it: any case, with or without the stroke.

    None for what can't be one.
    """
    letters = typed.upper().replace("-", "").replace(" ", "").translate(_LOOK_ALIKES)
    if len(letters) != _LENGTH or not set(letters) <= set(_LETTERS):
        return None
    return _grouped(letters)


def is_content_id(variant_id: str) -> bool:
    """Whether an id is one that is made from a variant's content."""
    return _CONTENT_ID.fullmatch(variant_id) is not None


def _grouped(letters: str) -> str:
    half = _LENGTH // 2
    return f"{letters[:half]}-{letters[half:]}"
