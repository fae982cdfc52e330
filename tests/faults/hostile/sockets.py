"""Attacks by websockets."""

import asyncio
from collections.abc import Callable, Coroutine
from itertools import count

from app.rooms.messages import PROTOCOL
from tests.faults.hostile.attacker import Attacker, Work
from tests.faults.hostile.frames import (
    CONTINUATION,
    TEXT,
    announced,
    frame,
    handshake,
    message,
)
from tests.faults.hostile.wire import Wire

_CHUNK = 64 * 1024
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_LITTLE = 4096
_RATE = 95  # a second, of the 100 that a socket may send
_NEAR = 8  # sockets of one player, far below what one may have

Strike = Callable[[Attacker], Coroutine[None, None, None]]


def flood(piece: bytes, first: bytes = b"") -> Strike:
    """The same frames as fast as they go: without a session, before the hello, and after it."""

    async def strike(attacker: Attacker) -> None:
        cookie, code = await attacker.guest(), attacker.target.tables[0]
        chunk = piece * max(1, _CHUNK // len(piece))
        attacker.begin()

        async def pour(stage: str, own: str, hello: bytes) -> None:
            wire = await attacker.socket(code, own)
            wire.use_as(stage)
            await _pour(wire, hello + first, chunk)

        await asyncio.gather(
            attacker.repeat(1, lambda: pour("stranger", "", b"")),
            attacker.repeat(1, lambda: pour("before hello", cookie, b"")),
            attacker.repeat(1, lambda: pour("seated", cookie, message(type="hello", protocol=PROTOCOL))),
        )

    return strike


def oversized() -> Strike:
    """A frame of 2^62 bytes, sent as long as it is taken; and a text just beyond the bound."""

    async def strike(attacker: Attacker) -> None:
        cookie, code = await attacker.guest(), attacker.target.tables[0]
        attacker.begin()

        async def huge() -> None:
            wire = await attacker.seat(code, cookie)
            wire.use_as("endless")
            await _pour(wire, announced(TEXT, 1 << 62), bytes(_CHUNK))

        async def large() -> None:
            wire = await attacker.seat(code, cookie)
            wire.use_as("large")
            text = frame(TEXT, b"a" * 60_000)
            await _pour(wire, b"", text)

        await asyncio.gather(attacker.repeat(1, huge), attacker.repeat(1, large))

    return strike


def said(text: bytes, sockets: int = 2) -> Strike:
    """The same text after the hello as fast as it goes, and everything read that comes of it."""

    async def strike(attacker: Attacker) -> None:
        cookie, code = await attacker.guest(), attacker.target.tables[0]
        chunk = frame(TEXT, text) * 64
        attacker.begin()

        async def say() -> None:
            await _pour(await attacker.seat(code, cookie), b"", chunk)

        await attacker.repeat(sockets, say)

    return strike


async def commands_at_the_limit(attacker: Attacker) -> None:
    """What a socket may ask for, asked all the time: commands that are done, and are refused."""
    cookies = await attacker.guests(3)
    rooms = [await attacker.room(cookie) for cookie in cookies]
    attacker.begin()
    numbers = count()

    def asking_at(code: str, cookie: str) -> Work:
        return lambda: ask_on(code, cookie)

    async def ask_on(code: str, cookie: str) -> None:
        wire = await attacker.seat(code, cookie)
        listening = asyncio.create_task(wire.hear())
        try:
            while not wire.is_ended:
                await wire.send(b"".join(_commands(next(numbers), _RATE // 19)))
                await asyncio.sleep(1 / 19)
        finally:
            await _leave(wire, listening)

    pairs = [pair for pair in zip(rooms, cookies, strict=True) for _ in range(2)]
    await asyncio.gather(*(attacker.repeat(1, asking_at(*pair)) for pair in pairs))


def _commands(number: int, how_many: int) -> list[bytes]:
    kinds: list[dict[str, object]] = [
        {"type": "join", "text": "dice"},
        {"type": "ready", "ready": True},
        {"type": "ready", "ready": False},
        {"type": "act", "seat": 0, "turn": 1, "roll": 0, "action": {"type": "roll", "hold": []}},
        {"type": "leave"},
    ]
    return [message(**kinds[step % len(kinds)], request=f"c{number}-{step}") for step in range(how_many)]


async def slow_readers(attacker: Attacker) -> None:
    """Hundreds of sockets at the busy tables, which ask to be told everything again and never read it."""
    cookies = await attacker.guests(attacker.many(300) // _NEAR + 1)
    numbers = count()
    attacker.begin()

    async def stare() -> None:
        number = next(numbers)
        codes = attacker.target.tables
        code = codes[number % len(codes)]
        wire = await attacker.seat(code, cookies[number % len(cookies)], receive=_LITTLE)
        await attacker.hold(wire, _ask_without_reading(wire))

    await attacker.repeat(attacker.many(300), stare)


async def _ask_without_reading(wire: Wire) -> None:
    while True:
        await wire.send(message(type="ping", version=0))
        await asyncio.sleep(0.1)


async def guess_rooms(attacker: Attacker) -> None:
    """Codes by chance, each tried by a socket."""
    cookie = await attacker.guest()
    attacker.begin()

    async def guess() -> None:
        wire = await attacker.socket(some_code(attacker), cookie)
        await attacker.hold(wire, wire.hear())

    await attacker.repeat(8, guess)


async def never_hello(attacker: Attacker) -> None:
    """Sockets by the hundred that are opened and say nothing."""
    cookies = await attacker.guests(attacker.many(600) // 40 + 1)
    numbers = count()
    attacker.begin()

    async def wait() -> None:
        number = next(numbers)
        wire = await attacker.socket(
            attacker.target.tables[number % len(attacker.target.tables)], cookies[number % len(cookies)]
        )
        await attacker.hold(wire, wire.hear())

    await attacker.repeat(attacker.many(600), wait)


async def come_and_go(attacker: Attacker) -> None:
    """Open a table, say hello, be welcomed, go without a word; again and again."""
    cookie, code = await attacker.guest(), attacker.target.tables[0]
    attacker.begin()

    async def visit() -> None:
        wire = await attacker.seat(code, cookie)
        try:
            await wire.next_message()
        finally:
            wire.close()

    await attacker.repeat(8, visit)


async def shake_hands_and_go(attacker: Attacker) -> None:
    """A handshake without waiting for its answer, again and again."""
    code = attacker.target.tables[0]
    attacker.begin()

    async def visit() -> None:
        wire = await attacker.wire()
        try:
            await wire.send(handshake(attacker.target.host, f"/ws/rooms/{code}"))
        finally:
            wire.close()

    await attacker.repeat(8, visit)


def some_code(attacker: Attacker) -> str:
    """What might be a room's code."""
    return "".join(attacker.chance.choices(_LETTERS, k=6))


def unfinished_text() -> Strike:
    """A text in fragments of 1 KiB that never comes to its end."""
    return flood(frame(CONTINUATION, b"a" * 1024, is_last=False), frame(TEXT, b"a", is_last=False))


async def _pour(wire: Wire, first: bytes, chunk: bytes) -> None:
    """Send without end, listening beside it, until the server ends it."""
    listening = asyncio.create_task(wire.hear_it_cut())
    try:
        await wire.send(first)
        while not wire.is_cut:  # also when the server has said that it is over: it should not listen any more
            await wire.send(chunk)
            await asyncio.sleep(0)
    finally:
        await _leave(wire, listening)


async def _leave(wire: Wire, listening: asyncio.Task[None]) -> None:
    listening.cancel()
    await asyncio.wait([listening])
    wire.close()
