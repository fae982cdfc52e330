"""What waits to be sent to one socket: in order, bounded, and without a gap or a double in its versions.

A reader that is too slow loses the updates that wait and gets one snapshot in their place. Knows nothing of
sockets.
"""

import asyncio
from collections.abc import Callable, Iterable
from enum import Enum, auto

from app.rooms.backlog import Backlog
from app.rooms.closing import Close, CloseCode

LIMIT = 256  # more than the updates that a store keeps

Update = tuple[int, str]
"""A version, and the message of the step to it."""


SendNow = Callable[[str], bool]
"""Sends a message at once if the socket takes it: False where it doesn't, and nothing is sent."""


class Due(Enum):
    """What is to be done where no message waits."""

    NOTHING = auto()
    SNAPSHOT = auto()


def _send_later(_message: str) -> bool:
    return False


def _wait() -> None:
    return


class Outbox:
    """Messages for one socket. `version` is the last one put in.

    While nothing waits, messages go to `send_now` and wait only where that doesn't take them. When something
    waits `wake` is called: so there need be a writer only for a reader that is slow.

    What waits is counted in `backlog`, with that of all others. Where that is too much, `abort` is called.

    Updates are let in between `begin` and `finish` too: they are kept until it is known which of them the
    snapshot has.
    """

    __slots__ = (
        "_backlog", "_early", "_end", "_has_room", "_is_dropped", "_is_sending", "_limit", "_messages",
        "abort", "is_lost", "send_now", "version", "wake",
    )  # fmt: skip

    def __init__(self, limit: int = LIMIT, backlog: Backlog | None = None) -> None:
        self._limit = limit
        self._backlog = backlog or Backlog()
        self._messages: list[tuple[str, bool]] = []
        self._early: list[Update] | None = []
        self._has_room: asyncio.Event | None = None  # while somebody waits for it
        self._end: CloseCode | None = None
        self._is_sending = False
        self._is_dropped = False
        self.send_now: SendNow = _send_later
        self.wake: Callable[[], None] = _wait
        self.abort: Callable[[], None] = _wait
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
        if version > self.version + 1 or len(self._messages) >= self._limit:
            self.lose()
            return
        self.version = version
        self._put(update, is_update=True)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is to be done."""
        return not self._messages and self._end is None and not self.is_lost

    @property
    def is_at_end(self) -> bool:
        """Whether the socket is to be closed, and nothing waits before that."""
        return self._end is not None and not self._messages

    def has_sent(self, version: int) -> bool:
        """Whether the message of the step to `version` is the last that was put in, and none waits."""
        return self.version == version and not self._messages

    def lose(self) -> None:
        """Drop the updates that wait, and all that come before the snapshot that is due now. Answers stay."""
        given_up = sum(len(message) for message, is_update in self._messages if is_update)
        self._backlog.shrink(self, given_up)
        self._messages = [entry for entry in self._messages if not entry[1]]
        self._early = None
        self.is_lost = True
        self._let_in()
        self.wake()

    def pass_on(self, message: str) -> None:
        """A message that may get lost: dropped when full."""
        if not self.is_full:
            self._put(message, is_update=False)

    def rest(self) -> list[str]:
        """Take out all that waits. It counts as waiting until `settle`."""
        rest = [message for message, _ in self._messages]
        self._messages.clear()
        return rest

    def settle(self) -> None:
        """The rest is sent."""
        self._backlog.leave(self)

    def forget(self) -> None:
        """Give up all that waits."""
        self._backlog.shrink(self, sum(len(message) for message, _ in self._messages))
        self._messages.clear()

    async def answer(self, message: str) -> None:
        """A message that must not get lost: waits for room, and so slows down who asks without reading."""
        while self.is_full and not self._is_dropped:
            self._has_room = self._has_room or asyncio.Event()
            await self._has_room.wait()
        self._put(message, is_update=False)

    def end(self, code: CloseCode) -> None:
        """Close the socket once what waits is sent."""
        self._end = self._end or code
        self.wake()

    def drop(self) -> None:
        """Nobody is there to be told anything any more."""
        self._is_dropped = True
        self._messages.clear()
        self._backlog.leave(self)
        self._let_in()

    def cut_off(self) -> None:
        """Others need the memory that this socket holds: nothing more is kept for it, and it is given up."""
        self.drop()
        self.abort()

    def next(self) -> str | Due:
        """The next message, the one before being sent, or what else is due. Raises Close after the last."""
        self._is_sending = False
        if not self._messages:
            if self._end is not None:
                raise Close(self._end)
            self._backlog.leave(self)
            return Due.SNAPSHOT if self.is_lost else Due.NOTHING
        message, _ = self._messages.pop(0)
        self._backlog.take(self, len(message))
        self._is_sending = True
        self._let_in()
        return message

    def _put(self, message: str, *, is_update: bool) -> None:
        # One that the writer has taken out comes first, though it may still be on its way.
        if not self._messages and not self._is_sending and self._end is None and self.send_now(message):
            return
        if not self._is_dropped:
            self._messages.append((message, is_update))
            self.wake()
            self._backlog.add(self, len(message))

    def _let_in(self) -> None:
        if self._has_room is not None:
            self._has_room.set()
            self._has_room = None
