"""Servers that are broken on purpose, to show that the checker finds them. Run as a program.

usage: python -m tests.faults.broken FAULT
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence

import uvicorn

from app.config import load_settings
from app.db import Database
from app.main import create_app
from app.rooms.redis_store import RedisStore
from app.schema import migrate
from tests.faults import broken_stores as stores
from tests.faults.site import LocalServer
from tests.servers import AppServer

BROKEN: Mapping[str, type[stores.BrokenStore]] = {
    "whole": stores.BrokenStore,
    "acknowledges-first": stores.AcknowledgesFirst,
    "never-syncs": stores.NeverSyncs,
    "forgets-requests": stores.ForgetsRequests,
    "refuses-what-it-did": stores.RefusesWhatItDid,
    "publishes-first": stores.PublishesFirst,
    "skips-updates": stores.SkipsUpdates,
    "changes-updates": stores.ChangesUpdates,
    "drops-events": stores.DropsEvents,
    "never-records": stores.NeverRecords,
    "loses-the-outbox": stores.LosesTheOutbox,
    "keeps-the-epoch": stores.KeepsTheEpoch,
    "tells-the-key": stores.TellsTheKey,
    "tells-the-secret": stores.TellsTheSecret,
    "tells-the-next-roll": stores.TellsTheNextRoll,
}
"""The store of each; "whole" has no fault."""


class BrokenServer(LocalServer):
    """The application over a store with that fault, all of it in its own folder."""

    def __init__(self, fault: str) -> None:
        super().__init__({"YAMB_LOG_LEVEL": "warning"})
        self._fault = fault

    def command(self) -> Sequence[str]:
        return _command(self._fault)


class BrokenWorker(AppServer):
    """The same over Redis and the database that the environment names."""

    def __init__(self, fault: str, env: Mapping[str, str]) -> None:
        super().__init__(env)
        self._fault = fault

    def command(self) -> Sequence[str]:
        return _command(self._fault)


def _command(fault: str) -> Sequence[str]:
    return [sys.executable, "-m", "tests.faults.broken", fault]


def main(fault: str) -> None:
    """Serve as the environment says."""
    settings = load_settings()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    if not settings.redis_url:
        asyncio.run(_migrate(settings.database_url))
    redis = RedisStore(settings.redis_url) if settings.redis_url else None
    uvicorn.run(
        create_app(settings, store=BROKEN[fault](settings.data_dir / "rooms.db", redis)),
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
