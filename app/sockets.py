"""What the system and uvicorn are told about sockets, so that a client that stops reading costs little."""

import asyncio
import os
import socket
import sys
from http import HTTPStatus
from typing import Any

from uvicorn import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from app.lines import DIRECT, MOST_DIRECT_BYTES, Gate, Line

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


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's, with a `Line` for what is said on it, that keeps little for a socket that is silent.

    A small text that comes whole is taken by the line: the library is given everything else, and it alone
    until it stands between two messages again.

    And uvicorn's answers every ping at once: for a client that doesn't read, the answers would gather without
    end, since nobody waits for them to be sent.
    """

    queue: Line  # type: ignore[assignment]  # uvicorn's is an asyncio.Queue
    writable: Gate  # type: ignore[assignment]  # uvicorn's is an asyncio.Event

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        self.line = Line(_loop or asyncio.get_event_loop())
        super().__init__(config, server_state, app_state, _loop)
        self.queue = self.line
        self.writable = self.line.writable
        self._is_between = False  # two messages, as far as the library knows

    @property
    def close_sent(self) -> bool:
        """Whether the end has been sent: uvicorn's, which the line has to know too."""
        return self.line.is_closed

    @close_sent.setter
    def close_sent(self, is_closed: bool) -> None:
        self.line.is_closed = is_closed

    @property
    def read_paused(self) -> bool:
        """Whether the socket isn't read: uvicorn's, which the line has to know too."""
        return self.line.is_paused

    @read_paused.setter
    def read_paused(self, is_paused: bool) -> None:
        self.line.is_paused = is_paused

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when there is a connection."""
        super().connection_made(transport)
        self.line.transport = self.transport

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        line = self.line
        line.heard_at = self.loop.time()
        if not self._is_between or not line.take(data):
            super().data_received(data)
            self._is_between = _is_between_messages(self.conn)
            if not self.handshake_initiated and self.conn.handshake_exc is not None:
                self._refuse(self.conn.handshake_exc)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            # The application sees the scope in the loop's next turn.
            self.scope["extensions"][DIRECT] = self.line  # type: ignore[assignment]  # typed too closely

    def start_keepalive(self) -> None:
        super().start_keepalive()
        # The handshake is over, and these would be kept as long as the socket.
        del self.request, self.response

    async def send(self, message: Any) -> None:
        """An event of ASGI. Raises ClientDisconnected, also where the application hasn't heard of the end."""
        self.line.release()
        await self.writable.wait()
        if self.close_sent or self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)

    def shutdown(self) -> None:
        """End it with the server. Who is ending already, or hasn't read for long, is told nothing more.

        Uvicorn's would fail at the one, and wait for the other until it loses its patience.
        """
        if self.transport.is_closing() or not self.writable.is_open:
            self.transport.abort()
        else:
            super().shutdown()

    async def receive(self) -> Any:
        """The next event of ASGI."""
        message = await self.line.next_message()
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
            # Uvicorn would log it as its own error, and fail where the client's end has come with it.
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
            return
        self.frames = []
        self.line.hand_over(text)

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > _MOST_WAITING_BYTES:
            self.conn.data_to_send()
            return
        super().handle_ping()

    def _refuse(self, error: Exception) -> None:
        """Answer and end what is no handshake for the library, of which uvicorn says nothing.

        Nobody would end it otherwise, and the server's own end would fail at it.
        """
        answer = b"".join(self.conn.data_to_send())
        if not answer:
            reason = f"Failed to open a WebSocket connection: {error.__cause__ or error}.\n"
            answer = self.conn.reject(HTTPStatus.BAD_REQUEST, reason).serialize()
        self.transport.write(answer)
        self.close_sent = True
        self.transport.close()


_AT_END = StreamReader.at_eof.__code__


def _is_between_messages(conn: ServerProtocol) -> bool:
    """Whether the library waits for the first byte of a message, and would read that as it stands."""
    if conn.state is not OPEN or conn.current_size is not None or conn.extensions:
        return False
    if conn.max_message_size is None or conn.max_message_size < MOST_DIRECT_BYTES:
        return False
    step: Any = conn.parser
    while (inner := step.gi_yieldfrom) is not None:
        step = inner
    # It waits there only when all that came has been read.
    return step.gi_code is _AT_END
