"""Which names a player may bear: any script, but nothing invisible and nothing that turns the text around."""

import re
import unicodedata
from typing import NamedTuple

MAX_CHARACTERS = 24
DELETED_NAME = "Deleted player"
"""Borne by all who have deleted themselves, also in the records of their games."""
DELETED_ID = "deleted"
"""Stands for their ids wherever players are shown."""
_TAG_CHARACTERS = 4
_MAX_CODE_POINTS = 96
_MAX_MARKS = 4

_SPACES = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
# Joiners belong to Persian, to the scripts of India and to emoji, but only between two visible characters.
_JOINERS = "\u200c\u200d"
_EMOJI_MODIFIERS = range(0x1F3FB, 0x1F400)
# Letters, marks and symbols that show nothing, such as fillers of Hangul, the empty cell of Braille, a note
# without a head, empty hieroglyphs; and what is reserved for such.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
    "\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)
_REFUSED = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))


def clean_name(given: str) -> str:
    """The name as it is kept: composed (NFC), trimmed, single spaces. Raises ValueError with a sentence."""
    if len(given) > 4 * _MAX_CODE_POINTS:
        raise ValueError(_TOO_LONG)
    name = _SPACES.sub(" ", unicodedata.normalize("NFC", given.strip()))
    if any(_is_refused(character) for character in name):
        raise ValueError("a name can't have control, direction or invisible characters")
    if not any(_is_base(character) for character in name):
        raise ValueError("a name needs a visible character")
    _check_joiners(name)
    _check_marks(name)
    if _visible(name) > MAX_CHARACTERS or len(name) > _MAX_CODE_POINTS:
        raise ValueError(_TOO_LONG)
    return name


_TOO_LONG = f"a name has at most {MAX_CHARACTERS} characters"


class Shown(NamedTuple):
    """A player as others see him, with what tells him from others of his name: `tag` of a guest, `user_name`
    of an account, the other being None. Both are for whoever has deleted himself.
    """

    id: str
    name: str
    tag: str | None = None
    user_name: str | None = None


def shown_player(player: str, name: str, user_name: str | None, *, is_deleted: bool = False) -> Shown:
    """A player as others see him. `user_name`: of his account, None for a guest."""
    if is_deleted:
        return Shown(DELETED_ID, DELETED_NAME)
    return Shown(player, name, player_tag(player) if user_name is None else None, user_name)


def player_tag(player: str) -> str:
    """What tells a guest from others of his name; it is all but unique. An account has its user name."""
    return player[-_TAG_CHARACTERS:]


def _is_refused(character: str) -> bool:
    if character in _JOINERS:
        return False
    if character in BLANK:
        return True
    if unicodedata.category(character) == "Cn":
        # Newer emoji are unknown to older Python; what can never be a character or shows nothing is not.
        code = ord(character)
        return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF or 0xE0000 <= code <= 0xE0FFF
    return unicodedata.category(character) in _REFUSED


def _is_base(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPSC" and character not in _JOINERS


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def _check_joiners(name: str) -> None:
    for index, character in enumerate(name):
        if character not in _JOINERS:
            continue
        around = (name[index - 1 : index], name[index + 1 : index + 2])
        if not all(each and each != " " and each not in _JOINERS for each in around):
            raise ValueError("a joiner stands between two visible characters")


def _check_marks(name: str) -> None:
    marks = 0
    for index, character in enumerate(name):
        marks = marks + 1 if _is_mark(character) else 0
        if marks > _MAX_MARKS or (marks and index + 1 == marks):
            raise ValueError(f"a name has at most {_MAX_MARKS} marks on one character, and none without one")


def _visible(name: str) -> int:
    """How many characters a reader sees: marks, joiners, skin tones and what is joined count nothing."""
    return sum(
        not (
            _is_mark(character)
            or character in _JOINERS
            or ord(character) in _EMOJI_MODIFIERS
            or name[index - 1 : index] == "\u200d"
        )
        for index, character in enumerate(name)
    )
