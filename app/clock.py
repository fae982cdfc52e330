"""The time of day, as a value that is passed in."""

import logging
import time
from collections.abc import Callable

Now = Callable[[], int]

_JUMP_MS = 2_000  # less is a correction
_log = logging.getLogger(__name__)


def now_ms() -> int:
    """Milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000


class SteadyClock:
    """The time of day as one process goes on with it: a jump of the machine's clock is left out, and logged.

    So what is to last an hour lasts one, also when somebody sets the clock, or the machine was asleep. Small
    corrections are followed. For what is kept by one process alone: others don't know what it left out.
    """

    def __init__(self, wall: Now = now_ms, stopwatch: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._stopwatch = stopwatch
        self._last = (wall(), stopwatch())
        self.left_out_ms = 0

    def __call__(self) -> int:
        """Milliseconds since 1970 in UTC, without the jumps since this clock was made."""
        wall, passed = self._wall(), self._stopwatch()
        before, passed_before = self._last
        self._last = (wall, passed)
        jump = wall - before - round((passed - passed_before) * 1000)
        if abs(jump) > _JUMP_MS:
            self.left_out_ms += jump
            _log.warning(
                "the clock of this machine jumped by %.1f s: lives of rooms and deadlines go on without that",
                jump / 1000,
            )
        return wall - self.left_out_ms

    def wall_of(self, instant: int) -> int:
        """What this machine's clock says, as it goes now, for an instant of this one."""
        return instant + self.left_out_ms
