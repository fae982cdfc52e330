"""How much a client may send on one websocket, whatever it is made of."""

BYTES_PER_SECOND = 64 * 1024
BYTES_AT_ONCE = 256 * 1024
STEPS_PER_SECOND = 400
STEPS_AT_ONCE = 2000
"""A step is a read from the network or a frame of any kind. A message usually takes two."""


class Allowance:
    """What may still come: it grows with time up to a burst. Times are seconds of the loop's clock."""

    __slots__ = ("_at", "_bytes", "_steps")

    def __init__(self, now: float) -> None:
        self._at = now
        self._bytes: float = BYTES_AT_ONCE
        self._steps: float = STEPS_AT_ONCE

    def take_read(self, size: int, now: float) -> bool:
        """Count one read of so many bytes. False where it is beyond the allowance."""
        passed, self._at = now - self._at, now
        self._bytes = min(BYTES_AT_ONCE, self._bytes + passed * BYTES_PER_SECOND) - size
        self._steps = min(STEPS_AT_ONCE, self._steps + passed * STEPS_PER_SECOND) - 1
        return self._bytes >= 0 and self._steps >= 0

    def take_frames(self, number: int) -> bool:
        """Count frames that were in the last read. False where they are beyond the allowance."""
        self._steps -= number
        return self._steps >= 0
