"""A second scorer: tries every choice of five dice and looks for what the words of a source say.

Shares nothing with app.rules but the names of rows, as texts. Slow on purpose.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

FACES_BY_ROW = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


@dataclass(frozen=True)
class Numbers:
    """What a source says in numbers: bonuses by row, values of a straight, rows that sum all five dice."""

    bonus: dict[str, int] = field(default_factory=dict)
    small_and_large: tuple[int, int] | None = None
    by_roll: tuple[int, int, int] | None = None
    shortest: int = 5
    all_five: frozenset[str] = frozenset()


# Seed by seed, typed from the descriptions.
CLASSIC = Numbers(bonus={"full": 40, "poker": 50, "yamb": 60}, small_and_large=(45, 50))
PAPIR = Numbers(bonus={"triling": 30, "full": 30, "poker": 40, "yamb": 50}, by_roll=(66, 56, 46))
BULGARIAN = Numbers(bonus={"full": 30, "poker": 40, "yamb": 50}, small_and_large=(35, 40))
MY_YAHTZEE = Numbers(
    bonus={"triling": 20, "full": 30, "poker": 40, "yamb": 50},
    by_roll=(66, 56, 46),
    shortest=4,
    all_five=frozenset({"triling", "poker"}),
)
SWEDISH = Numbers(bonus={"two_pairs": 10, "full": 30, "poker": 40, "yamb": 50}, by_roll=(66, 56, 46))

CROATIAN = Numbers(bonus={"triling": 10, "full": 30, "poker": 40, "yamb": 50}, small_and_large=(35, 45))


def naive_score(row: str, dice: tuple[int, ...], roll: int, numbers: Numbers) -> int:
    """The best that five of the dice give in the row; in Min the lowest."""
    fives = set(combinations(sorted(dice), 5))
    if row == "min":
        return min(sum(five) for five in fives)
    return max(_score_of_five(row, five, roll, numbers) for five in fives)


def _score_of_five(row: str, five: tuple[int, ...], roll: int, numbers: Numbers) -> int:
    if row in FACES_BY_ROW:
        return sum(die for die in five if die == FACES_BY_ROW[row])
    if row == "max":
        return sum(five)
    if row == "straight":
        return _straight(five, roll, numbers)
    return max(
        (points + numbers.bonus.get(row, 0) for points in _combinations(row, five, numbers)), default=0
    )


def _combinations(row: str, five: tuple[int, ...], numbers: Numbers) -> list[int]:
    """The points, before the bonus, of every way in which these five dice are what the row asks for."""
    counts = Counter(five)
    shape = sorted(counts.values())
    if row == "full":
        return [sum(five)] if shape == [2, 3] else []
    if row == "yamb":
        return [sum(five)] if shape == [5] else []
    if row == "two_pairs":
        fours = (four for four in combinations(five, 4) if sorted(Counter(four).values()) == [2, 2])
        return [sum(four) for four in fours]
    alike = {"triling": 3, "poker": 4}[row]
    groups = (group for group in combinations(five, alike) if len(set(group)) == 1)
    return [sum(five) if row in numbers.all_five else sum(group) for group in groups]


def _straight(five: tuple[int, ...], roll: int, numbers: Numbers) -> int:
    if numbers.small_and_large:
        small, large = numbers.small_and_large
        return small if five == (1, 2, 3, 4, 5) else large if five == (2, 3, 4, 5, 6) else 0
    assert numbers.by_roll
    text = "".join(str(face) for face in sorted(set(five)))
    length = numbers.shortest
    found = any("123456"[start : start + length] in text for start in range(7 - length))
    return numbers.by_roll[roll - 1] if found else 0
