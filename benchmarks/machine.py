"""The machine that a figure was measured on, and a loop that says how fast it was at that moment."""

import os
import platform
import time
from pathlib import Path

_LOOPS = 20_000
_REPEATS = 7


def machine_line() -> str:
    """Processor, cores, Python and system, in one line."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {python}, {platform.system()} {platform.machine()}"


def calibration_ms() -> float:
    """CPU milliseconds of a fixed loop of plain Python, the best of some repetitions.

    Figures of two runs are compared by their ratio to it.
    """
    return min(_loop() for _ in range(_REPEATS)) / 1e6


def _loop() -> int:
    started = time.thread_time_ns()
    points = 0
    scores: dict[tuple[str, int], int] = {}
    for number in range(_LOOPS):
        dice = (number % 6, number % 5, number % 7)
        scores["sixes", number % 100] = sum(dice)
        points += len([die for die in dice if die > 2]) + scores["sixes", number % 100]
    return time.thread_time_ns() - started


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
