"""Attacks by what is no whole request: heads without end, and halves by the thousand."""

import asyncio

from tests.faults.hostile.attacker import Attacker
from tests.faults.hostile.frames import handshake
from tests.faults.hostile.sockets import Strike

_CHUNK = 64 * 1024
_ENDLESS_AT_ONCE = 2
_GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_POST = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
_BY_PARTS = _POST + b"Transfer-Encoding: chunked\r\n\r\n"

HEADERS = (_GET, b"X-Stranger: " + b"a" * 50 + b"\r\n")
HEADER_VALUE = (_GET + b"X-Stranger: ", b"a" * 64)
HEADER_NAME = (_GET, b"x" * 64)
ADDRESS = (b"GET /", b"a" * 64)
QUERY = (b"GET /api/variants?", b"a=b&" * 16)
METHOD = (b"", b"A" * 64)
TRAILERS = (_BY_PARTS + b"0\r\n", b"X-Stranger: " + b"a" * 50 + b"\r\n")
EXTENSIONS = (_BY_PARTS + b"1;a=", b"a" * 64)
WHITESPACE = (b"", b"\r\n" * 32)
SPACES = (_GET + b"X-Stranger:", b" " * 64)
BODY = (_BY_PARTS, b"40\r\n" + b"a" * 64 + b"\r\n")
TINY_PARTS = (_BY_PARTS, b"1\r\na\r\n" * 8)
SAID_BODY = (_POST + b"Content-Length: 99999999999\r\n\r\n", b"a" * 64)
HANDSHAKE = (handshake("127.0.0.1", "/ws/rooms/KAFANA")[:-2], b"X-Stranger: " + b"a" * 50 + b"\r\n")


def endless(prefix: bytes, piece: bytes) -> Strike:
    """A beginning, and then the same without end; a new connection where it is ended."""

    async def strike(attacker: Attacker) -> None:
        attacker.begin()
        chunk = piece * (_CHUNK // len(piece))

        async def pour() -> None:
            wire = await attacker.wire()
            listening = asyncio.create_task(wire.hear_as_http())
            try:
                await wire.send(prefix)
                while not wire.is_ended:
                    await wire.send(chunk)
                    await asyncio.sleep(0)
            finally:
                listening.cancel()
                await asyncio.wait([listening])
                wire.close()

        await attacker.repeat(_ENDLESS_AT_ONCE, pour)

    return strike


def half(beginning: bytes, how_many: int = 2000) -> Strike:
    """Connections by the thousand that say a beginning and then nothing; a new one where one is ended."""

    async def strike(attacker: Attacker) -> None:
        attacker.begin()

        async def wait() -> None:
            wire = await attacker.wire()
            await wire.send(beginning)
            await attacker.hold(wire, wire.hear_as_http())

        await attacker.repeat(attacker.many(how_many), wait)

    return strike


def dripping(beginning: bytes, piece: bytes, how_many: int = 200) -> Strike:
    """Connections by the hundred that say a little more each second, and never all."""

    async def strike(attacker: Attacker) -> None:
        attacker.begin()

        async def drip() -> None:
            wire = await attacker.wire()
            await wire.send(beginning)
            listening = asyncio.create_task(wire.hear_as_http())
            try:
                while not wire.is_ended:
                    await asyncio.sleep(1)
                    await wire.send(piece)
            except asyncio.CancelledError:
                attacker.tally.left_open += not wire.is_ended
                raise
            finally:
                listening.cancel()
                await asyncio.wait([listening])
                wire.close()

        await attacker.repeat(attacker.many(how_many), drip)

    return strike


async def connect_and_go(attacker: Attacker) -> None:
    """Connections as fast as they go, that say nothing at all."""
    attacker.begin()

    async def visit() -> None:
        (await attacker.wire()).close()
        attacker.tally.sent += 1  # the connection itself

    await attacker.repeat(16, visit)


NOTHING = b""
HALF_REQUEST = _GET
HALF_BODY = _POST + b'Content-Length: 100\r\n\r\n{"name": '
HALF_HANDSHAKE = handshake("127.0.0.1", "/ws/rooms/KAFANA")[:-2]
