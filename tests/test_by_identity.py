"""Values made once for an object."""

from app.rules.by_identity import by_identity


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
