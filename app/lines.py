"""A socket of this server as an application may use it directly: no event of ASGI, no task, little kept.

Sockets themselves are in `sockets.py`; this is what every message of a game goes through.
"""

import asyncio
from collections import deque
from typing import Protocol

from starlette.types import Message

DIRECT = "yamb.direct"
"""Among the extensions of a websocket's scope: its `Line`."""


class Direct(Protocol):
    """What an application may use beside `receive` and `send`: the same, with less on the way."""

    def send_now(self, message: str) -> bool:
        """Write a text message to the socket: False where that is closed, or what was written still waits.

        It takes no task and no turn of the loop. The same object for many sockets is made a frame once.
        """

    def abort(self) -> None:
        """End the connection at once, and forget what still waits for the network."""

    async def next_message(self) -> str | Message:
        """The next text message; or, as from `receive`, a binary one or the end."""


class Gate:
    """An `asyncio.Event` that is small while nobody waits for it."""

    def __init__(self) -> None:
        self.is_open = True
        self._event: asyncio.Event | None = None

    def set(self) -> None:
        """Let everybody through."""
        self.is_open = True
        if self._event is not None:
            self._event.set()
            self._event = None

    def clear(self) -> None:
        """Let nobody through."""
        self.is_open = False

    async def wait(self) -> None:
        """Return when it is open."""
        if not self.is_open:
            self._event = self._event or asyncio.Event()
            await self._event.wait()


class Line:
    """A socket from its opening on. It is `Direct`, and the queue of what has come and isn't taken yet: for
    one taker, and small while it is empty.

    The socket is read on while the application waits for a message, and until one comes for which it doesn't:
    so nothing is stopped and begun again for a client that waits for its answers.

    While the application is busy with a message, what it sends is held for a turn of the loop: the update
    that a command makes and its answer go out together.

    `heard_at`: when anything came from the socket last, on the loop's clock. `is_closed`: its end has been
    sent. `is_paused`: it isn't read. `writable` is closed while what was written waits for the network.
    `transport` is there once there is a connection.
    """

    transport: asyncio.Transport

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._held: bytes | None = None
        self._taker: asyncio.Future[str | Message] | None = None
        self.waiting: deque[str | Message] | None = None
        self.writable = Gate()
        self.is_closed = False
        self.is_paused = False
        self.heard_at = loop.time()

    def hand_over(self, text: str) -> None:
        """A text for the application, which is given no more before it takes it."""
        if not self.put_nowait(text) and not self.is_paused:
            self.is_paused = True
            self.transport.pause_reading()

    def put_nowait(self, message: str | Message) -> bool:
        """As of an `asyncio.Queue`. Whether somebody was waiting for it."""
        taker, self._taker = self._taker, None
        if taker is not None and not taker.done():
            taker.set_result(message)
            return True
        if self.waiting is None:
            self.waiting = deque()
        self.waiting.append(message)
        return False

    async def next_message(self) -> str | Message:
        """As in `Direct`."""
        if self._held is not None:
            self.release()
        waiting = self.waiting
        if waiting is None:
            message = await self._coming_one()
        else:
            message = waiting.popleft()
            if not waiting:
                self.waiting = None
        if self.is_paused and self.waiting is None:
            self.is_paused = False
            self.transport.resume_reading()
        return message

    def send_now(self, message: str) -> bool:
        """As in `Direct`."""
        if not self.writable.is_open or self.is_closed or self.transport.is_closing():
            return False
        frame, held = _frame_of(message), self._held
        if held is not None:
            self._held = None
            self.transport.write(held + frame)
        elif self._taker is not None:
            self.transport.write(frame)
        else:
            self._held = frame
            self._loop.call_soon(self.release)
        return True

    def abort(self) -> None:
        """As in `Direct`."""
        self.transport.abort()

    def release(self) -> None:
        """Write what is held."""
        held, self._held = self._held, None
        if held is not None and not self.is_closed and not self.transport.is_closing():
            self.transport.write(held)

    def probe(self) -> None:
        """Ask the client for a sign of life, unless more than that waits for it."""
        if not (self.transport.get_write_buffer_size() or self.is_closed or self.transport.is_closing()):
            self.transport.write(_PING)

    async def _coming_one(self) -> str | Message:
        taker: asyncio.Future[str | Message] = self._loop.create_future()
        self._taker = taker
        try:
            return await taker
        except asyncio.CancelledError:
            if taker.done() and not taker.cancelled():  # it has come all the same
                self.waiting = deque((taker.result(), *(self.waiting or ())))
            raise


_TEXT = 0x81  # of one frame, uncompressed
_PING = b"\x89\x00"
_SHORT, _TWO_BYTES, _EIGHT_BYTES = 126, b"\x81\x7e", b"\x81\x7f"


class _LastFrame:
    """A message and its frame: an update goes to one socket after another."""

    def __init__(self) -> None:
        self.message = ""
        self.frame = b""


_last = _LastFrame()


def _frame_of(message: str) -> bytes:
    if message is not _last.message:
        _last.message, _last.frame = message, _new_frame(message)
    return _last.frame


def _new_frame(message: str) -> bytes:
    """The message as one frame, as a server sends it: unmasked, so that it is the same for every socket."""
    payload = message.encode()
    length = len(payload)
    if length < _SHORT:
        return bytes((_TEXT, length)) + payload
    if length < 1 << 16:
        return _TWO_BYTES + length.to_bytes(2, "big") + payload
    return _EIGHT_BYTES + length.to_bytes(8, "big") + payload
