"""What is measured: how long people waited, and what the server's process takes (Linux)."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.hostile.people import Felt, Wait

_LOOK_SECONDS = 0.05
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Waits:
    """Milliseconds that people waited: `answers` from act to ok, `sights` to the other one's screen."""

    answers: Sequence[float]
    sights: Sequence[float]

    def __add__(self, other: "Waits") -> "Waits":
        return Waits([*self.answers, *other.answers], [*self.sights, *other.sights])


@dataclass(frozen=True, slots=True)
class Taken:
    """What the server's process takes: MiB of memory, open files, MiB of its log."""

    memory: float
    files: int
    log: float


def waits_between(felt: Felt, start: float, end: float) -> Waits:
    """Of the actions that were sent in that time; one without an answer counts with its age."""
    now = time.monotonic()
    waits: list[Wait] = [wait for wait in felt.waits if start <= wait.sent_at < end]
    return Waits(
        [wait.answer_seconds(now) * 1000 for wait in waits], [wait.seen_seconds(now) * 1000 for wait in waits]
    )


def percentile(samples: Iterable[float], share: float) -> float:
    """The sample below which that share of them is; 0 where there are none."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def taken_by(pid: int, log: Path) -> Taken:
    """What a process takes now."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Taken(pages * 4096 / _MIB, files, log.stat().st_size / _MIB)


class Peak:
    """Looks at a process again and again: the most memory that it took."""

    def __init__(self, pid: int, log: Path) -> None:
        self._pid = pid
        self._log = log
        self.memory = 0.0

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            self.memory = max(self.memory, taken_by(self._pid, self._log).memory)
            await asyncio.sleep(_LOOK_SECONDS)
