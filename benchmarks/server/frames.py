"""A client's end of a websocket with next to no cost, so that the load is not what is measured.

Frames are looked at no further than to tell their kind: the first letter of the value of "type".
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_IS_MASKED = 0x80
_NO_MASK = bytes(4)  # allowed, and leaves the payload as it is
_KIND_AT = len('{"type":"')
_SHORT, _TWO_BYTES, _EIGHT_BYTES = 126, 126, 127

OnFrame = Callable[[int, int], None]
"""Called with a message's kind (the code of a letter) and its bytes."""


def text_frame(message: bytes) -> bytes:
    """A frame from a client that carries this message."""
    return _head(_TEXT, len(message)) + message


def _head(opcode: int, length: int) -> bytes:
    if length < _SHORT:
        return bytes([opcode, _IS_MASKED | length]) + _NO_MASK
    return bytes([opcode, _IS_MASKED | _TWO_BYTES]) + length.to_bytes(2, "big") + _NO_MASK


class Socket(asyncio.Protocol):
    """One websocket. `on_frame` is called for every text frame, once the server has accepted."""

    def __init__(self, path: str, cookie: str) -> None:
        self._path = path
        self._cookie = cookie
        self._rest = b""
        self._transport: asyncio.Transport | None = None
        self.is_open = asyncio.get_running_loop().create_future()
        self.on_frame: OnFrame = _ignore
        self.is_lost = False

    def send(self, frame: bytes) -> None:
        """Send a frame that was made before."""
        if self._transport is None:
            raise RuntimeError("not connected")
        self._transport.write(frame)

    def close(self) -> None:
        """Break the connection off."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {self._cookie}\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        if not self.is_open.done():
            self.is_open.set_exception(ConnectionError(f"no socket at {self._path}: {exc}"))

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        self._rest = data[self._read(data) if self.is_open.done() else self._read_head(data) :]

    def _read_head(self, data: bytes) -> int:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return 0
        if not head.startswith(b"HTTP/1.1 101"):
            self.is_open.set_exception(ConnectionError(head.decode(errors="replace")))
            return len(data)
        self.is_open.set_result(None)
        return len(data) - len(rest) + self._read(rest)

    def _read(self, data: bytes) -> int:
        """Take the whole frames at the beginning; returns how many bytes they were."""
        at, end = 0, len(data)
        while end - at >= 4:
            start, length = at + 2, data[at + 1]
            if length == _TWO_BYTES:
                start, length = at + 4, data[at + 2] << 8 | data[at + 3]
            elif length == _EIGHT_BYTES:
                start, length = at + 10, int.from_bytes(data[at + 2 : at + 10], "big")
            if start + length > end:
                break
            self._take(data[at], data, start, length)
            at = start + length
        return at

    def _take(self, opcode: int, data: bytes, start: int, length: int) -> None:
        if opcode == _TEXT:
            self.on_frame(data[start + _KIND_AT], length)
        elif opcode == _PING:
            self.send(_head(_PONG, length) + data[start : start + length])
        elif opcode == _CLOSE:
            self.is_lost = True


def _ignore(_kind: int, _length: int) -> None:
    return


async def connect(port: int, path: str, cookie: str = "") -> Socket:
    """An open websocket. Raises ConnectionError."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(path, cookie), "127.0.0.1", port)
    await socket.is_open
    return socket
