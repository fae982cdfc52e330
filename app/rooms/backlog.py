"""What waits for all slow readers of this process together: bounded, whoever they are.

Each socket's outbox is bounded too, but there are many sockets. Readers that keep up are not counted at all.
"""

from typing import Protocol

MOST_BYTES = 64 * 1024 * 1024
"""What may wait for all sockets together, before those that have been stuck longest are cut off."""
BUFFERED_BYTES = 64 * 1024
"""What a stuck socket holds beside its outbox: its transport takes so much before it lets nothing more in."""


class Stuck(Protocol):
    """A socket for which messages wait."""

    def cut_off(self) -> None:
        """Give up all that waits for it, at once, and the socket with it."""


class Backlog:
    """Counts the sockets for which something waits. `held`: in bytes, all of them together."""

    __slots__ = ("_most", "_sizes", "held")

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._sizes: dict[Stuck, int] = {}  # first the one that has been stuck longest
        self.held = 0

    def add(self, stuck: Stuck, size: int) -> None:
        """That much more waits for a socket. Where that is too much for all, the first ones are cut off."""
        before = self._sizes.get(stuck)
        added = size if before is not None else size + BUFFERED_BYTES
        self._sizes[stuck] = (before or 0) + added
        self.held += added
        while self.held > self._most:
            longest = next(iter(self._sizes))
            self.leave(longest)
            longest.cut_off()

    def take(self, stuck: Stuck, size: int) -> None:
        """A socket moves on: that much less waits for it, and it hasn't been stuck for long."""
        before = self._sizes.pop(stuck, None)
        if before is not None:
            self._sizes[stuck] = before - size
            self.held -= size

    def shrink(self, stuck: Stuck, size: int) -> None:
        """That much is given up of what waits for a socket. It is as stuck as before."""
        if stuck in self._sizes:
            self._sizes[stuck] -= size
            self.held -= size

    def leave(self, stuck: Stuck) -> None:
        """Nothing waits for it any more."""
        self.held -= self._sizes.pop(stuck, 0)
