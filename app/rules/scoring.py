"""What a roll gives in a row.

Source: docs/rules.md, Rows. With six dice, five count: the best five for the row.
"""

from collections import Counter
from collections.abc import Callable

from app.rules.dice import FACES, Dice
from app.rules.variant import FACE_BY_ROW, Counted, Row, RowRule, StraightBySize, Variant

COUNTED_DICE = 5


def score(variant: Variant, row: Row, dice: Dice, roll: int) -> int:
    """Points that `dice`, after roll `roll` (1 and up), give in `row`; 0 where they don't satisfy it.

    Raises KeyError for a row that the variant doesn't have.
    """
    rule = {rule.row: rule for rule in variant.rows}[row]
    return points(rule, counted_faces(rule, dice), roll)


def points(rule: RowRule, faces: Dice, roll: int) -> int:
    """Points that the counted faces give after roll `roll`."""
    if not faces:
        return 0
    if rule.straight is None:
        return sum(faces) + rule.bonus
    if isinstance(rule.straight, StraightBySize):
        return rule.straight.large if faces[0] == 2 else rule.straight.small
    # Rolls after the third exist only where a last cell allows them; they are worth what the third is.
    return rule.straight.values[min(roll, len(rule.straight.values)) - 1]


def counted_faces(rule: RowRule, dice: Dice) -> Dice:
    """Faces of the dice that count in the row; empty where the row isn't satisfied."""
    if rule.row in FACE_BY_ROW:
        face = FACE_BY_ROW[rule.row]
        return (face,) * min(dice.count(face), COUNTED_DICE)
    return _COUNTED_BY_ROW[rule.row](rule, dice)


def _max(_: RowRule, dice: Dice) -> Dice:
    return tuple(sorted(dice)[-COUNTED_DICE:])


def _min(_: RowRule, dice: Dice) -> Dice:
    return tuple(sorted(dice)[:COUNTED_DICE])


def _two_pairs(_: RowRule, dice: Dice) -> Dice:
    pairs = _faces_shown(dice, 2)
    return (pairs[0],) * 2 + (pairs[1],) * 2 if len(pairs) > 1 else ()


def _alike(size: int) -> Callable[[RowRule, Dice], Dice]:
    def alike(rule: RowRule, dice: Dice) -> Dice:
        sets = [_filled_up((face,) * size, rule, dice) for face in _faces_shown(dice, size)]
        return max(sets, key=sum, default=())

    return alike


def _filled_up(matching: Dice, rule: RowRule, dice: Dice) -> Dice:
    """The matching dice, and where all five count the best of the others beside them."""
    if rule.counted is Counted.MATCHING:
        return matching
    others = sorted((Counter(dice) - Counter(matching)).elements(), reverse=True)
    return matching + tuple(others[: COUNTED_DICE - len(matching)])


def _straight(rule: RowRule, dice: Dice) -> Dice:
    shortest = (
        5 if rule.straight is None or isinstance(rule.straight, StraightBySize) else rule.straight.shortest
    )
    shown = set(dice)
    for length in range(COUNTED_DICE, shortest - 1, -1):
        for first in range(7 - length, 0, -1):
            run = tuple(range(first, first + length))
            if shown.issuperset(run):
                return run
    return ()


def _full(_: RowRule, dice: Dice) -> Dice:
    pairs = _faces_shown(dice, 2)
    houses = [(three,) * 3 + (two,) * 2 for three in _faces_shown(dice, 3) for two in pairs if two != three]
    return max(houses, key=sum, default=())


def _faces_shown(dice: Dice, times: int) -> list[int]:
    """Faces that at least `times` dice show, highest first."""
    return [face for face in reversed(FACES) if dice.count(face) >= times]


_COUNTED_BY_ROW: dict[Row, Callable[[RowRule, Dice], Dice]] = {
    Row.MAX: _max,
    Row.MIN: _min,
    Row.TWO_PAIRS: _two_pairs,
    Row.TRILING: _alike(3),
    Row.STRAIGHT: _straight,
    Row.FULL: _full,
    Row.POKER: _alike(4),
    Row.YAMB: _alike(5),
}
