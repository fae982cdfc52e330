"""Whether the database answers, for Prometheus: asked anew each time that somebody reads the metrics."""

import asyncio
from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric

from app.db import DatabaseUnavailable
from app.observability import Check
from app.store_metrics import AskingCollector

_SECONDS = 2.0


class DatabaseCollector(AskingCollector):
    """Tells what `look` saw last. `ping` returns when the database answers."""

    def __init__(self, ping: Check) -> None:
        self._ping = ping
        self._is_up = False

    async def look(self) -> None:
        """Ask the database; one that doesn't answer soon is told to be away."""
        self._is_up = await self._answers()

    def collect(self) -> Iterator[Metric]:
        """The one number."""
        yield GaugeMetricFamily("yamb_database_up", "Whether the database answers.", value=self._is_up)

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(_SECONDS):
                await self._ping()
        except (DatabaseUnavailable, TimeoutError):
            return False
        return True
