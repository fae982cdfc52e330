"""How long requests took, and what became of them, by route: for Prometheus, and a line each at `debug`.

A route is told as its template, such as `/api/rooms/{code}`: what a client writes into an address is in no
label and in no line, so a flood of made-up addresses makes no new ones.
"""

import logging
import time

from prometheus_client import Histogram, disable_created_metrics
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OTHER = "other"
"""The route of what no route was found for: files, addresses that aren't there, and early refusals."""

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

_logger = logging.getLogger(__name__)


def make_request_seconds() -> Histogram:
    """Seconds by route and class of status. It is in no registry yet."""
    # They would be a second line for each, of no use here. The library leaves this one function untyped.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    return Histogram(
        "yamb_http_request_seconds",
        "Time that a request took, by route and class of status.",
        ("route", "status"),
        registry=None,
        buckets=_BOUNDS,
    )


class RequestMeter:
    """Measures each request from its first step here to its last, waits for a turn included."""

    def __init__(self, app: ASGIApp, seconds: Histogram) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500  # of a defect: its answer is made further out

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        begun = time.perf_counter()
        try:
            await self._app(scope, receive, send_noting)
        finally:
            self._note(scope, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", OTHER)
        self._seconds.labels(route, f"{status // 100}xx").observe(seconds)
        said = {"method": scope["method"], "route": route, "status": status, "seconds": round(seconds, 4)}
        _logger.debug("request answered", extra=said)
