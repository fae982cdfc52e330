"""The time of day, as a value that is passed in."""

import time
from collections.abc import Callable

Now = Callable[[], int]


def now_ms() -> int:
    """Milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000
