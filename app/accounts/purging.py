"""Removes what has expired: sessions, and counts of attempts. A task on every server.

Nothing depends on it: what has expired counts for nothing before it is gone. So servers needn't agree who
removes what; each leaves alone what another is just removing.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.accounts.repository import forget_attempts, forget_sessions
from app.clock import Now, now_ms
from app.db import Database, DatabaseUnavailable, Session

_EXPIRING = {"sessions": forget_sessions, "attempts": forget_attempts}
_log = logging.getLogger(__name__)

Forget = Callable[[Session, int, int], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Pace:
    """Every so many seconds at most `batches` transactions for a table, each of at most `rows`.

    So nobody waits for one for long; what there may be more is left for the next time.
    """

    seconds: float = 600.0
    rows: int = 500
    batches: int = 40


class Purge:
    """Purges a database now and then."""

    def __init__(self, database: Database, *, now: Now = now_ms, pace: Pace | None = None) -> None:
        self._database = database
        self._now = now
        self._pace = pace or Pace()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Purge beside whatever else is done."""
        task = asyncio.create_task(self._run(), name="purge")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def purge(self) -> dict[str, int]:
        """Remove what has expired by now; how much of each table. Raises DatabaseUnavailable."""
        return {table: await self._purge(forget) for table, forget in _EXPIRING.items()}

    async def _purge(self, forget: Forget) -> int:
        removed = 0
        for _ in range(self._pace.batches):
            async with self._database.session() as session:
                batch = await forget(session, self._now(), self._pace.rows)
            removed += batch
            if batch < self._pace.rows:
                break
        return removed

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pace.seconds)
            try:
                removed = await self.purge()
            except DatabaseUnavailable as error:
                _log.warning("what has expired can't be removed: %s", error)
            except Exception:  # noqa: BLE001 - the task must outlive whatever the database raises
                _log.exception("what has expired can't be removed")
            else:
                if any(removed.values()):
                    _log.info("removed what has expired", extra=removed)
