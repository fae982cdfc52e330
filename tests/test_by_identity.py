"""Values made once for an object."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from app.rules.by_identity import by_identities, by_identity, forget


def test_a_value_is_made_once_for_an_object_and_anew_for_its_equal() -> None:
    made: list[tuple[int, ...]] = []

    @by_identity(kept=4)
    def total(numbers: tuple[int, ...]) -> int:
        made.append(numbers)
        return sum(numbers)

    numbers = [1, 2, 3]
    one, equal = tuple(numbers), tuple(numbers)
    assert [total(one), total(one), total(equal)] == [6, 6, 6]
    assert [seen is one for seen in made] == [True, False]


def test_no_more_values_are_kept_than_are_asked_for_and_the_oldest_goes_first() -> None:
    made: list[str] = []

    @by_identity(kept=2)
    def shout(word: str) -> str:
        made.append(word)
        return word.upper()

    words = ["a b", "c d", "e f"]
    for word in [*words, words[2], words[1], words[0]]:
        assert shout(word) == word.upper()
    assert made == ["a b", "c d", "e f", "a b"]


def test_a_value_of_two_objects_is_made_once_for_both() -> None:
    made: list[tuple[str, str]] = []

    @by_identities(kept=3)
    def join(one: str, other: str) -> str:
        made.append((one, other))
        return one + other

    one, other, third = "a b", "c d", "e f"
    pairs = [(one, other), (other, one), (one, third), (one, other), (third, third), (one, other)]
    assert [join(*pair) for pair in pairs] == [left + right for left, right in pairs]
    assert made == [(one, other), (other, one), (one, third), (third, third), (one, other)]


def test_what_is_forgotten_is_made_anew() -> None:
    made: list[str] = []

    @by_identity(kept=2)
    def shout(word: str) -> str:
        made.append(word)
        return word.upper()

    word = "a b"
    for _ in range(2):
        shout(word)
        forget()
    assert made == [word, word]


@contextmanager
def threads_that_change_often() -> Iterator[None]:
    """After every few steps, where it is some thousands as a rule."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def test_threads_that_make_values_at_the_same_time_do_not_disturb_each_other() -> None:
    @by_identity(kept=4)
    def largest(numbers: tuple[int, ...]) -> int:
        return max(numbers)

    @by_identities(kept=4)
    def larger(one: int, other: tuple[int, ...]) -> int:
        return max(one, *other)

    def think(thread: int) -> list[int]:
        return [largest((thread, number)) - larger(thread, (number,)) for number in range(20_000)]

    with threads_that_change_often(), ThreadPoolExecutor(3) as threads:
        for made in threads.map(think, range(3)):
            assert not any(made)
