"""Dice as values: faces, and every distinct roll."""

from itertools import combinations_with_replacement

Dice = tuple[int, ...]
"""Faces 1 to 6, one for each die position."""

FACES = (1, 2, 3, 4, 5, 6)


def distinct_rolls(dice: int) -> list[Dice]:
    """Every roll of that many dice up to order, faces rising: 252 for five dice, 462 for six."""
    return list(combinations_with_replacement(FACES, dice))


def positions_of(faces: Dice, dice: Dice) -> tuple[int, ...]:
    """Positions in `dice` that show `faces`, the first ones of each face, rising."""
    wanted = list(faces)
    positions = []
    for position, face in enumerate(dice):
        if face in wanted:
            wanted.remove(face)
            positions.append(position)
    return tuple(positions)
