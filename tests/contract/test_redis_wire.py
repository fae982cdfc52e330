"""A wire to something that doesn't answer as Redis does, or not at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Connection
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import NoScriptError

from app.rooms.redis_wire import Wire
from app.rooms.store import StoreUnavailable


@asynccontextmanager
async def wire_to(*parts: bytes, stays: bool = True) -> AsyncIterator[Wire]:
    """A wire to a server that answers the first question with these parts, one by one."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.01)
        if stays:
            await reader.read()
        writer.close()

    async def greet(_connection: AbstractConnection) -> None:
        pass

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        wire = Wire(lambda: Connection(port=port, protocol=2, driver_info=None), "Redis", greet)
        yield wire
        await wire.close()


async def test_an_answer_may_come_in_parts_and_with_others() -> None:
    async with wire_to(b"$4\r\nPO", b"NG\r\n:7\r\n*1\r\n", b"+OK\r\n") as wire:
        answers = await asyncio.gather(*(wire.ask("PING") for _ in range(3)))
        assert answers == [b"PONG", 7, [b"OK"]]


async def test_a_refusal_is_for_him_who_asked_and_the_next_is_answered() -> None:
    async with wire_to(b"-NOSCRIPT no such\r\n+OK\r\n") as wire:
        answers = await asyncio.gather(*(wire.ask("PING") for _ in range(2)), return_exceptions=True)
        assert isinstance(answers[0], NoScriptError)
        assert answers[1] == b"OK"


@pytest.mark.parametrize(
    ("part", "stays"),
    [(b"-LOADING from disk\r\n", True), (b"what?\r\n", True), (b"$4\r\nPO", False), (b"", False)],
    ids=["of itself", "no redis", "half an answer", "no answer"],
)
async def test_what_answers_nothing_is_unavailable_to_all_who_wait(part: bytes, *, stays: bool) -> None:
    async with wire_to(part, stays=stays) as wire:
        asked = [wire.ask("PING") for _ in range(2)]
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(answer, StoreUnavailable)
            assert "Redis doesn't answer" in str(answer)
