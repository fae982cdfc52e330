"""A text read at once is what the library would have read, whatever comes around it and in what pieces."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.utils import apply_mask

from app.sockets import SocketProtocol

_HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
_CLOSE = b""  # in place of a piece: the application closes the socket
_MAX_BYTES = 64 * 1024


class ByTheLibrary(SocketProtocol):
    """The same, with everything read by the library."""

    def data_received(self, data: bytes) -> None:
        """As uvicorn."""
        WebSocketsSansIOProtocol.data_received(self, data)


class Transport(asyncio.Transport):
    """Keeps what is written, and reads no more once it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.told.append(bytes(data))

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")

    def close(self) -> None:
        self.told.append("close")
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return 0


class Loop:
    """Begins nothing: the test is the application, and no time passes."""

    def create_task(self, coroutine: Coroutine[Any, Any, None]) -> "Loop":
        coroutine.close()
        return self

    def add_done_callback(self, _callback: object) -> None: ...

    def cancel(self) -> None: ...

    def call_later(self, *_args: object) -> "Loop":
        return self

    def time(self) -> float:
        return 0.0


def _config(*, is_compressed: bool) -> uvicorn.Config:
    config = uvicorn.Config(
        None,  # type: ignore[arg-type]
        ws=SocketProtocol,
        ws_ping_interval=None,
        ws_max_size=_MAX_BYTES,
        ws_per_message_deflate=is_compressed,
        log_config=None,
    )
    config.load()
    return config


_CONFIGS = {is_compressed: _config(is_compressed=is_compressed) for is_compressed in (False, True)}


@dataclass
class Talk:
    """What one protocol made of the pieces."""

    make: type[SocketProtocol]
    is_compressed: bool
    heard: list[str | Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        config = _CONFIGS[self.is_compressed]
        self.transport = Transport()
        self.protocol = self.make(config, ServerState(), {}, Loop())
        self.protocol.connection_made(self.transport)

    def take(self, pieces: list[bytes], accept_after: int) -> None:
        """Read them; the handshake is answered after so many of them."""
        for place, piece in enumerate((_HANDSHAKE, *pieces)):
            if self.transport.is_closed:
                break
            if piece == _CLOSE:
                self._send({"type": "websocket.close", "code": 4400})
            else:
                self._receive(piece)
            if place == accept_after:
                self._send({"type": "websocket.accept"})
            while self.protocol.line.waiting:
                self.heard.append(_run(self.protocol.line.next_message()))

    def _receive(self, piece: bytes) -> None:
        try:
            self.protocol.data_received(piece)
        except AssertionError:  # uvicorn's, on what is wrong before the handshake has been answered
            self.transport.close()

    def _send(self, message: dict[str, Any]) -> None:
        if self.protocol.handshake_complete or message["type"] == "websocket.accept":
            with suppress(ClientDisconnected):
                _run(self.protocol.send(message))


def _run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What it returns: it waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits")


@dataclass(frozen=True)
class Sent:
    """A frame as it is sent; its length told in more bytes than it need be where `longer` says so."""

    opcode: int
    payload: bytes
    is_last: bool = True
    mask: bytes = b"\1\2\3\4"
    longer: int = 0
    wrong: int = 0  # bits of the first two bytes that are turned over

    def __bytes__(self) -> bytes:
        first = (self.is_last << 7 | self.opcode) ^ self.wrong >> 8
        length, rest = self._length()
        return (
            bytes((first, (0x80 | length) ^ self.wrong & 0xFF))
            + rest
            + self.mask
            + apply_mask(self.payload, self.mask)
        )

    def _length(self) -> tuple[int, bytes]:
        length = len(self.payload)
        if length < 126 and not self.longer:
            return length, b""
        if length < 1 << 16 and self.longer < 8:
            return 126, length.to_bytes(2, "big")
        return 127, length.to_bytes(8, "big")


_SIZES = (0, 125, 126, 127, 128, 8 * 1024, 8 * 1024 + 1, _MAX_BYTES, _MAX_BYTES + 1)
_LONG = st.sampled_from(_SIZES).map(lambda size: b"x" * size)
_WORDS = st.text(max_size=20).map(str.encode)
_MASKS = st.binary(min_size=4, max_size=4)
_TEXTS = st.builds(Sent, st.just(Opcode.TEXT), _WORDS, mask=_MASKS)
_LONG_TEXTS = st.builds(Sent, st.just(Opcode.TEXT), _LONG, longer=st.sampled_from((0, 2, 8)))
_OTHERS = st.one_of(
    st.builds(Sent, st.sampled_from((Opcode.BINARY, Opcode.PING, Opcode.PONG)), st.binary(max_size=4)),
    st.builds(Sent, st.sampled_from((Opcode.TEXT, Opcode.CONT)), _WORDS, is_last=st.booleans()),
)
_ENDS = st.one_of(
    st.builds(Sent, st.just(Opcode.CLOSE), st.sampled_from((b"", b"\3\xe8bye", b"\3"))),
    st.builds(Sent, st.just(Opcode.TEXT), st.binary(max_size=4)),
    st.builds(Sent, st.just(Opcode.TEXT), _WORDS, wrong=st.sampled_from([1 << bit for bit in range(16)])),
)
_HOW = ("whole", "whole", "whole", "joined", "split", "bytes")


@st.composite
def _pieces(draw: st.DrawFn) -> list[bytes]:
    """What comes at once each time: mostly whole texts, which go on until something ends the talk."""
    pieces = []
    rest = b""
    sent = st.one_of(_TEXTS, _TEXTS, _TEXTS, _OTHERS, _LONG_TEXTS)
    for frame in [*draw(st.lists(sent, max_size=6)), draw(_ENDS), draw(_TEXTS)]:
        rest += bytes(frame)
        how = draw(st.sampled_from(_HOW))
        if how == "split":
            at = draw(st.integers(1, min(len(rest), 12)))
            pieces.append(rest[:at])
            rest = rest[at:]
        elif how == "bytes":
            pieces.extend(rest[at : at + 1] for at in range(8))
            rest = rest[8:]
        if how != "joined":
            pieces.append(rest)
            rest = b""
    pieces = [piece for piece in (*pieces, rest) if piece]
    if draw(st.booleans()):
        pieces.insert(draw(st.integers(0, len(pieces))), _CLOSE)
    return pieces


@settings(max_examples=60)
@given(_pieces(), st.integers(0, 1), st.sampled_from([False, False, False, True]))
def test_what_is_read_at_once_is_what_the_library_reads(
    pieces: list[bytes],
    accept_after: int,
    is_compressed: bool,
) -> None:
    ours, theirs = (Talk(make, is_compressed) for make in (SocketProtocol, ByTheLibrary))
    for talk in (ours, theirs):
        talk.take(pieces, accept_after)
    assert (ours.heard, ours.transport.told) == (theirs.heard, theirs.transport.told)


def test_a_whole_text_after_another_is_not_given_to_the_library() -> None:
    talk = Talk(SocketProtocol, is_compressed=False)
    whole = Frame(Opcode.TEXT, "и".encode()).serialize(mask=True)
    talk.take([whole], 0)
    del talk.protocol.conn
    talk.protocol.data_received(whole)
    assert [*talk.heard, _run(talk.protocol.line.next_message())][1:] == ["и", "и"]
