"""The command line, called in this process: to start a Python for each call takes seconds."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

import pytest


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended: its exit status, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


RunCli = Callable[..., Ended]


def run_here(capture: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Call the command line as a program of its own would: `run_here(capsys, "migrate", "--check")`."""
    # Only here: every run of the tests reads this file, and few call the command line.
    main = import_module("app.cli").main
    capture.readouterr()
    with _unchanged_signals():
        try:
            status = main(arguments)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    shown = capture.readouterr()
    return Ended(status, shown.out, shown.err)


@contextmanager
def _unchanged_signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
