"""What the system and uvicorn are told about sockets, so that a client that stops reading costs little."""

import os
import socket
import sys
from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from app.by_identity import by_identity

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


SEND_NOW = "yamb.send_now"
"""Among the extensions of a websocket's scope: a `SendNow`."""

SendNow = Callable[[str], bool]
"""Writes a text message to the socket: False where that is closed, or what was written before still waits.

It takes no task and no turn of the loop. The same object for many sockets is made a frame once.
"""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's, with `SEND_NOW`.

    And uvicorn's answers every ping at once: for a client that doesn't read, the answers would gather without
    end, since nobody waits for them to be sent.
    """

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            # The application sees the scope in the loop's next turn.
            self.scope["extensions"][SEND_NOW] = self._send_now  # type: ignore[assignment]  # typed too closely

    def _send_now(self, message: str) -> bool:
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(_frame_of(message))
        return True

    def handle_ping(self) -> None:
        if self.transport.get_write_buffer_size() > _MOST_WAITING_BYTES:
            self.conn.data_to_send()
            return
        super().handle_ping()


@by_identity(kept=16)
def _frame_of(message: str) -> bytes:
    """The message as one frame, as a server sends it: unmasked, so that it is the same for every socket."""
    payload = message.encode()
    return Frame(Opcode.TEXT, payload).serialize(mask=False)
