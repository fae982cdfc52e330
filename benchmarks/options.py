"""What can be said on the command line about how to measure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`games`: how many, None for what the part has by itself. `passes`: how often each is replayed.

    `is_pure`: servers run from the sources, not compiled.
    """

    seed: int
    games: int | None
    passes: int
    is_pure: bool = False
