"""Which shards are to be asked for timers: those where one may be due. Pure; instants in milliseconds.

A shard says when its next timer is due. Before that only a step can change it, and steps are heard of, this
worker's and others'. Hints get lost: a shard is asked again after some time anyway.
"""

from app.rooms.redis_keys import SHARDS

WITH_TIMERS_MS = 500
"""So often the script notes that it was asked, by which an outage is known afterwards."""
EMPTY_MS = 5_000
"""Here nothing is late unless a hint was lost and the worker that set a timer has died."""
_UNDER_WAY = -1  # it was asked, and hasn't answered


class Rounds:
    """When each shard is to be asked next."""

    def __init__(self) -> None:
        self._ask_at = [0] * SHARDS

    def begin(self, now: int) -> list[int]:
        """The shards to ask now. What stirs meanwhile is asked again, whatever the answer."""
        # One that is to be asked later than could be said was so by another clock.
        shards = [shard for shard, at in enumerate(self._ask_at) if not now < at <= now + EMPTY_MS]
        for shard in shards:
            self._ask_at[shard] = _UNDER_WAY
        return shards

    def answered(self, shard: int, now: int, earliest: int | None) -> None:
        """A shard that was asked has said when its earliest timer is due, None where it has none."""
        if self._ask_at[shard] != _UNDER_WAY:
            return
        if earliest is None:
            self._ask_at[shard] = now + EMPTY_MS
        else:
            self._ask_at[shard] = max(0, min(earliest, now + WITH_TIMERS_MS))

    def stir(self, shard: int) -> None:
        """A step was made there."""
        self._ask_at[shard] = 0

    def stir_all(self) -> None:
        """Steps may have been missed."""
        self._ask_at = [0] * SHARDS
