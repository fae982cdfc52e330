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
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from app.allowance import Allowance
from app.connections import NEVER, Connection, Connections
from app.lines import DIRECT, Gate, Line
from app.rooms import closing

# Longer than a stuck send is waited for (4430), so that this one says so wherever it still can.
_UNHEARD_MS = 30_000
_MOST_WAITING_BYTES = 64 * 1024
_PIECE_BYTES = 2 * 1024
"""What the library is given at once: 340 frames at most, which are counted before it is given more."""
_MOST_FRAGMENTS = 256
_GRACE_SECONDS = 2.0
"""For reading why the socket is closed, before the connection is reset."""
_ENDING_SECONDS = 10.0
"""For a socket that the application has closed or left, whatever the client does."""


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

    Every read and every frame counts against the socket's allowance: control frames and fragments too, before
    and after the first message. A socket that sends more is closed with 4429 and read no more.

    And uvicorn's answers every ping at once: for a client that doesn't read, the answers would gather without
    end, since nobody waits for them to be sent.
    """

    queue: Line  # type: ignore[assignment]  # uvicorn's is an asyncio.Queue
    writable: Gate  # type: ignore[assignment]  # uvicorn's is an asyncio.Event

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        self.deadline = NEVER
        self._all: Connections | None = None
        self.line = Line(_loop or asyncio.get_event_loop())
        super().__init__(config, server_state, app_state, _loop)
        self.queue = self.line
        self.writable = self.line.writable
        self._allowance = Allowance(self.loop.time())
        self._is_settled = False
        self._is_cut_off = False  # nothing more is read

    @property
    def close_sent(self) -> bool:
        """Whether the end has been sent: uvicorn's, which the line has to know too."""
        return self.line.is_closed

    @close_sent.setter
    def close_sent(self, is_closed: bool) -> None:
        self.line.is_closed = is_closed
        if is_closed:
            self._limit_end()

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

    def enrol(self, connections: Connections, before: Connection) -> None:
        """Take the place of what spoke HTTP on this connection."""
        self._all = connections
        connections.hand_over(before, self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when it has ended."""
        if self._all is not None:
            self._all.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come, a piece at a time."""
        if self._takes_nothing:
            return
        now = self.line.heard_at = self.loop.time()
        if not self._allowance.take_read(len(data), now):
            self._cut_off()
            return
        for start in range(0, len(data), _PIECE_BYTES):
            if not self._read(data[start : start + _PIECE_BYTES]):
                return

    @property
    def _takes_nothing(self) -> bool:
        return self._is_cut_off or self.transport.is_closing()

    def _read(self, piece: bytes) -> bool:
        """Whether more may be read."""
        super().data_received(piece)
        if not self.handshake_initiated and self.conn.handshake_exc is not None:
            self._refuse(self.conn.handshake_exc)
        return not self._takes_nothing

    def handle_events(self) -> None:
        """Handle what the library has read."""
        events = self.conn.events_received()
        if not self._allowance.take_frames(len(events)):
            self._cut_off()
            return
        for event in events:
            if self._takes_nothing:
                return
            if isinstance(event, Request):
                self.handle_connect(event)
            elif isinstance(event, Frame):
                self._handle_frame(event)

    def _handle_frame(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.TEXT:
                self.handle_text(frame)
            case Opcode.CONT:
                self.handle_cont(frame)
            case Opcode.BINARY:
                self.handle_bytes(frame)
            case Opcode.PING:
                self.handle_ping()
            case Opcode.PONG:
                self.handle_pong(frame)
            case Opcode.CLOSE:
                self.handle_close(frame)

    def handle_cont(self, event: Frame) -> None:
        """A further fragment of a message, which has few."""
        if len(self.frames) < _MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._cut_off()

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
        if not self._is_settled:
            self._settle()
        self.line.hand_over(text)

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > _MOST_WAITING_BYTES:
            self.conn.data_to_send()
            return
        super().handle_ping()

    def handle_parser_exception(self) -> None:
        """End it after what is no websocket. Uvicorn's expects that the handshake was answered."""
        if self.conn.close_sent is None:
            self.transport.abort()
        else:
            super().handle_parser_exception()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Called when the application has left it."""
        super().on_task_complete(task)
        self._limit_end()

    def expire(self) -> None:
        """End it: the client doesn't read what was sent last."""
        self.transport.abort()

    def give_way(self) -> None:
        """End it at once."""
        self.transport.abort()

    def _settle(self) -> None:
        """Keep the connection when others are many: a message has come."""
        self._is_settled = True
        if self._all is not None:
            self._all.settle(self)

    def _limit_end(self) -> None:
        """Have the connection end soon, also where the client doesn't read what waits for it."""
        self.deadline = min(self.deadline, self.loop.time() + _ENDING_SECONDS)
        if self._all is not None:
            self._all.unsettle(self)

    def _cut_off(self) -> None:
        """Close a socket on which too much has come, and read no more of it."""
        self._is_cut_off = True
        if self._all is not None:
            self._all.flooded(self, self.loop.time())
        if not self.handshake_complete or self.close_sent or self.conn.state is not State.OPEN:
            self.transport.abort()
            return
        self.line.release()
        self.conn.fail(closing.CloseCode.TOO_MANY)
        self.queue.put_nowait(
            {"type": "websocket.disconnect", "code": closing.CloseCode.TOO_MANY, "reason": ""}
        )
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.read_paused = False  # so that nobody has it read again
        self.transport.pause_reading()
        self.close_timer = self.loop.call_later(_GRACE_SECONDS, self.transport.abort)

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
