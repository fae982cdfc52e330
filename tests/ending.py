"""Limits for what ends: a run whose last test has passed may not wait for ever for what it leaves.

Each test has its limit, and so has what a test tidies up. What is left - fixtures of the whole run, the loop
that the tests share, threads - has none of its own, and with several workers the others wait for it too.
"""

import asyncio
import faulthandler
import os
from collections.abc import Awaitable

import pytest

from tests.patience import PATIENCE_SECONDS

END_SECONDS = "end_seconds"
_DEFAULT_SECONDS = "150"
_CLOSE_SECONDS = PATIENCE_SECONDS
_screen = pytest.StashKey[int]()


def prepare_the_end(config: pytest.Config) -> None:
    """While the run begins its errors still go to the screen, and not into what is caught of a test."""
    config.stash[_screen] = os.dup(2)


def add_end_option(parser: pytest.Parser) -> None:
    """Within how many seconds of its last test a run, or one of its workers, must have ended."""
    parser.addini(
        END_SECONDS, "seconds from the last test to the end of the program", default=_DEFAULT_SECONDS
    )


def watch_the_end(config: pytest.Config) -> None:
    """From now on: a program that hasn't ended in time shows where each of its threads is, and fails."""
    faulthandler.dump_traceback_later(
        float(config.getini(END_SECONDS)), exit=True, file=config.stash[_screen]
    )


def stop_watching_a_worker(config: pytest.Config) -> None:
    """A worker whose tests are over waits for the others: from here on it does nothing by itself."""
    if hasattr(config, "workerinput"):
        faulthandler.cancel_dump_traceback_later()


async def close_in_time(what: str, closing: Awaitable[None]) -> None:
    """Wait for it, within a limit. Raises TimeoutError."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await closing
    except TimeoutError:
        raise TimeoutError(f"{what} did not end within {_CLOSE_SECONDS:.0f} s") from None
