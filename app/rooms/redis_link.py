"""A connection to Redis once redis-py has made it: bytes go out at once, and what comes is handed on at once.

By redis-py every write takes a task, and everything that comes takes a chain of coroutines.
"""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from hiredis import Reader
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as Lost
from redis.exceptions import InvalidResponse

Take = Callable[[Any], None]
"""Takes what comes: an answer, a message of a subscription, or redis-py's error for a refusal. What it raises
ends the link."""


class Link(asyncio.Protocol):
    """Has a connection for itself, which is connected and owed no answer. The connection is still to be
    disconnected by whoever made it. `ended` never has a result, only what went wrong."""

    def __init__(self, connection: AbstractConnection, take: Take) -> None:
        self._take = take
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended.add_done_callback(_is_seen)
        # redis-py shows neither to others.
        streams, parser = cast("Any", connection)._writer, cast("Any", connection)._parser
        self._reader = Reader(protocolError=InvalidResponse, replyError=parser.parse_error)
        self._transport: asyncio.WriteTransport = streams.transport
        self._transport.set_protocol(self)

    def send(self, packed: bytes) -> None:
        """Send commands."""
        self._transport.write(packed)

    def end(self, error: Exception) -> None:
        """Take nothing any more."""
        if not self.ended.done():
            self.ended.set_exception(error)

    def data_received(self, data: bytes) -> None:
        reader = self._reader
        reader.feed(data)
        try:
            # False: what follows isn't here yet.
            while (answer := reader.gets()) is not False and not self.ended.done():
                self._take(answer)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits must hear of it
            self.end(error)

    def connection_lost(self, exc: Exception | None) -> None:
        self.end(exc or Lost("the connection was closed"))


def _is_seen(ended: asyncio.Future[None]) -> None:
    """Nobody waits any more when it ends in order: asyncio is not to complain about that."""
    if not ended.cancelled():
        ended.exception()
