"""One connection of an attacker, as bare as it can be. Whatever is sent and heard on it is counted."""

import asyncio
import json
import re
import socket
from contextlib import suppress
from dataclasses import dataclass

from tests.faults.hostile.frames import CLOSE, TEXT, take_frames
from tests.faults.hostile.tally import Tally

_CHUNK = 256 * 1024
_OPEN_SECONDS = 3.0
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED_END = b"0\r\n\r\n"


class Ended(Exception):
    """The server has ended the connection."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request. `head` in the server's spelling."""

    status: int
    head: str
    body: bytes


class Wire:
    """A connection. `stage`: said before its end in the tally, to tell ends apart.

    `is_ended`: the server has said or shown that it is over; `is_cut`: nothing can be sent any more.
    """

    def __init__(self, connection: socket.socket, tally: Tally, stage: str = "") -> None:
        self._socket = connection
        self._tally = tally
        self._stage = stage
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self.is_ended = False
        self.is_cut = False

    def use_as(self, stage: str) -> None:
        """What its end is counted as from now on."""
        self._stage = stage

    async def send(self, data: bytes) -> None:
        """Send all of it, as fast as the server takes it. Raises Ended."""
        try:
            await self._loop.sock_sendall(self._socket, data)
        except OSError:
            self.is_cut = True
            await self._hear_the_end()
            raise Ended from None
        self._tally.sent += len(data)

    async def answer(self) -> Answer:
        """One answer to a request. Raises Ended."""
        while (end := self._buffer.find(_HEAD_END)) < 0:
            await self._more()
        head = bytes(self._buffer[: end + 2])
        del self._buffer[: end + len(_HEAD_END)]
        status = int(head[9:12])
        self._tally.statuses[str(status)] += 1
        return Answer(status, head.decode("latin-1"), await self._body(head, status))

    async def hear(self) -> None:
        """As a websocket: listen until the server ends it, or says so."""
        with suppress(Ended):
            while not self.is_ended:
                self._take_frames()
                if not self.is_ended:
                    await self._more()

    async def hear_it_cut(self) -> None:
        """As a websocket: listen until nothing comes any more."""
        with suppress(Ended):
            while True:
                self._take_frames()
                await self._more()

    async def hear_as_http(self) -> None:
        """Listen to answers until the server ends it."""
        with suppress(Ended):
            while True:
                await self.answer()

    async def next_message(self) -> dict[str, object]:
        """The next message at a table. Raises Ended."""
        while True:
            for opcode, payload in take_frames(self._buffer):
                self._count(opcode, payload)
                if opcode == TEXT:
                    said: dict[str, object] = json.loads(payload)
                    return said
            await self._more()

    def close(self) -> None:
        """Go away without a word."""
        self._socket.close()

    async def _body(self, head: bytes, status: int) -> bytes:
        length = _LENGTH.search(head)
        if length is None:
            return await self._chunked() if b"chunked" in head.lower() and status != 101 else b""
        size = int(length[1])
        while len(self._buffer) < size:
            await self._more()
        body = bytes(self._buffer[:size])
        del self._buffer[:size]
        return body

    async def _chunked(self) -> bytes:
        while not self._buffer.endswith(_CHUNKED_END):
            await self._more()
        body = bytes(self._buffer)
        self._buffer.clear()
        return body

    async def _more(self) -> None:
        try:
            data = await self._loop.sock_recv(self._socket, _CHUNK)
        except OSError:
            data = b""
        if not data:
            self.is_cut = True
            self._end("cut")
            raise Ended
        self._tally.heard += len(data)
        self._buffer += data

    def _take_frames(self) -> None:
        for opcode, payload in take_frames(self._buffer):
            self._count(opcode, payload)

    def _count(self, opcode: int, payload: bytes) -> None:
        if opcode == CLOSE:
            self._end(str(int.from_bytes(payload[:2])) if len(payload) >= 2 else "without a code")
        elif opcode == TEXT:
            self._tally.said[_word(payload)] += 1

    async def _hear_the_end(self) -> None:
        """What the server said before it ended the connection is still to be read, mostly."""
        if not self.is_ended:
            with suppress(Ended, TimeoutError, RuntimeError):
                async with asyncio.timeout(0.5):
                    await self.hear()
        self._end("cut")

    def _end(self, how: str) -> None:
        if not self.is_ended:
            self.is_ended = True
            self._tally.ends[f"{self._stage} {how}".strip()] += 1


async def open_wire(port: int, source: str, tally: Tally, *, receive_bytes: int | None = None) -> Wire:
    """A connection from that address. `receive_bytes`: how much the system takes for a slow reader.

    Raises OSError, TimeoutError.
    """
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if receive_bytes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    try:
        connection.bind((source, 0))
        async with asyncio.timeout(_OPEN_SECONDS):
            await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    except (OSError, TimeoutError):
        connection.close()
        tally.not_opened += 1
        raise
    tally.opened += 1
    return Wire(connection, tally)


def _word(payload: bytes) -> str:
    """What kind of message it is: cheap, since there may be very many."""
    kind = payload[9 : payload.find(b'"', 9)].decode() if payload.startswith(b'{"type":"') else "message"
    if kind != "refused":
        return kind
    return f"refused {json.loads(payload)['code']}"
