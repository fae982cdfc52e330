"""Recovery codes: random, shown once, and enough to set a new password. Long, so a plain hash is kept."""

import secrets
from hashlib import sha256

# Crockford's: none of them is taken for another, and none makes words.
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_GROUPS = 6
_GROUP_LETTERS = 4
_READ_AS = str.maketrans("OIL", "011", " -\t\n\r")


def make_recovery_code() -> str:
    """A new code of 120 random bits, in groups: `7K2M-…`."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP_LETTERS)) for _ in range(_GROUPS))


def hash_of_recovery_code(typed: str) -> bytes:
    """What is stored of a code; however it is typed, with small letters, O for 0, or without its groups."""
    return sha256(typed.upper().translate(_READ_AS).encode(errors="replace")).digest()
