"""Which names a player may bear."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.accounts.names import MAX_CHARACTERS, clean_name

KEPT = [
    "Lija",
    "Ђорђе Јовановић",
    "Ελένη",
    "محمد",
    "می‌خواهم",  # a Persian word with a zero-width non-joiner
    "שָׁלוֹם",
    "नमस्ते",
    "ක්‍ර",  # Sinhala, with a zero-width joiner
    "สมชาย",
    "김철수",
    "田中さん",
    "🎲",
    "👨‍👩‍👧‍👦 obitelj",
    "👍🏽",
    "❤️",
    "🇭🇷",
    "\U0001fae8",  # an emoji that Python 3.11 doesn't know
    "O'Neil-Šarić 3.",
    "<b>Lija</b>",
    "a" * MAX_CHARACTERS,
    "👨‍👩‍👧" * 16,
]

REFUSED = [
    "",
    " ",
    "\u3000\u2003",
    "\u200b",
    "\u200d",
    "\u200d\u200c",
    "a\u200db\u200d",
    "a \u200d b",
    "Li\u200bja",
    "\u202eajiL",
    "a\u2066b\u2069",
    "\u061cabc",
    "\ufeffabc",
    "a\x00b",
    "a\nb",
    "a\tb",
    "a\x7fb",
    "a\u2028b",
    "\u3164",
    "\u115f\u1160",
    "\u2800",
    "\u2065",
    "a\ufff3b",
    "\U0001d159",
    "\U00013441\U00013442",
    "\U00016fe4",
    "soft\u00adhyphen",
    "\ue000",
    "\ud800",
    "\ufdd0",
    "\U0001ffff",
    "a\U000e0041",
    "\u0301",
    "Z" + "\u0335" * 5,
    "a" * (MAX_CHARACTERS + 1),
    "🎲" * (MAX_CHARACTERS + 1),
    "👨‍👩‍👧" * 24,
    "a" * 10_000,
    "\u0301" * 10_000,
]


@pytest.mark.parametrize("name", KEPT, ids=ascii)
def test_a_name_of_any_script_is_kept(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", REFUSED, ids=lambda name: f"{name[:20]!a} of {len(name)}")
def test_a_name_that_shows_nothing_or_turns_the_text_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"name|joiner"):
        clean_name(name)


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("  Lija \n", "Lija"),
        ("Lija   Ana", "Lija Ana"),
        ("Lija\u00a0\u3000Ana", "Lija Ana"),
        ("S\u030carić", "Šarić"),
        ("\u212b", "Å"),
    ],
)
def test_a_name_is_trimmed_and_composed(given_name: str, kept: str) -> None:
    assert clean_name(given_name) == kept


@given(st.text(max_size=60))
def test_what_is_kept_stays_as_it_is(name: str) -> None:
    try:
        kept = clean_name(name)
    except ValueError:
        return
    assert clean_name(kept) == kept
    assert 1 <= len(kept) <= 96
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Co") for character in kept)
    kept.encode()
