"""What the command lines of the runs have in common."""

import argparse
from collections.abc import Callable


def seconds_between(least: float, most: float) -> Callable[[str], float]:
    """For `type=` of an option: a number of seconds in these bounds, both taken in."""

    def seconds(text: str) -> float:
        try:
            given = float(text)
        except ValueError:
            given = -1.0
        if not least <= given <= most:
            raise argparse.ArgumentTypeError(f"seconds, from {least:g} to {most:g}, not {text!r}")
        return given

    return seconds
