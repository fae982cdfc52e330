"""The subscription that tells a store what happens in rooms, and that is never believed to be alive.

A connection may be dead without anybody noticing. So the store sends itself a beat through Redis; when none
comes back for a while, everything is connected anew. Knows no Redis: it is given a line.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from app.rooms.store import StoreUnavailable, Watcher

BEAT_SECONDS = 1.0
SILENCE_SECONDS = 3.0
_RETRY_SECONDS = 0.2

_logger = logging.getLogger(__name__)

Take = Callable[[bytes], None]
"""Takes a message of any subscribed channel. What it raises ends the connection."""
Stepped = Callable[[str], None]
"""Told of every step, also of a room that isn't watched."""


class Line(Protocol):
    """How to reach Redis, both ways."""

    def subscribed(self, take: Take) -> AbstractAsyncContextManager[asyncio.Future[None]]:
        """A new connection, subscribed to every channel once it is entered. Raises StoreUnavailable.

        The future never has a result, only what ended the connection.
        """

    async def beat(self) -> None:
        """Publish `beat` where `subscribed` hears it. Raises StoreUnavailable."""


class Subscription:
    """Hears every channel from `open` to `close`, over as many connections as that takes."""

    def __init__(self, line: Line, watcher: Watcher, watched: set[str], stepped: Stepped) -> None:
        self._line = line
        self._watcher = watcher
        self._watched = watched
        self._stepped = stepped
        self._tasks: list[asyncio.Task[None]] = []
        self._silence: asyncio.Timeout | None = None

    async def open(self) -> None:
        """Return when every channel is heard. Raises StoreUnavailable when the first attempt fails."""
        first = asyncio.get_running_loop().create_future()
        self._begin(first)
        try:
            await first
        except BaseException:
            await self.close()
            raise

    def start(self) -> None:
        """Begin to hear. The watcher is told when it is so: what came before then he may have missed."""
        heard_before = asyncio.get_running_loop().create_future()
        heard_before.set_result(None)
        self._begin(heard_before)

    async def close(self) -> None:
        """Hear nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    def _begin(self, first: asyncio.Future[None]) -> None:
        self._tasks = [
            asyncio.create_task(self._hear_always(first), name="subscription"),
            asyncio.create_task(self._beat_always(), name="subscription beat"),
        ]

    async def _hear_always(self, first: asyncio.Future[None]) -> None:
        while True:
            try:
                async with self._line.subscribed(self._take) as ended:
                    if first.done():
                        self._watcher.resynced()
                    else:
                        first.set_result(None)
                    await self._hear(ended)
            except StoreUnavailable as error:
                if not first.done():
                    first.set_exception(error)
                _logger.warning("subscription lost: %s", error)
            except Exception:  # of a watcher, which then hears of a new subscription
                _logger.exception("subscription lost")
            await asyncio.sleep(_RETRY_SECONDS)

    async def _hear(self, ended: asyncio.Future[None]) -> None:
        try:
            async with asyncio.timeout(SILENCE_SECONDS) as self._silence:
                await ended
        except TimeoutError as error:
            raise StoreUnavailable(f"no beat for {SILENCE_SECONDS:g} s") from error
        finally:
            self._silence = None

    def _take(self, message: bytes) -> None:
        if not message.startswith(b"beat"):
            self._tell(message)
        elif self._silence is not None:
            self._silence.reschedule(asyncio.get_running_loop().time() + SILENCE_SECONDS)

    def _tell(self, message: bytes) -> None:
        kind, code_bytes, rest = message.split(b" ", 2)
        code = code_bytes.decode()
        is_step = kind == b"updated"
        if is_step:
            self._stepped(code)
        if code not in self._watched:
            return
        if is_step:
            version, update = rest.split(b" ", 1)
            self._watcher.updated(code, int(version), update)
        else:
            self._watcher.relayed(code, rest)

    async def _beat_always(self) -> None:
        while True:
            try:
                await self._line.beat()
            except StoreUnavailable as error:
                _logger.debug("no beat sent: %s", error)
            await asyncio.sleep(BEAT_SECONDS)


class Lines(Protocol):
    """How to reach every Redis that has channels."""

    def hearings(self) -> Sequence[Line]:
        """One line to each of them."""

    async def until_changed(self) -> None:
        """Return when these are no longer the right lines."""


class Subscriptions:
    """Hears every channel of every Redis from `open` to `close`, wherever the channels go."""

    def __init__(self, lines: Lines, watcher: Watcher, watched: set[str], stepped: Stepped) -> None:
        self._lines = lines
        self._watcher = watcher
        self._watched = watched
        self._stepped = stepped
        self._open: list[Subscription] = []
        self._following: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Return when every channel is heard. Raises StoreUnavailable when the first attempt fails."""
        try:
            self._open = self._subscriptions()
            await asyncio.gather(*(subscription.open() for subscription in self._open))
        except BaseException:
            await self.close()
            raise
        self._following = asyncio.create_task(self._follow(), name="subscriptions")

    async def close(self) -> None:
        """Hear nothing any more."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        await self._unsubscribe()

    async def _unsubscribe(self) -> None:
        await asyncio.gather(*(subscription.close() for subscription in self._open))
        self._open = []

    async def _follow(self) -> None:
        while True:
            await self._lines.until_changed()
            await self._unsubscribe()
            self._open = self._subscriptions()
            for subscription in self._open:
                subscription.start()

    def _subscriptions(self) -> list[Subscription]:
        return [
            Subscription(line, self._watcher, self._watched, self._stepped) for line in self._lines.hearings()
        ]
