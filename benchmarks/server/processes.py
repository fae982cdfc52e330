"""The programs that are measured: pinned to a core, and what they have used of it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.servers import ROOT, Server, answers

SERVER_CORE = 0
LOAD_CORE = 1


class CeilingServer(Server):
    """The bare application."""

    def __init__(self, update_bytes: int) -> None:
        super().__init__()
        self._update_bytes = update_bytes

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "benchmarks.server.ceiling", str(self.port), str(self._update_bytes)]

    def env(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(ROOT)}

    def is_ready(self) -> bool:
        return answers(self.port)


def pin(pid: int, core: int) -> None:
    """Keep every thread of a process to one core, where the system can."""
    if sys.platform == "linux":
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core % (os.cpu_count() or 1)})


def cpu_seconds(pid: int) -> float:
    """What a process has used of processors until now, in itself and in the system for it."""
    # By the scheduler's nanoseconds: those of /proc/PID/stat are hundredths of a second.
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def resident_bytes(pid: int) -> int:
    """The memory that a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
