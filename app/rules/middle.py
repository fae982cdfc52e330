"""The middle part of a column, in whole points or on average.

Apart from the sheet, which is compiled: machine code tells an int from a float, and this is for both.
"""

from typing import TypeVar

from app.rules.variant import Middle, Variant

Number = TypeVar("Number", int, float)


def middle_points(variant: Variant, ones: Number, highest: Number, lowest: Number) -> Number:
    """The middle part from what stands in ones, max and min; or what it would be on average."""
    middle = highest - lowest
    if variant.middle is Middle.TIMES_ONES:
        middle *= ones
    return max(middle, 0) if variant.middle_floor else middle
