"""Every way to hold dice, and what a value is worth on average when the others are rolled.

Dice count up to order: what is held is a sorted tuple of faces, from none to all of them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.rules.dice import FACES, Dice, distinct_rolls

Hold = int
"""Place of held faces among all that can be held, fewer dice first."""


@dataclass(frozen=True, slots=True, eq=False)
class Holds:
    """All ways to hold up to `dice` dice: 462 for five dice, 924 for six.

    `faces`: of each hold. `place_by_faces`: its inverse. `whole`: the first hold of all dice; from there on
    they stand in the order of `distinct_rolls`. `with_one_more`: for each hold before, the holds with each
    face added. `with_one_less`: for each hold, those without one of its faces.
    """

    dice: int
    faces: tuple[Dice, ...]
    place_by_faces: dict[Dice, Hold]
    whole: int
    with_one_more: tuple[tuple[Hold, ...], ...]
    with_one_less: tuple[tuple[Hold, ...], ...]

    def place_of_roll(self, dice: Dice) -> int:
        """Place of those dice among the distinct rolls."""
        return self.place_by_faces[tuple(sorted(dice))] - self.whole

    def means(self, values: Sequence[float]) -> list[float]:
        """For each hold the mean of `values`, given for each distinct roll, when the other dice are rolled.

        One die after the other: a hold is worth the mean of the six that have one die more.
        """
        means = [0.0] * self.whole
        means += values
        more = self.with_one_more
        for place in range(self.whole - 1, -1, -1):
            one, two, three, four, five, six = more[place]
            means[place] = (
                means[one] + means[two] + means[three] + means[four] + means[five] + means[six]
            ) / 6
        return means

    def best(self, means: Sequence[float], max_hold: int) -> list[Hold]:
        """For each distinct roll its best hold of at most `max_hold` dice; of equal ones the largest."""
        best: list[Hold] = []
        worths: list[float] = []
        allowed = self._holds_up_to(max_hold)
        for place, less in enumerate(self.with_one_less):
            top = place if place < allowed else best[less[0]]
            worth = means[top]
            for other in less:
                if worths[other] > worth:
                    worth, top = worths[other], best[other]
            best.append(top)
            worths.append(worth)
        return best[self.whole :]

    def best_of(self, roll: int, means: Sequence[float], max_hold: int) -> Hold:
        """The same for one of the distinct rolls."""
        allowed = self._holds_up_to(max_hold)
        best: dict[Hold, Hold] = {}
        for place in self._within(self.whole + roll):
            less = self.with_one_less[place]
            top = place if place < allowed else best[less[0]]
            for other in less:
                if means[best[other]] > means[top]:
                    top = best[other]
            best[place] = top
        return best[self.whole + roll]

    def _within(self, whole: Hold) -> list[Hold]:
        """All that can be held of those dice, fewer dice first."""
        found, latest = {whole}, {whole}
        while latest:
            latest = {less for place in latest for less in self.with_one_less[place]}
            found |= latest
        return sorted(found)

    def _holds_up_to(self, size: int) -> int:
        return bisect_right(self.faces, size, key=len)


@lru_cache(maxsize=2)
def holds_of(dice: int) -> Holds:
    """The ways to hold that many dice."""
    faces = tuple(held for size in range(dice + 1) for held in distinct_rolls(size))
    place_by_faces = {held: place for place, held in enumerate(faces)}
    whole = len(faces) - len(distinct_rolls(dice))
    return Holds(
        dice=dice,
        faces=faces,
        place_by_faces=place_by_faces,
        whole=whole,
        with_one_more=tuple(
            tuple(place_by_faces[tuple(sorted((*held, face)))] for face in FACES) for held in faces[:whole]
        ),
        with_one_less=tuple(
            tuple(sorted({place_by_faces[held[:at] + held[at + 1 :]] for at in range(len(held))}))
            for held in faces
        ),
    )
