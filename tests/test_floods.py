"""What bytes on one connection can do to a real server: it is cut off, told why, and costs others little."""

import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.frames import Frame, Opcode

from app.floods import MOST_FLOODS
from tests.e2e.table_client import make_guest, make_room
from tests.servers import HOST, AppServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

FLOOD_BYTES = 12 * 2**20
MOST_GROWTH_KIB = 32 * 1024
MOST_PROCESSOR_SECONDS = 3.0  # what is read without a bound takes more than that, on any machine
CLOSED_WITH_4429 = Frame(Opcode.CLOSE, (4429).to_bytes(2, "big")).serialize(mask=False)
PONG = Frame(Opcode.PONG, b"").serialize(mask=True)
EMPTY_FRAGMENT = bytes((0, 0x80)) + bytes(4)
HELLO = Frame(Opcode.TEXT, b'{"type":"hello","protocol":2}').serialize(mask=True)
PING = Frame(Opcode.TEXT, b'{"type":"ping","version":0}').serialize(mask=True)
FLOODS = {
    "pongs": (b"", PONG),
    "pings": (b"", Frame(Opcode.PING, b"").serialize(mask=True)),
    "empty fragments": (Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True), EMPTY_FRAGMENT),
    "messages": (b"", Frame(Opcode.TEXT, b"{}").serialize(mask=True)),
}


@pytest.fixture(scope="module")
def server() -> Iterator[AppServer]:
    """A server that all of them are sent to."""
    with AppServer() as running:
        yield running


def connected(server: AppServer) -> socket.socket:
    """A connection that holds little by itself."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
    client.settimeout(30)
    client.connect((HOST, server.port))
    return client


def flood(client: socket.socket, piece: bytes, most: int = FLOOD_BYTES) -> bytes:
    """Send the piece again and again, until that is refused or so much is sent; what was answered."""
    block = piece * max(1, 64 * 1024 // len(piece))
    with suppress(OSError):
        for _ in range(most // len(block)):
            client.sendall(block)
    got = b""
    client.settimeout(5)
    with suppress(OSError):
        while part := client.recv(65536):
            got += part
    return got


class Cost:
    """What a server has spent since."""

    def __init__(self, server: AppServer) -> None:
        self._pid = server.pid
        self._began = self._seconds(), self._kib()

    @property
    def seconds(self) -> float:
        return self._seconds() - self._began[0]

    @property
    def kib(self) -> int:
        return self._kib() - self._began[1]

    def _seconds(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _kib(self) -> int:
        status = Path(f"/proc/{self._pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])


def refused(server: AppServer, reason: str) -> float:
    """How many connections were refused for that."""
    text = httpx.get(f"{server.base_url}/metrics").text
    found = re.findall(rf'yamb_connections_refused_total{{reason="{reason}"}} (.+)', text)
    return float(found[0]) if found else 0


async def opened(server: AppServer, *, is_guest: bool) -> socket.socket:
    """A socket at a table, before its hello; of a guest, or of nobody."""
    cookie = await make_guest(server.base_url, "Lija")
    code = await make_room(server.base_url, cookie, "papir")
    client = connected(server)
    asked = (
        f"GET /ws/rooms/{code} HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    client.sendall((asked + (f"Cookie: {cookie}\r\n" if is_guest else "") + "\r\n").encode())
    assert client.recv(12) == b"HTTP/1.1 101"
    return client


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_is_closed_with_4429_and_costs_little(server: AppServer, kind: str) -> None:
    first, piece = FLOODS[kind]
    with await opened(server, is_guest=True) as client:
        cost, before = Cost(server), refused(server, "flood")
        client.sendall(first)
        got = flood(client, piece)
        assert CLOSED_WITH_4429 in got
        assert refused(server, "flood") == before + 1
        assert cost.seconds < MOST_PROCESSOR_SECONDS
        assert cost.kib < MOST_GROWTH_KIB


async def test_a_socket_that_is_sent_away_is_not_read_on(server: AppServer) -> None:
    with await opened(server, is_guest=False) as client:
        cost = Cost(server)
        flood(client, PONG)
        assert cost.seconds < MOST_PROCESSOR_SECONDS
        assert cost.kib < MOST_GROWTH_KIB


START = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
ENDLESS = {
    "headers": (START, b"X-One: two\r\n", 431),
    "a header": (START + b"X-One: ", b"x" * 64, 431),
    "an address": (b"GET /", b"x" * 64, 414),
    "lines before a request": (b"", b"\r\n", 414),
    "a handshake": (START + b"Upgrade: websocket\r\nConnection: Upgrade\r\nX-One: ", b"x" * 64, 431),
    "trailers": (START + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-One: two\r\n", 431),
    "an extension of a chunk": (START + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 64, 413),
    "chunks": (START + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n", 413),
    "requests": (b"", START + b"\r\n", 200),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_an_endless_request_is_refused_and_costs_little(server: AppServer, kind: str) -> None:
    first, piece, status = ENDLESS[kind]
    with connected(server) as client:
        cost = Cost(server)
        client.sendall(first)
        got = flood(client, piece, 40 * 2**20)
        assert got.startswith(f"HTTP/1.1 {status} ".encode())
        assert cost.seconds < MOST_PROCESSOR_SECONDS
        assert cost.kib < MOST_GROWTH_KIB
    assert httpx.get(f"{server.base_url}/healthz").status_code == 200


HALVES = {
    "head": START,
    "body": b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 40\r\n\r\n{",
}


def test_half_requests_end_by_themselves_and_say_why(server: AppServer) -> None:
    with connected(server) as head, connected(server) as body:
        for client, part in ((head, HALVES["head"]), (body, HALVES["body"])):
            client.settimeout(90)
            client.sendall(part)
        assert head.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert body.recv(65536).startswith(b"HTTP/1.1 408 ")


def half_asked(server: AppServer) -> socket.socket:
    """A connection on which a request has only begun."""
    client = connected(server)
    client.sendall(b"GET")
    return client


def read_until(client: socket.socket, wanted: bytes) -> None:
    """Read until that has come."""
    deadline, got = time.monotonic() + 20, b""
    while wanted not in got:
        assert time.monotonic() < deadline
        got += client.recv(65536)


async def is_alive(server: AppServer) -> bool:
    """Whether one more connection is answered."""
    async with httpx.AsyncClient(timeout=20) as client:
        return (await client.get(f"{server.base_url}/healthz")).status_code == 200


class FewFiles(AppServer):
    """A server that may have few files open."""

    def command(self) -> list[str]:
        return ["/bin/sh", "-c", 'ulimit -n 320; exec "$@"', "sh", *super().command()]


async def test_open_files_are_left_for_those_who_play() -> None:
    with FewFiles() as server, await opened(server, is_guest=True) as playing:
        playing.sendall(HELLO)
        read_until(playing, b"welcome")
        idle = [half_asked(server) for _ in range(500)]
        assert await is_alive(server)
        playing.sendall(PING)
        read_until(playing, b"pong")
        assert refused(server, "gave_way") > 0
        for client in idle:
            client.close()
        assert 0 < server.output.count("connections refused") <= 5


async def test_an_address_that_floods_again_and_again_gets_no_new_connection() -> None:
    bounded = AppServer({"YAMB_CONNECTIONS_PER_ADDRESS": "2000"})
    with bounded as server, await opened(server, is_guest=True) as playing:
        playing.sendall(HELLO)
        read_until(playing, b"welcome")
        for _ in range(MOST_FLOODS):
            with await opened(server, is_guest=False) as client:
                flood(client, PONG, 2**20)
        with connected(server) as shut_out:
            assert shut_out.recv(12) == b"HTTP/1.1 429"
        other = httpx.AsyncHTTPTransport(local_address="127.0.0.9")
        async with httpx.AsyncClient(transport=other, timeout=30) as somebody:
            assert (await somebody.get(f"{server.base_url}/healthz")).status_code == 200
        playing.sendall(PING)
        read_until(playing, b"pong")


async def test_one_address_has_so_many_connections() -> None:
    with AppServer({"YAMB_CONNECTIONS_PER_ADDRESS": "4"}) as server:
        held = [connected(server) for _ in range(4)]
        assert not await is_alive(server)
        for client in held:
            client.close()
        deadline = time.monotonic() + 20
        while not await is_alive(server):
            assert time.monotonic() < deadline
