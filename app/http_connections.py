"""HTTP on one connection: uvicorn's protocol, with bounds on the size and the time of a request."""

import asyncio
from collections.abc import Mapping
from enum import Enum
from http import HTTPStatus
from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from app.connections import NEVER, Connections, Reason
from app.floods import FLOOD_SECONDS
from app.problems import Problem, problem_response
from app.requests import MAX_BODY_BYTES
from app.sockets import SocketProtocol

PIECE_BYTES = 4 * 1024
"""What the parser is given at once: the bounds are looked at between two pieces."""
_GRACE_SECONDS = 1.0
"""For reading a refusal: a connection that is closed at once is reset, and some clients then don't read."""


class _Stage(Enum):
    """What the client is sending."""

    NOTHING = "nothing"
    HEAD = "head"
    BODY = "body"


class _OutOfBounds(Exception):
    """Stops the parser; uvicorn then asks for a 400."""


class HttpProtocol(HttpToolsProtocol):
    """Uvicorn's. `connections` are all of this process."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        connections: Connections,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.deadline = NEVER
        self._all = connections
        self._bounds = connections.bounds
        self._stage = _Stage.NOTHING
        self._size = 0  # of what has come of this stage
        self._found: Reason | None = None  # by the parser's callbacks
        self._is_over = False  # nothing more is taken

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Called when there is a connection."""
        super().connection_made(transport)
        self.deadline = self.loop.time() + self._bounds.head_seconds
        reason = self._all.enter(self, self.client[0] if self.client else "", self.loop)
        if reason is not None:
            self._is_over = True
            self._all.refusals.add(reason)
            transport.write(_ANSWERS[reason])
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when it has ended."""
        self._all.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come, a piece at a time."""
        if self._is_over:
            self.transport.pause_reading()  # an answer that was under way had it read again
        for start in range(0, len(data), PIECE_BYTES):
            if self._is_over or self.transport.is_closing():
                return
            self._read(data[start : start + PIECE_BYTES])

    def _read(self, piece: bytes) -> None:
        if self._stage is _Stage.NOTHING:
            self._enter(_Stage.HEAD, self._bounds.head_seconds)
        self._size += len(piece)
        if self._stage is _Stage.HEAD and self._size > self._bounds.head_bytes:
            self._refuse(Reason.HEAD if self.headers else Reason.LINE)
        elif self._stage is _Stage.BODY and self._size > self._bounds.body_bytes:
            self._refuse(Reason.BODY)
        else:
            super().data_received(piece)

    def _enter(self, stage: _Stage, seconds: float) -> None:
        self._stage = stage
        self._size = 0
        self.deadline = self.loop.time() + seconds

    def on_message_begin(self) -> None:
        """A request begins."""
        if len(self.pipeline) >= self._bounds.pipelined:
            self._stop(Reason.PIPELINE)
        super().on_message_begin()
        if self._stage is not _Stage.HEAD:
            self._enter(_Stage.HEAD, self._bounds.head_seconds)

    def on_url(self, url: bytes) -> None:
        """A part of the request's line."""
        super().on_url(url)
        if len(self.url) > self._bounds.line_bytes:
            self._stop(Reason.LINE)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or a trailer."""
        if len(self.headers) >= self._bounds.headers:
            self._stop(Reason.HEAD)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is here."""
        super().on_headers_complete()
        self._enter(_Stage.BODY, self._bounds.body_seconds)

    def on_message_complete(self) -> None:
        """The request is here."""
        super().on_message_complete()
        self._enter(_Stage.NOTHING, self._bounds.answer_seconds)

    def handle_websocket_upgrade(self) -> None:
        """Go on as a websocket."""
        super().handle_websocket_upgrade()
        self._is_over = True
        protocol = self.transport.get_protocol()
        if isinstance(protocol, SocketProtocol):
            protocol.enrol(self._all, self)
        else:
            self._all.leave(self)

    def send_400_response(self, _msg: str) -> None:
        """Answer what is no request, or one that is out of bounds."""
        self._refuse(self._found or Reason.NONSENSE)

    def expire(self) -> None:
        """The time for this stage, or for what was told at the end, is over."""
        if self._is_over or self.transport.is_closing():
            self.transport.abort()
        elif self._stage is _Stage.HEAD:
            self._refuse(Reason.HEAD_TIME)
        elif self._stage is _Stage.BODY:
            self._refuse(Reason.BODY_TIME)
        else:
            if self._is_answering:
                self._all.refusals.add(Reason.ANSWER_TIME)
            self.transport.abort()

    def give_way(self) -> None:
        """End at once."""
        self.transport.abort()

    @property
    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _stop(self, reason: Reason) -> None:
        """Leave the parser. Raises _OutOfBounds."""
        self._found = reason
        raise _OutOfBounds(reason)

    def _refuse(self, reason: Reason) -> None:
        """Take nothing more. Requests that are here are still answered; else the reason is told."""
        self._is_over = True
        self._all.refusals.add(reason)
        self.transport.pause_reading()
        if self._is_answering and not self.cycle.more_body:
            self.cycle.keep_alive = False
            self.deadline = self.loop.time() + self._bounds.answer_seconds
            return
        if self.pipeline or (self._is_answering and self.cycle.response_started):
            self.transport.abort()
            return
        if self._is_answering:
            self.cycle.disconnected = True  # for the application
            self.cycle.message_event.set()
        if self._stage is not _Stage.BODY or self._is_answering:
            self.transport.write(_ANSWERS[reason])
        self.deadline = self.loop.time() + _GRACE_SECONDS


def _answer(problem: Problem) -> bytes:
    """The problem as it is sent before there is a request to answer."""
    response = problem_response(problem)
    headers = [*response.raw_headers, (b"connection", b"close")]
    lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}".encode()]
    lines += [name + b": " + value for name, value in headers]
    return b"\r\n".join((*lines, b"", bytes(response.body)))


_TOO_SLOW = "the request took too long"
_PROBLEMS: Mapping[Reason, Problem] = {
    Reason.ADDRESS: Problem(429, "too_many_connections", "this address has too many connections open"),
    Reason.SHUT_OUT: Problem(
        429,
        "too_many_floods",
        "this address has flooded too often: wait a minute",
        headers={"Retry-After": f"{FLOOD_SECONDS:.0f}"},
    ),
    Reason.FULL: Problem(
        503, "unavailable", "this server holds as many connections as it can", headers={"Retry-After": "5"}
    ),
    Reason.NONSENSE: Problem(400, "bad_request", "this is no HTTP request"),
    Reason.LINE: Problem(414, "line_too_long", "the address of the request is too long"),
    Reason.HEAD: Problem(431, "head_too_big", "the headers of the request are too many or too long"),
    Reason.BODY: Problem(413, "too_big", f"a body has at most {MAX_BODY_BYTES} bytes"),
    Reason.PIPELINE: Problem(429, "too_many_requests", "wait for answers before you ask more"),
    Reason.HEAD_TIME: Problem(408, "too_slow", _TOO_SLOW),
    Reason.BODY_TIME: Problem(408, "too_slow", _TOO_SLOW),
}
_ANSWERS = {reason: _answer(problem) for reason, problem in _PROBLEMS.items()}
