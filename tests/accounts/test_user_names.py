"""Which user names there may be, and which of them look alike."""

import unicodedata

import pytest
from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from app.accounts.user_names import MOST_CHARACTERS, clean_user_name, skeleton_of

KEPT = [
    ("lija", "lija"),
    (" Lija_99 ", "lija_99"),
    ("Ђорђе", "ђорђе"),
    ("Ελένη.Κ", "ελένη.κ"),
    ("šarić-š", "šarić-š"),
    ("S\u030carić", "šarić"),
    ("ＬＩＪＡ", "lija"),
    ("ﬁlip", "filip"),
    ("STRASSE", "strasse"),
    ("straße", "strasse"),
    ("İpek", "ipek"),
    ("ipek", "ipek"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ("σίσυφοσ", "σίσυφος"),
    ("Σίσυφος.2", "σίσυφος.2"),
    ("محمد٣", "محمد3"),
    ("नमस्ते", "नमस्ते"),
    ("田中さん", "田中さん"),
    ("김철수", "김철수"),
    ("1lija", "1lija"),
    ("a" * MOST_CHARACTERS, "a" * MOST_CHARACTERS),
]

REFUSED = [
    "",
    "  ",
    "ab",
    "a" * (MOST_CHARACTERS + 1),
    "a" * 10_000,
    "\ufdfa" * 90,
    "li ja",
    "li\u00a0ja",
    "lija!",
    "lija@example.com",
    "li/ja",
    "../lija",
    ".lija",
    "-lija",
    "12345",
    "lija🎲",
    "li\u200bja",
    "li\u200dja",
    "\u202eajil",
    "li\u0000ja",
    "li\nja",
    "\ud800lija",
    "лija",  # Cyrillic beside Latin
    "lιja",
    "paypаl",
    "さんLija",
    "z\u0335\u0335alg\u0335o",
    "Z\u0335ivot",
    "\u3164\u3164\u3164",
]

ALIKE = [
    ("lija", "1ija"),
    ("boki0", "bokio"),
    ("marn", "mam"),
    ("vvolf", "wolf"),
    ("сорок", "copok"),  # Cyrillic like Latin
    ("хор", "xop"),
    ("оса", "oca"),
    ("νοσ", "voo"),
    ("lija1", "lijal"),
    ("cæsar", "caesar"),  # one letter like two
    ("boʦman", "botsman"),
    ("цӕна", "цаена"),
    ("कआम", "कअाम"),  # drawn alike to the dot
    ("ओमकार", "आेमकार"),
]

DIFFERENT = [
    ("lija", "lila"),
    ("lija", "ljia"),
    ("saric", "šarić"),
    ("ana", "ane"),
    ("medo", "medo2"),
    ("각가", "가까"),
]


@pytest.mark.parametrize(("typed", "kept"), KEPT, ids=ascii)
def test_a_user_name_is_kept_in_small_letters_and_composed(typed: str, kept: str) -> None:
    assert clean_user_name(typed) == kept


@pytest.mark.parametrize("typed", REFUSED, ids=lambda name: f"{name[:20]!a} of {len(name)}")
def test_a_user_name_that_is_none_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match="a user name"):
        clean_user_name(typed)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ_to_the_eye_have_another(one: str, other: str) -> None:
    assert skeleton_of(one) != skeleton_of(other)


def test_every_letter_that_looks_like_others_has_a_skeleton_that_is_its_own() -> None:
    for letters in confusables_data:
        skeleton = skeleton_of(letters)
        assert skeleton_of(skeleton) == skeleton


@given(
    st.one_of(st.text(min_size=2, max_size=30), st.text(st.characters(categories=["L", "Nd"]), min_size=3))
)
def test_what_is_kept_stays_as_it_is(typed: str) -> None:
    try:
        kept = clean_user_name(typed)
    except ValueError:
        return
    assert clean_user_name(kept) == kept
    assert skeleton_of(kept)
    assert kept == unicodedata.normalize("NFKC", kept)
