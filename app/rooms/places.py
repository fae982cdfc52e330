"""How many sockets there are here by name, of players or of addresses: no more than so many each.

Each worker counts its own. A socket that is refused has no place.
"""

from collections import Counter

from app.rooms.closing import Close, CloseCode


class Places:
    """The places of sockets by name. `most` for each; 0 for any number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many names have a place."""
        return len(self._taken)

    def take(self, name: str) -> None:
        """One more. Raises Close where that would be too many."""
        if self._most and self._taken[name] >= self._most:
            raise Close(CloseCode.TOO_MANY_SOCKETS)
        self._taken[name] += 1

    def give_back(self, name: str) -> None:
        """One less."""
        self._taken[name] -= 1
        if not self._taken[name]:
            del self._taken[name]
