"""User names: by which an account signs in. One is like no other, also to the eye."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

from app.accounts.names import BLANK

LEAST_CHARACTERS = 3
MOST_CHARACTERS = 24

# Scripts that are written together.
_TOGETHER = (
    frozenset(("HAN", "HIRAGANA", "KATAKANA")),
    frozenset(("HAN", "HANGUL")),
    frozenset(("HAN", "BOPOMOFO")),
)
_OF_NO_SCRIPT = frozenset(("COMMON", "INHERITED"))
# In these a mark that is left after composing belongs to no letter of a language.
_WITHOUT_MARKS = frozenset(("LATIN", "CYRILLIC", "GREEK"))
_SIGNS = "._-"
# Alike in small letters, which is all that a user name has; Unicode's table is about capitals too.
_MORE_TWINS = (("0", "o"), ("к", "k"), ("κ", "k"), ("т", "t"), ("τ", "t"), ("м", "m"), ("н", "h"), ("в", "b"))
_PAIRS = (("vv", "w"), ("rn", "m"))
_FINAL_SIGMA = re.compile(r"(?<=[^\W\d_])σ(?![^\W\d_])")
_DIRECTION = re.compile("[\u200e\u200f]")


def clean_user_name(given: str) -> str:
    """The name as it is kept: NFKC, small letters, digits as 0 to 9. Raises ValueError with a sentence."""
    # Before it is composed: that takes long for a long one.
    if len(given) > 4 * MOST_CHARACTERS:
        raise ValueError(_TOO_LONG)
    name = _folded(given.strip())
    if not LEAST_CHARACTERS <= len(name) <= MOST_CHARACTERS:
        raise ValueError(_TOO_LONG)
    if not all(_is_allowed(character) for character in name) or unicodedata.category(name[0])[0] not in "LN":
        raise ValueError(
            f"a user name has letters, digits and {' '.join(_SIGNS)}, and begins with none of these"
        )
    scripts = {alias(character) for character in name} - _OF_NO_SCRIPT
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise ValueError("a user name has letters of one script")
    if not any(unicodedata.category(character)[0] == "L" for character in name):
        raise ValueError("a user name has a letter")
    _check_marks(name, scripts)
    return name


_TOO_LONG = f"a user name has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters"


def skeleton_of(user_name: str) -> str:
    """What two user names have in common that look alike (after UTS 39): no two accounts have the same."""
    plain = "".join(_looks_like(character) for character in unicodedata.normalize("NFD", user_name))
    plain = unicodedata.normalize("NFD", plain)
    for pair, twin in _PAIRS:
        plain = plain.replace(pair, twin)
    return plain


def _folded(given: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", given).casefold())
    # Folding is for comparing: it leaves a dot on the i of İ, and makes a σ where a Greek word ends in ς.
    folded = _FINAL_SIGMA.sub("ς", folded.replace("i\N{COMBINING DOT ABOVE}", "i"))
    return "".join(
        str(unicodedata.decimal(character)) if unicodedata.category(character) == "Nd" else character
        for character in folded
    )


def _is_allowed(character: str) -> bool:
    if character in BLANK:
        return False
    return character in _SIGNS or unicodedata.category(character)[0] in "LM" or character in "0123456789"


def _check_marks(name: str, scripts: set[str]) -> None:
    marks = 0
    for character in name:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if unicodedata.category(character) == "Me" or marks > 2 or (marks and scripts & _WITHOUT_MARKS):
            raise ValueError("a user name has only the marks that belong to its letters")


@cache
def _looks_like(character: str) -> str:
    """What stands for all that look like this character: one, or several side by side."""
    twin = _representatives().get(character, character)
    several = _spellings().get(twin)
    return twin if several is None else "".join(_looks_like(each) for each in several)


@cache
def _spellings() -> dict[str, str]:
    """Letters that look like several others side by side, as æ does like ae: the shortest such spelling.

    Not of Hangul, whose syllables stand apart whatever letters they have in common; m and w are in _PAIRS.
    """
    found: dict[str, str] = {}
    for one, listed in _listed():
        several = unicodedata.normalize("NFD", listed)
        head = _representatives().get(one, one)
        is_letter = unicodedata.category(one)[0] == "L" and alias(one) != "HANGUL" and not head.isascii()
        if is_letter and len(several) > 1 and all(unicodedata.category(each)[0] in "LM" for each in several):
            found[head] = min(found.get(head, several), several, key=lambda each: (len(each), each))
    return found


@cache
def _representatives() -> dict[str, str]:
    """Unicode's table of look-alikes tells for each character its twins, in either direction."""
    heads: dict[str, str] = {}

    def head_of(character: str) -> str:
        while heads.get(character, character) != character:
            character = heads[character]
        return character

    for character, twin in _twins():
        one, other = sorted((head_of(character), head_of(twin)))
        heads[other] = one
    return {character: head_of(character) for character in heads}


def _twins() -> Iterable[tuple[str, str]]:
    yield from _MORE_TWINS
    yield from ((one, other) for one, other in _listed() if len(other) == 1)


def _listed() -> Iterable[tuple[str, str]]:
    """Unicode's table: a character, and what it looks like."""
    for character, listed in confusables_data.items():
        for entry in listed:
            pair = (_DIRECTION.sub("", character), _DIRECTION.sub("", entry["c"]))
            one, other = sorted(pair, key=len)
            if len(one) == 1:
                yield one, other
