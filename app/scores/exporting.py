"""Finished games as JSON Lines: a record a line, each as `GET /api/games/{id}` serves it."""

import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

import orjson

from app.db import Database
from app.scores.repository import Wanted, records_after

_BATCH = 100

Write = Callable[[bytes], object]


async def export_games(database: Database, wanted: Wanted, write: Write) -> int:
    """Write the games that are wanted, by their ids, all as they are at one moment; how many these were.

    Only some are in memory at a time. Raises DatabaseUnavailable.
    """
    games = 0
    # Closed here also when nothing more can be written: later there is nobody to wait for that.
    async with aclosing(_lines(database, wanted)) as lines:
        async for line in lines:
            write(line)
            games += 1
    return games


def instant_of_day(text: str) -> int:
    """The first instant of a day such as 2026-11-30, in UTC. Raises ValueError."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"a day is written such as 2026-11-30, not {text!r:.40}") from None
    return int(datetime.combine(day, time(), UTC).timestamp()) * 1000


@contextmanager
def written_to(path: Path | None) -> Iterator[Write]:
    """What writes to a file, which is there only once it is whole; or to the standard output.

    Raises ValueError.
    """
    if path is None:
        yield sys.stdout.buffer.write
        sys.stdout.flush()
        return
    try:
        with _opened(path) as file:
            yield file.write
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ValueError(f"{path} can't be written: {error.strerror or error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes its place at the end; what is no file, such as a pipe, is written to as it is."""
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
        try:
            yield part.file
            part.close()
            Path(part.name).replace(path)
        finally:
            Path(part.name).unlink(missing_ok=True)


async def _lines(database: Database, wanted: Wanted) -> AsyncGenerator[bytes, None]:
    last = ""
    async with database.reading() as session:
        while batch := await records_after(session, wanted, last, limit=_BATCH):
            last = batch[-1][0]
            for _, record in batch:
                yield orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
