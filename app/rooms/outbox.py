"""What waits to be sent to one socket: in order, bounded, and without a gap or a double in its versions.

A reader that is too slow loses the updates that wait and gets one snapshot in their place. Knows nothing of
sockets.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from app.rooms.closing import Close, CloseCode

LIMIT = 256  # more than the updates that a store keeps

Update = tuple[int, str]
"""A version, and the message of the step to it."""


SendNow = Callable[[str], bool]
"""Sends a message at once if the socket takes it: False where it doesn't, and nothing is sent."""


def _send_later(_message: str) -> bool:
    return False


class Outbox:
    """Messages for one socket. `version` is the last one put in.

    While nothing waits, messages go to `send_now` and wait only where that doesn't take them: so the writer
    is woken for a reader that is slow, and for no other.

    Updates are let in between `begin` and `finish` too: they are kept until it is known which of them the
    snapshot has.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._messages: deque[tuple[str, bool]] = deque()
        self._early: list[Update] | None = []
        self._changed = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._end: CloseCode | None = None
        self._is_sending = False
        self.send_now: SendNow = _send_later
        self.version = -1
        self.is_lost = False

    def __len__(self) -> int:
        """How many messages wait."""
        return len(self._messages)

    @property
    def is_full(self) -> bool:
        """Whether nothing more is let in."""
        return len(self._messages) >= self._limit

    def begin(self) -> None:
        """A snapshot is being made: keep the updates that come meanwhile."""
        self.is_lost = False
        self._early = []

    def finish(self, version: int, messages: Iterable[str]) -> None:
        """These messages bring the client to `version`; what came meanwhile follows."""
        early, self._early = self._early or [], None
        self.version = version
        for message in messages:
            self._put(message, is_update=True)
        for update in early:
            self.offer(*update)

    def offer(self, version: int, update: str) -> None:
        """A step of the room. One that is there already is dropped; after a gap or when full, all are."""
        if self._early is not None:
            self._early.append((version, update))
            if len(self._early) > self._limit:
                self.lose()
            return
        if self.is_lost or version <= self.version:
            return
        if version > self.version + 1 or self.is_full:
            self.lose()
            return
        self.version = version
        self._put(update, is_update=True)

    def lose(self) -> None:
        """Drop the updates that wait, and all that come before the snapshot that is due now. Answers stay."""
        self._messages = deque(entry for entry in self._messages if not entry[1])
        self._early = None
        self.is_lost = True
        self._tell()

    def pass_on(self, message: str) -> None:
        """A message that may get lost: dropped when full."""
        if not self.is_full:
            self._put(message, is_update=False)

    def rest(self) -> list[str]:
        """Take out all that waits."""
        rest = [message for message, _ in self._messages]
        self._messages.clear()
        return rest

    async def answer(self, message: str) -> None:
        """A message that must not get lost: waits for room, and so slows down who asks without reading."""
        while self.is_full:
            self._has_room.clear()
            await self._has_room.wait()
        self._put(message, is_update=False)

    def end(self, code: CloseCode) -> None:
        """Close the socket once what waits is sent."""
        self._end = self._end or code
        self._tell()

    async def next(self) -> str | None:
        """The next message, the one before being sent; None when a snapshot is due.

        Raises Close after the last one.
        """
        self._is_sending = False
        while not self._messages:
            if self._end is not None:
                raise Close(self._end)
            if self.is_lost:
                return None
            self._changed.clear()
            await self._changed.wait()
        message, _ = self._messages.popleft()
        self._is_sending = True
        self._has_room.set()
        return message

    def _put(self, message: str, *, is_update: bool) -> None:
        # One that the writer has taken out comes first, though it may still be on its way.
        if not self._messages and not self._is_sending and self._end is None and self.send_now(message):
            return
        self._messages.append((message, is_update))
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        if not self.is_full:
            self._has_room.set()
