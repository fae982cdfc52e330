"""Waiting for what others bring about."""

import asyncio
import math
import time
from collections.abc import Callable

_LOOK_SECONDS = 0.1


async def becomes(is_so: Callable[[], bool], seconds: float = math.inf) -> bool:
    """Wait until it is so, and no longer than that; whether it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        await asyncio.sleep(_LOOK_SECONDS)
    return is_so()
