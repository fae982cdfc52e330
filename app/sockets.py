"""What the system and uvicorn are told about sockets, so that a client that stops reading costs little."""

import asyncio
import os
import socket
import sys
from collections import deque
from typing import Any, Protocol

from starlette.types import Message
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:  # it comes with the library where there is a compiler for it
    from websockets.utils import apply_mask

from app.rules.by_identity import by_identity

# Longer than a stuck send is waited for (4430), so that this one says so wherever it still can.
_UNHEARD_MS = 30_000
_MOST_WAITING_BYTES = 64 * 1024


def make_listener(host: str, port: int) -> socket.socket:
    """A socket to serve at. Raises OSError.

    What is accepted from it is given up when nothing that was sent is acknowledged, or taken in, for half a
    minute: neither a send nor a receive would otherwise ever end at a client that was cut off (Linux).
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol said aloud: only then does asyncio send small messages at once.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNHEARD_MS)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


DIRECT = "yamb.direct"
"""Among the extensions of a websocket's scope: a `Line`."""


class Direct(Protocol):
    """What an application may use beside `receive` and `send`: the same, with less on the way."""

    def send_now(self, message: str) -> bool:
        """Write a text message to the socket: False where that is closed, or what was written still waits.

        It takes no task and no turn of the loop. The same object for many sockets is made a frame once.
        """

    async def next_message(self) -> str | Message:
        """The next text message; or, as from `receive`, a binary one or the end."""


class Line(Direct, Protocol):
    """A socket of this server's own. `heard_at`: when anything came from it last, on the loop's clock."""

    @property
    def heard_at(self) -> float:
        """Read only."""

    def probe(self) -> None:
        """Ask the client for a sign of life, unless more than that waits for it."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's, which is a `Line` too, and keeps little for a socket that is silent.

    The socket is read on while the application waits for a message, and until one comes for which it doesn't:
    so nothing is stopped and begun again for a client that waits for its answers.

    A small text that comes whole is read here: the library is given everything else, and it alone until it
    stands between two messages again.

    While the application is busy with a message, what it sends is held for a turn of the loop: the update
    that a command makes and its answer go out together.

    And uvicorn's answers every ping at once: for a client that doesn't read, the answers would gather without
    end, since nobody waits for them to be sent.
    """

    queue: "_Inbox"  # type: ignore[assignment]  # uvicorn's is an asyncio.Queue
    writable: "_Gate"  # type: ignore[assignment]  # uvicorn's is an asyncio.Event

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.queue = _Inbox()
        self.writable = _Gate()
        self._is_between = False  # two messages, as far as the library knows
        self._held: bytes | None = None
        self.heard_at = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        self.heard_at = self.loop.time()
        if self._is_between and data[0] == _TEXT and not self.close_sent:
            text = _whole_text(data)
            if text is not None:
                self._hand_over(text)
                return
        super().data_received(data)
        self._is_between = _is_between_messages(self.conn)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            # The application sees the scope in the loop's next turn.
            self.scope["extensions"][DIRECT] = self  # type: ignore[assignment]  # typed too closely

    def start_keepalive(self) -> None:
        super().start_keepalive()
        # The handshake is over, and these would be kept as long as the socket.
        del self.request, self.response

    def send_now(self, message: str) -> bool:
        """As in `Direct`."""
        if not self.writable.is_open or self.close_sent or self.transport.is_closing():
            return False
        frame, held = _frame_of(message), self._held
        if held is not None:
            self._held = None
            self.transport.write(held + frame)
        elif self.queue.is_asked:
            self.transport.write(frame)
        else:
            self._held = frame
            self.loop.call_soon(self._release)
        return True

    def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None and not self.close_sent and not self.transport.is_closing():
            self.transport.write(held)

    async def send(self, message: Any) -> None:
        """An event of ASGI."""
        self._release()
        await super().send(message)

    def probe(self) -> None:
        """As in `Line`. The pong says nothing new to uvicorn, which has its own pings."""
        if self.transport.get_write_buffer_size() or self.close_sent or self.transport.is_closing():
            return
        self.conn.send_ping(b"")
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def next_message(self) -> str | Message:
        """As in `Direct`."""
        if self._held is not None:
            self._release()
        message = await self.queue.get()
        if self.read_paused and not self.queue.waiting:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    async def receive(self) -> Any:
        """The next event of ASGI."""
        message = await self.next_message()
        return {"type": "websocket.receive", "text": message} if isinstance(message, str) else message

    def send_receive_event_to_app(self) -> None:
        """Hand a message to the application."""
        if self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()
            return
        self.frames = []
        self._hand_over(text)

    def _hand_over(self, text: str) -> None:
        if not self.queue.put_nowait(text) and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > _MOST_WAITING_BYTES:
            self.conn.data_to_send()
            return
        super().handle_ping()


class _Inbox:
    """What has come and isn't taken yet: an `asyncio.Queue` for one taker that is small while it is empty."""

    __slots__ = ("_taker", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[str | Message] | None = None
        self._taker: asyncio.Future[str | Message] | None = None

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for a message."""
        return self._taker is not None

    def put_nowait(self, message: str | Message) -> bool:
        """Whether somebody was waiting for it."""
        taker, self._taker = self._taker, None
        if taker is not None and not taker.done():
            taker.set_result(message)
            return True
        if self.waiting is None:
            self.waiting = deque()
        self.waiting.append(message)
        return False

    async def get(self) -> str | Message:
        """The next one."""
        if self.waiting is not None:
            message = self.waiting.popleft()
            if not self.waiting:
                self.waiting = None
            return message
        taker: asyncio.Future[str | Message] = asyncio.get_running_loop().create_future()
        self._taker = taker
        try:
            return await taker
        except asyncio.CancelledError:
            if taker.done() and not taker.cancelled():
                self._put_back(taker.result())
            raise

    def _put_back(self, message: str | Message) -> None:
        self.waiting = deque((message, *(self.waiting or ())))


class _Gate:
    """An `asyncio.Event` that is small while nobody waits for it."""

    __slots__ = ("_event", "is_open")

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


_TEXT = 0x81  # of one frame, uncompressed
_MASKED = 0x80
_LEAST_BYTES = 6  # of a masked frame
_MOST_DIRECT_BYTES = 8 * 1024
_SHORT, _TWO_BYTES, _EIGHT_BYTES = 126, b"\x81\x7e", b"\x81\x7f"


def _whole_text(data: bytes) -> str | None:
    """The text, where these bytes are one short masked frame and nothing more, and the text is one."""
    size = len(data)
    if size < _LEAST_BYTES:
        return None
    start, length = 2, data[1] - _MASKED  # negative where it isn't masked
    if length == _SHORT:
        start, length = 4, data[2] << 8 | data[3]
    elif length > _SHORT:
        return None
    if size != start + 4 + length or length > _MOST_DIRECT_BYTES:
        return None
    try:
        return apply_mask(data[start + 4 :], data[start : start + 4]).decode()
    except UnicodeDecodeError:
        return None


_AT_END = StreamReader.at_eof.__code__


def _is_between_messages(conn: ServerProtocol) -> bool:
    """Whether the library waits for the first byte of a message, and would read that as it stands."""
    if conn.state is not OPEN or conn.current_size is not None or conn.extensions:
        return False
    if conn.max_message_size is None or conn.max_message_size < _MOST_DIRECT_BYTES:
        return False
    step: Any = conn.parser
    while (inner := step.gi_yieldfrom) is not None:
        step = inner
    # It waits there only when all that came has been read.
    return step.gi_code is _AT_END


@by_identity(kept=16)
def _frame_of(message: str) -> bytes:
    """The message as one frame, as a server sends it: unmasked, so that it is the same for every socket."""
    payload = message.encode()
    length = len(payload)
    if length < _SHORT:
        return bytes((_TEXT, length)) + payload
    if length < 1 << 16:
        return _TWO_BYTES + length.to_bytes(2, "big") + payload
    return _EIGHT_BYTES + length.to_bytes(8, "big") + payload
