"""What has expired is removed, in bounded steps, and nothing else is."""

import asyncio
import logging
import shutil
from pathlib import Path

from sqlalchemy import text

from app.accounts.purging import Pace, Purge
from app.accounts.repository import add_player, add_session, count_attempt, forget_sessions
from app.db import Database
from tests.accounts.apps import NOW, Clock, count
from tests.patience import PATIENCE_SECONDS

SMALL = Pace(rows=4, batches=3)


async def fill(database: Database, expired: int) -> None:
    """Sessions and counts of attempts that are over, and three of each that end with the next millisecond."""
    async with database.session() as session:
        await add_player(session, "p0", "Lija", NOW)
        for number in range(expired + 3):
            key, end = number.to_bytes(32), NOW if number < expired else NOW + 1
            add_session(session, key, "p0", now=0, expires_at=end)
            await count_attempt(session, key, now=0, ends_at=end)


async def test_two_who_purge_at_once_remove_what_has_expired_and_nothing_else(
    database: Database, database_url: str, clock: Clock
) -> None:
    await fill(database, 10)
    other = Database(database_url)

    both = [Purge(one, now=clock, pace=SMALL) for one in (database, other)]
    removed = await asyncio.gather(*(purge.purge() for purge in both))
    rest = await both[0].purge()
    await other.dispose()

    for table in ("sessions", "attempts"):
        assert sum(one[table] for one in (*removed, rest)) == 10
        assert await count(database, table) == 3
    clock.now += 1
    assert await both[0].purge() == {"sessions": 3, "attempts": 3}


async def test_what_another_just_removes_is_not_waited_for(database: Database) -> None:
    await fill(database, 5)
    async with database.session() as session:
        assert await forget_sessions(session, NOW, 2) == 2
        if session.get_bind().dialect.name == "postgresql":  # of SQLite's writers one is after the other
            async with database.session() as other:
                assert await forget_sessions(other, NOW, 9) == 3


async def test_what_is_too_much_for_one_time_is_left_for_the_next(file: Database, clock: Clock) -> None:
    purge = Purge(file, now=clock, pace=SMALL)
    await fill(file, 14)

    assert await purge.purge() == {"sessions": 12, "attempts": 12}
    assert await purge.purge() == {"sessions": 2, "attempts": 2}
    assert await purge.purge() == {"sessions": 0, "attempts": 0}


async def test_what_has_expired_is_found_by_index(file: Database) -> None:
    plans = [
        f"EXPLAIN QUERY PLAN SELECT {key} FROM {table} WHERE {end} <= 1 LIMIT 4"  # noqa: S608 - ours
        for table, key, end in (("sessions", "token_hash", "expires_at"), ("attempts", "key", "ends_at"))
    ]
    async with file.reading() as session:
        for table, plan in zip(("sessions_expires_at", "attempts_ends_at"), plans, strict=True):
            assert f"USING INDEX ix_{table}" in str((await session.execute(text(plan))).all())


async def test_it_is_done_again_and_again_also_after_the_database_was_away(
    migrated_file: Path, tmp_path: Path, clock: Clock
) -> None:
    heard = Heard()
    path = tmp_path / "later" / "file.db"
    database = Database(f"sqlite+aiosqlite:///{path}")
    async with Purge(database, now=clock, pace=Pace(seconds=0.01)).running():
        await heard.hears("can't be removed")
        path.parent.mkdir()
        await asyncio.to_thread(shutil.copy, migrated_file, path)
        await fill(database, 2)
        await heard.hears("removed what has expired")
    assert await count(database, "sessions") == 3
    await database.dispose()
    heard.end()


class Heard(logging.Handler):
    """What is told in the log, to be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._told: asyncio.Queue[str] = asyncio.Queue()
        self._log = logging.getLogger("app.accounts.purging")
        self._log.setLevel(logging.INFO)
        self._log.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self._told.put_nowait(record.getMessage())

    async def hears(self, words: str) -> None:
        """Return once a line with these words was told."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while words not in await self._told.get():
                pass

    def end(self) -> None:
        """Hear no more."""
        self._log.removeHandler(self)
        self._log.setLevel(logging.NOTSET)
