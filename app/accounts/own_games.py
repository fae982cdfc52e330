"""What accounts need of finished games, which they know nothing of: `main` gets it from `scores`."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OwnGames:
    """A player's finished games. Each raises DatabaseUnavailable."""

    results: Callable[[str], AsyncIterator[Plain]]
    """What he reached, game by game."""
    records: Callable[[str], AsyncIterator[Plain]]
    """The records of all games in which he sat."""
    delete_player: Callable[[str], Awaitable[bool]]
    """Forget the player for good: name, also in those records, account, sessions. False: nobody there."""
