"""What sockets are told, and what a client that only pings and never reads can make the server keep."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from app.lines import DIRECT
from app.sockets import SocketProtocol, make_listener
from tests.patience import PATIENCE_SECONDS

HOST = "127.0.0.1"
SMALL_BUFFER = 4096
PINGS = 1500
# What may wait, and the answers to one read of pings.
MOST_WAITING = 64 * 1024 + 32 * 1024
_OPENING = (
    f"GET / HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
).encode()
_HANDSHAKE = _OPENING + b"\r\n"


@dataclass(slots=True)
class Pair:
    """A client's socket after its handshake, and the protocol on the other side."""

    client: socket.socket
    protocol: SocketProtocol
    heard: asyncio.Event
    got: list[str | bytes]

    async def ping(self, times: int) -> None:
        """Send that many pings, each as large as one can be; return when the server has taken all of them."""
        loop = asyncio.get_running_loop()
        ping = Frame(Opcode.PING, bytes(125)).serialize(mask=True)
        self.heard.clear()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await loop.sock_sendall(self.client, ping * times)
            await loop.sock_sendall(self.client, Frame(Opcode.TEXT, b"all").serialize(mask=True))
            await self.heard.wait()


def _config(app: object = None) -> uvicorn.Config:
    config = uvicorn.Config(app, ws=SocketProtocol, ws_ping_interval=None, log_config=None)  # type: ignore[arg-type]
    config.load()
    return config


@asynccontextmanager
async def accepted() -> AsyncIterator[Pair]:
    """Both ends of a connection with small buffers."""
    made: list[SocketProtocol] = []
    heard = asyncio.Event()
    got: list[str | bytes] = []

    async def listen(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            got.append(event["text"] if "text" in event else event["bytes"])
            heard.set()

    def make() -> SocketProtocol:
        made.append(SocketProtocol(config, ServerState(), {}))
        return made[-1]

    config = _config(listen)
    loop = asyncio.get_running_loop()
    listener = make_listener(HOST, 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BUFFER)
    server = await loop.create_server(make, sock=listener)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        client.setblocking(False)
        await loop.sock_connect(client, listener.getsockname())
        await loop.sock_sendall(client, _HANDSHAKE)
        assert b" 101 " in await loop.sock_recv(client, SMALL_BUFFER)
        yield Pair(client, made[0], heard, got)
    server.close()
    await asyncio.gather(*made[0].tasks)
    await server.wait_closed()


async def test_pings_of_a_client_that_does_not_read_are_not_answered_without_end() -> None:
    async with accepted() as pair:
        await pair.ping(PINGS)
        assert 0 < pair.protocol.transport.get_write_buffer_size() < MOST_WAITING < PINGS * 127


async def test_a_client_that_reads_again_is_answered_again() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        await pair.ping(1500)
        while pair.protocol.transport.get_write_buffer_size():
            await loop.sock_recv(pair.client, 2**20)
        await loop.sock_sendall(pair.client, Frame(Opcode.PING, b"again").serialize(mask=True))
        got = b""
        while not got.endswith(b"again"):
            got += await loop.sock_recv(pair.client, 2**20)
        assert got.endswith(Frame(Opcode.PONG, b"again").serialize(mask=False))


async def test_a_message_sent_at_once_is_the_frame_that_uvicorn_would_send() -> None:
    message = "ч" * 200
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        assert DIRECT in pair.protocol.scope["extensions"]
        assert pair.protocol.line.send_now(message)
        await pair.protocol.send({"type": "websocket.send", "text": message, "bytes": None})
        expected = Frame(Opcode.TEXT, message.encode()).serialize(mask=False)
        got = b""
        while len(got) < 2 * len(expected):
            got += await loop.sock_recv(pair.client, 2**16)
        assert got == expected * 2


async def test_what_is_sent_while_the_application_is_busy_goes_out_together() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        assert pair.protocol.line.send_now("update")
        assert pair.protocol.line.send_now("ok")
        expected = b"".join(Frame(Opcode.TEXT, text).serialize(mask=False) for text in (b"update", b"ok"))
        assert await loop.sock_recv(pair.client, 2**16) == expected


async def test_what_is_sent_while_the_application_is_busy_is_not_held_for_longer_than_a_turn() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        assert pair.protocol.line.send_now("update")
        expected = Frame(Opcode.TEXT, b"update").serialize(mask=False)
        assert await loop.sock_recv(pair.client, 2**16) == expected


async def test_a_held_message_comes_before_the_end() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        assert pair.protocol.line.send_now("update")
        await pair.protocol.send({"type": "websocket.close", "code": 4410, "reason": ""})
        expected = Frame(Opcode.TEXT, b"update").serialize(mask=False)
        assert (await loop.sock_recv(pair.client, 2**16)).startswith(expected)
        await asyncio.sleep(0)  # what was to be sent later is not sent twice
        assert pair.protocol.line._held is None


async def test_a_socket_that_is_not_read_takes_no_more_at_once_and_a_closed_one_nothing() -> None:
    async with accepted() as pair:
        sent = 0
        while pair.protocol.line.send_now("x" * 1400):
            sent += 1
            assert sent < 1000
        assert pair.protocol.transport.get_write_buffer_size() < MOST_WAITING
        pair.protocol.transport.abort()
        await asyncio.sleep(0)
        pair.protocol.writable.set()
        assert not pair.protocol.line.send_now("late")


async def test_a_client_that_is_probed_answers_and_is_heard() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        before = pair.protocol.line.heard_at
        pair.protocol.line.probe()
        probe = Frame(Opcode.PING, b"").serialize(mask=False)
        assert await loop.sock_recv(pair.client, SMALL_BUFFER) == probe
        await loop.sock_sendall(pair.client, Frame(Opcode.PONG, b"").serialize(mask=True))
        while True:
            await asyncio.sleep(0.001)
            if pair.protocol.line.heard_at > before:
                break
        assert not pair.got


async def test_nothing_is_added_by_probes_to_what_waits_for_a_client_that_does_not_read() -> None:
    async with accepted() as pair:
        while pair.protocol.line.send_now("x" * 1400):
            pass
        waiting = pair.protocol.transport.get_write_buffer_size()
        pair.protocol.line.probe()
        assert pair.protocol.transport.get_write_buffer_size() == waiting > 0
        pair.protocol.transport.abort()
        pair.protocol.line.probe()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such time-out")
def test_an_accepted_socket_is_given_up_when_nothing_is_acknowledged() -> None:
    with make_listener(HOST, 0) as listener:
        listener.listen()
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


class ReadTransport(asyncio.Transport):
    """Keeps what it was told of reading, and what was written. Closed, it waits for a client that reads."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.written = b""
        self._is_closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def close(self) -> None:
        self._is_closing = True

    def abort(self) -> None:
        self._is_closing = True

    def is_closing(self) -> bool:
        return self._is_closing

    def pause_reading(self) -> None:
        self.told.append("pause")

    def resume_reading(self) -> None:
        self.told.append("resume")


async def test_a_socket_is_read_until_a_message_comes_that_nobody_waits_for() -> None:
    protocol = SocketProtocol(_config(), ServerState(), {})
    transport = protocol.line.transport = ReadTransport()
    taking = asyncio.create_task(protocol.line.next_message())
    await asyncio.sleep(0)
    protocol.handle_text(Frame(Opcode.TEXT, b"first"))
    assert transport.told == []
    for payload in (b"second", b"third"):
        protocol.handle_text(Frame(Opcode.TEXT, payload))
    assert transport.told == ["pause"]
    assert [await taking, await protocol.line.next_message()] == ["first", "second"]
    assert transport.told == ["pause"]
    assert await protocol.line.next_message() == "third"
    assert transport.told == ["pause", "resume"]


async def test_what_came_for_one_who_no_longer_waits_is_there_for_the_next() -> None:
    protocol = SocketProtocol(_config(), ServerState(), {})
    taking = asyncio.create_task(protocol.line.next_message())
    await asyncio.sleep(0)
    for text in ("first", "second"):
        protocol.line.put_nowait(text)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert [await protocol.line.next_message(), await protocol.line.next_message()] == ["first", "second"]


async def test_a_text_that_is_none_and_bytes_are_taken_as_uvicorn_takes_them() -> None:
    loop = asyncio.get_running_loop()
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        await loop.sock_sendall(pair.client, Frame(Opcode.BINARY, b"\xff").serialize(mask=True))
        await loop.sock_sendall(pair.client, Frame(Opcode.TEXT, b"\xff").serialize(mask=True))
        closing = Frame(Opcode.CLOSE, (1007).to_bytes(2, "big")).serialize(mask=False)
        assert await loop.sock_recv(pair.client, 2**16) == closing
        assert pair.got == [b"\xff"]


async def test_a_text_that_is_none_says_nothing_in_the_log_whatever_comes_behind_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    none = Frame(Opcode.TEXT, b"\xff").serialize(mask=True)
    for behind in (b"", none, Frame(Opcode.CLOSE, b"").serialize(mask=True)):
        async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
            await loop.sock_sendall(pair.client, none + behind)
            assert await loop.sock_recv(pair.client, 2**16)
            assert await loop.sock_recv(pair.client, 2**16) == b""
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


REFUSED = {
    "431 Request Header Fields Too Large": b"".join(b"X-%d: y\r\n" % number for number in range(300)),
    "400 Bad Request": b"Content-Length: 5\r\n",
}


@pytest.mark.parametrize("status", REFUSED)
async def test_a_handshake_that_cannot_be_read_is_answered_and_ended(status: str) -> None:
    protocol, transport = await opened(_OPENING + REFUSED[status] + b"\r\n")
    assert transport.written.startswith(f"HTTP/1.1 {status}\r\n".encode())
    assert transport.is_closing()
    protocol.shutdown()


BY_CLIENT = {"an end": Frame(Opcode.CLOSE, b""), "nonsense": Frame(Opcode.CONT, b"")}


@pytest.mark.parametrize("ending", BY_CLIENT)
async def test_the_server_can_end_while_a_client_that_ended_does_not_read_the_rest(ending: str) -> None:
    protocol, transport = await opened()
    protocol.data_received(BY_CLIENT[ending].serialize(mask=True))
    assert transport.is_closing()
    protocol.shutdown()


async def test_a_client_that_does_not_read_does_not_keep_the_server_from_its_end() -> None:
    async with accepted() as pair, asyncio.timeout(PATIENCE_SECONDS):
        while pair.protocol.line.send_now("x" * 1400):
            pass
        pair.protocol.shutdown()
        await asyncio.gather(*pair.protocol.tasks)
        assert pair.protocol.disconnected


@pytest.mark.parametrize("kind", ["websocket.send", "websocket.close"])
@pytest.mark.parametrize("ending", BY_CLIENT)
async def test_what_is_sent_after_a_clients_end_finds_nobody_there(ending: str, kind: str) -> None:
    protocol, transport = await opened()
    protocol.data_received(BY_CLIENT[ending].serialize(mask=True))
    written = transport.written
    with suppress(OSError):  # by which it is told
        await protocol.send({"type": kind, "text": "late"})
    assert transport.written == written


async def opened(request: bytes = _HANDSHAKE) -> tuple[SocketProtocol, ReadTransport]:
    """A socket that a client has asked for so."""
    protocol, transport = SocketProtocol(_config(accept), ServerState(), {}), ReadTransport()
    protocol.connection_made(transport)
    protocol.data_received(request)
    await asyncio.sleep(0)
    return protocol, transport


async def accept(_scope: Scope, receive: Receive, send: Send) -> None:
    """An application that waits for the end."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def test_small_messages_are_sent_at_once() -> None:
    async with accepted() as pair:
        taken: socket.socket = pair.protocol.transport.get_extra_info("socket")
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a port can't be taken again so soon anyway")
def test_a_port_in_use_is_an_error() -> None:
    with make_listener(HOST, 0) as first:
        first.listen()
        with pytest.raises(OSError, match="in use"):
            make_listener(HOST, first.getsockname()[1])
