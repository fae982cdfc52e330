"""Servers that are broken on purpose, to show that the checker finds them. Run as a program.

usage: python -m tests.faults.broken FAULT
"""

import asyncio
import secrets
import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import uvicorn

from app.config import load_settings
from app.db import Database
from app.main import create_app
from app.rooms.store import Commit, Committed, Watcher
from app.schema import migrate
from tests.around_store import AroundStore
from tests.servers import AppServer
from tests.values import replace

_LATER_SECONDS = 0.5
_WRITE_SECONDS = 0.3


class AcknowledgesFirst(AroundStore):
    """Answers when a step is in a scratch file; only some time later it is where a restart looks for it."""

    def __init__(self, path: Path) -> None:
        self._kept = path
        self._scratch = path.with_name("scratch.db")
        super().__init__(self._scratch)

    async def open(self, watcher: Watcher) -> None:
        for left in self._scratch.parent.glob("scratch.db*"):
            left.unlink()
        self._kept.with_suffix(".new").unlink(missing_ok=True)
        if self._kept.exists():
            shutil.copy(self._kept, self._scratch)
        await super().open(watcher)
        self._keeping = asyncio.create_task(self._keep())

    async def close(self) -> None:
        self._keeping.cancel()
        await asyncio.wait([self._keeping])
        self._copy()
        self._copy()
        await super().close()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(_LATER_SECONDS)
            self._copy()

    def _copy(self) -> None:
        """Keep the copy of the last time, and make another: so what was just written is never kept."""
        made = self._kept.with_suffix(".new")
        if made.exists():
            made.replace(self._kept)
        with closing(sqlite3.connect(self._scratch)) as source, closing(sqlite3.connect(made)) as target:
            source.backup(target)


class ForgetsRequests(AroundStore):
    """Every request is a new one to it."""

    async def commit(self, commit: Commit) -> Committed:
        return await super().commit(replace(commit, request=secrets.token_hex(8)))

    async def answered(self, code: str, request: str) -> Committed | None:  # noqa: ARG002 - it looks at none
        return None


class PublishesFirst(AroundStore):
    """Tells everybody of a step, and then writes it."""

    async def open(self, watcher: Watcher) -> None:
        self._told = watcher
        await super().open(watcher)

    async def commit(self, commit: Commit) -> Committed:
        if (await self.load(commit.room.code)).version == commit.expected_version:
            self._told.updated(commit.room.code, commit.expected_version + 1, commit.update)
            await asyncio.sleep(_WRITE_SECONDS)
        return await super().commit(commit)


BROKEN: Mapping[str, type[AroundStore]] = {
    "acknowledges-first": AcknowledgesFirst,
    "forgets-requests": ForgetsRequests,
    "publishes-first": PublishesFirst,
    "whole": AroundStore,
}


class BrokenServer(AppServer):
    """The application over a store with that fault; "whole" has none."""

    def __init__(self, fault: str) -> None:
        super().__init__({"YAMB_LOG_LEVEL": "warning"})
        self._fault = fault

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "tests.faults.broken", self._fault]


def main(fault: str) -> None:
    """Serve as the environment says."""
    settings = load_settings()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    asyncio.run(_migrate(settings.database_url))
    uvicorn.run(
        create_app(settings, store=BROKEN[fault](settings.data_dir / "rooms.db")),
        host=settings.host,
        port=settings.port,
        ws="websockets-sansio",
        log_config=None,
        timeout_graceful_shutdown=2,
    )


async def _migrate(url: str) -> None:
    database = Database(url)
    await migrate(database)
    await database.dispose()


if __name__ == "__main__":
    main(sys.argv[1])
