"""What this process counts while it serves rooms: plain numbers, added to on the hot path, read when asked.

Knows nothing of who reads them (`app.metrics` does). One loop adds to them, so nothing is locked. All times
are seconds.
"""

import re
from bisect import bisect_left
from collections import Counter
from enum import StrEnum
from time import perf_counter

from app.clock import Now, now_ms
from app.rooms.store import Committed, Conflict

_FAST = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SLOW = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_UPDATES_A_SAMPLE = 16
_AT = re.compile(r'"at":(\d+)')


class Outcome(StrEnum):
    """What became of one commit."""

    COMMITTED = "committed"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    FAILED = "failed"


class Resume(StrEnum):
    """How a viewer was brought up to date."""

    FIRST = "first"
    """A snapshot for one who has seen nothing."""
    UPDATES = "updates"
    """The updates that he lacked."""
    SNAPSHOT = "snapshot"
    """A snapshot in place of updates that are no longer kept, or of a lost epoch."""
    COALESCED = "coalesced"
    """A snapshot in place of the updates that he was too slow for."""


class By(StrEnum):
    """Who ended a socket."""

    SERVER = "server"
    CLIENT = "client"


class Spread:
    """How many values fell below each bound and not below the one before it, and the sum of all."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """One more value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Meters:
    """Everything that is counted, from the start of the process."""

    def __init__(self, now: Now = now_ms) -> None:
        self._now = now
        self.commits = {outcome: Spread(_FAST) for outcome in Outcome}
        # At hand without a look into the table, which takes longer than to count.
        self._committed = self.commits[Outcome.COMMITTED]
        self._duplicates = self.commits[Outcome.DUPLICATE]
        self.frames = Spread(_SLOW)
        self.timers = Spread(_SLOW)
        self.messages: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.resumes: Counter[Resume] = Counter()
        self.closes: Counter[tuple[By, int]] = Counter()
        self.recordings: Counter[str] = Counter()
        self.gaps = 0
        self.resyncs = 0
        self._sampled: str | None = None
        self._sampled_at = 0
        self._until_sample = _UPDATES_A_SAMPLE

    def committed(self, committed: Committed, began: float) -> None:
        """A commit came to that. It began when `perf_counter` said so."""
        spread = self._duplicates if committed.is_duplicate else self._committed
        spread.add(perf_counter() - began)

    def not_committed(self, error: BaseException, began: float) -> None:
        """A commit raised that."""
        outcome = Outcome.CONFLICT if isinstance(error, Conflict) else Outcome.FAILED
        self.commits[outcome].add(perf_counter() - began)

    def fan_out(self, update: str) -> bool:
        """An update is about to be queued to its viewers; of every few, one is followed to the sockets.

        Whether it is this one.
        """
        self._until_sample -= 1
        if self._until_sample:
            return False
        self._until_sample = _UPDATES_A_SAMPLE
        found = _AT.search(update)
        if found:
            self._sampled, self._sampled_at = update, int(found[1])
        return found is not None

    def sent(self, message: str) -> None:
        """A socket has taken a message. The followed one is the same object for every socket."""
        if message is self._sampled:
            self.frames.add(max(0, self._now() - self._sampled_at) / 1000)
