"""Clocks as tests want them, in milliseconds since 1970 in UTC."""

import time

from tests.rooms.tables import NOW


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


class FastClock:
    """Time that passes so many times faster than it does."""

    def __init__(self, speed: float) -> None:
        self._speed = speed

    def __call__(self) -> int:
        return int(time.time() * 1000 * self._speed)
