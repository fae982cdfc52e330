"""What this process counts, for Prometheus: `GET /metrics` in its text format, from a registry of its own.

The numbers are those of `app.rooms.meters`, read only when somebody asks. docs/operating.md has the table.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from starlette.exceptions import HTTPException

from app.connections import Connections
from app.rooms.closing import CloseCode
from app.rooms.hub import Hub
from app.rooms.meters import Meters, Spread
from app.store_metrics import AskingCollector

# What a client may close with is his choice: only codes that mean something here get a line of their own.
_KNOWN_CLOSES = frozenset((1000, 1001, 1002, 1005, 1006, 1009, 1011, *CloseCode))
# A request that bears one of these has come through a proxy, and so perhaps from anywhere.
_PROXIED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")

Labelled = Mapping[tuple[str, ...], float]
"""Numbers by the values of their labels."""


class RoomCollector(Collector):
    """Reads the numbers of a hub and its meters."""

    def __init__(self, hub: Hub, store_kind: str) -> None:
        self._hub = hub
        self._store_kind = store_kind

    def collect(self) -> Iterator[Metric]:
        """Every metric, at this moment."""
        meters = self._hub.meters
        yield self._commits(meters)
        for name, text, spread in _SPREADS:
            yield _histogram(name, text, {(): spread(meters)})
        for name, text, labels, numbers in _COUNTERS:
            yield _filled(CounterMetricFamily(name, text, labels=labels), numbers(meters))
        queues = self._hub.queues()
        gauges: tuple[tuple[str, str, float], ...] = (
            ("yamb_sockets_open", "Sockets at tables.", len(queues)),
            ("yamb_rooms_watched", "Rooms that somebody watches here.", self._hub.watched),
            ("yamb_queued_messages", "Messages that wait for their sockets.", sum(queues)),
            ("yamb_queued_messages_max", "Messages that wait for the slowest.", max(queues, default=0)),
        )
        for name, text, value in gauges:
            yield GaugeMetricFamily(name, text, value=value)

    def _commits(self, meters: Meters) -> Metric:
        by_outcome: dict[tuple[str, ...], Spread] = {
            (self._store_kind, outcome.value): spread for outcome, spread in meters.commits.items()
        }
        text = "Time that a commit took, by what became of it."
        return _histogram("yamb_commit_seconds", text, by_outcome, ("store", "outcome"))


class ConnectionCollector(Collector):
    """Reads the numbers of this process's connections."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def collect(self) -> Iterator[Metric]:
        """Every metric, at this moment."""
        yield GaugeMetricFamily(
            "yamb_connections_open", "Connections of all kinds.", value=self._connections.number
        )
        refused = CounterMetricFamily(
            "yamb_connections_refused", "Connections refused or ended by the server.", labels=("reason",)
        )
        yield _filled(refused, _by_name(self._connections.refusals.counts))


def make_metrics_router(*collectors: Collector) -> APIRouter:
    """`GET /metrics`, for who asks this process itself: through a proxy there is nothing."""
    registry = CollectorRegistry(auto_describe=False)
    for collector in (*collectors, ProcessCollector(registry=None)):
        registry.register(collector)
    asking = [collector for collector in collectors if isinstance(collector, AskingCollector)]
    router = APIRouter()

    @router.get("/metrics", include_in_schema=False)
    async def show_metrics(request: Request) -> Response:
        if any(name in request.headers for name in _PROXIED):
            raise HTTPException(404)
        await asyncio.gather(*(collector.look() for collector in asking))
        return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})

    return router


def _histogram(
    name: str, text: str, spreads: Mapping[tuple[str, ...], Spread], labels: tuple[str, ...] = ()
) -> Metric:
    family = HistogramMetricFamily(name, text, labels=labels)
    for values, spread in spreads.items():
        bounds = [*(repr(bound) for bound in spread.bounds), "+Inf"]
        buckets = list(zip(bounds, accumulate(spread.counts), strict=True))
        family.add_metric(list(values), buckets, spread.sum)
    return family


def _filled(family: CounterMetricFamily, numbers: Labelled) -> Metric:
    for values, number in numbers.items():
        family.add_metric(list(values), number)
    return family


def _by_name(numbers: Mapping[Any, int]) -> Labelled:
    return {(str(name),): number for name, number in numbers.items()}


def _closes(meters: Meters) -> Labelled:
    numbers: dict[tuple[str, ...], float] = {}
    for (by, code), number in meters.closes.items():
        labels = (str(int(code)) if code in _KNOWN_CLOSES else "other", by.value)
        numbers[labels] = numbers.get(labels, 0) + number
    return numbers


_SPREADS: Iterable[tuple[str, str, Callable[[Meters], Spread]]] = (
    (
        "yamb_commit_to_frame_seconds",
        "Time from the decision on a command to its update's frame, of every sixteenth update.",
        lambda meters: meters.frames,
    ),
    ("yamb_timer_lateness_seconds", "How late timers fired.", lambda meters: meters.timers),
)

_COUNTERS: Iterable[tuple[str, str, tuple[str, ...], Callable[[Meters], Labelled]]] = (
    ("yamb_messages", "Messages of clients, by type.", ("type",), lambda meters: _by_name(meters.messages)),
    ("yamb_refusals", "Refused commands, by code.", ("code",), lambda meters: _by_name(meters.refusals)),
    (
        "yamb_resumes",
        "Viewers brought up to date, by how.",
        ("kind",),
        lambda meters: _by_name(meters.resumes),
    ),
    ("yamb_sockets_closed", "Ended sockets, by close code and by whom.", ("code", "by"), _closes),
    (
        "yamb_recordings",
        "Attempts to record a finished game, by outcome.",
        ("outcome",),
        lambda meters: _by_name(meters.recordings),
    ),
    ("yamb_gaps", "Updates that came after a gap.", (), lambda meters: {(): meters.gaps}),
    (
        "yamb_resyncs",
        "Times that updates of any room may have been missed, such as a new subscription.",
        (),
        lambda meters: {(): meters.resyncs},
    ),
)
