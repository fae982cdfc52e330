"""What the room store holds, for Prometheus: asked for anew each time that somebody reads the metrics.

Every process on the same Redis tells the same, so these numbers are not to be added up over processes.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from app.rooms.room import Phase
from app.rooms.store import FinishedGame, RoomNotFound, RoomStore, StoreUnavailable

_SECONDS = 2.0
# More are not worth counting: the books have been away for very long.
_MOST_GAMES = 10_000


@dataclass(frozen=True, slots=True)
class _Seen:
    """`oldest_seconds`: since the end of the game that has waited longest, 0 without one."""

    rooms: Mapping[Phase, int]
    unrecorded: int
    oldest_seconds: float


class AskingCollector(Collector):
    """One that has to ask before it can tell."""

    @abstractmethod
    async def look(self) -> None:
        """Ask, and keep what is told by the next `collect`."""


class StoreCollector(AskingCollector):
    """Tells what `look` saw last. `now` gives milliseconds since 1970."""

    def __init__(self, store: RoomStore, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._seen: _Seen | None = None

    async def look(self) -> None:
        """Ask the store; one that doesn't answer soon is told to be away."""
        try:
            async with asyncio.timeout(_SECONDS):
                self._seen = await self._ask()
        except (StoreUnavailable, TimeoutError):
            self._seen = None

    def collect(self) -> Iterator[Metric]:
        """The store's metrics; only that it is away where it is."""
        seen = self._seen
        is_up = GaugeMetricFamily(
            "yamb_store_up", "Whether the room store answers and takes what is written."
        )
        is_up.add_metric([], seen is not None)
        yield is_up
        if seen is None:
            return
        rooms = GaugeMetricFamily("yamb_rooms", "Rooms in the store, by phase.", labels=["phase"])
        for phase, number in seen.rooms.items():
            rooms.add_metric([phase.value], number)
        yield rooms
        yield GaugeMetricFamily(
            "yamb_unrecorded_games", "Finished games not yet in the database.", value=seen.unrecorded
        )
        yield GaugeMetricFamily(
            "yamb_unrecorded_oldest_seconds",
            "Time since the end of the game that has waited longest.",
            value=seen.oldest_seconds,
        )

    async def _ask(self) -> _Seen:
        await self._store.ping()
        rooms = await self._store.census()
        waiting = await self._store.unrecorded(_MOST_GAMES)
        return _Seen(rooms, len(waiting), await self._seconds_since(waiting[0]) if waiting else 0.0)

    async def _seconds_since(self, game: FinishedGame) -> float:
        try:
            room, _ = await self._store.finished(game.code, game.game_id)
        except RoomNotFound:  # recorded meanwhile
            return 0.0
        return max(0, self._now() - (room.ended_at or self._now())) / 1000
