"""When rooms of one process may have come to the end of their lives. Pure; milliseconds since 1970."""

from collections.abc import Iterator
from heapq import heappop, heappush


class Expiry:
    """Rooms by the instant at which to look whether they live. Who looks puts those that do back."""

    def __init__(self) -> None:
        self._queue: list[tuple[int, str]] = []
        self._earliest: dict[str, int] = {}

    def set(self, code: str, expires_at: int | None) -> None:
        """A room's life now ends then; None: never."""
        if expires_at is not None and expires_at < self._earliest.get(code, expires_at + 1):
            self._earliest[code] = expires_at
            heappush(self._queue, (expires_at, code))

    def due(self, now: int) -> Iterator[str]:
        """Rooms to look at. Each is forgotten here until it is set again."""
        while self._queue and self._queue[0][0] <= now:
            instant, code = heappop(self._queue)
            if self._earliest.get(code) == instant:
                del self._earliest[code]
                yield code
