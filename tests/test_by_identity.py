"""Values made once for an object."""

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
