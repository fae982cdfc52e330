"""Asking Redis, one or a cluster, by shard."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    MovedError,
    NoScriptError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from app.rooms.redis_keys import SHARD_KEYS, beat_channel
from app.rooms.redis_link import Link
from app.rooms.redis_nodes import Nodes, Place
from app.rooms.redis_scripts import Script
from app.rooms.redis_subscription import Take
from app.rooms.redis_wire import ANSWER_SECONDS, Value, Wire, pack, telling
from app.rooms.store import StoreUnavailable

_REDIRECTS = 3

Command = tuple[Value, ...]


class Call(NamedTuple):
    """A call of a script."""

    shard: int
    keys: tuple[str, ...] | tuple[bytes, ...]
    arguments: Command = ()


class Line:
    """The ways to Redis. All of it raises StoreUnavailable."""

    def __init__(self, url: str) -> None:
        self._nodes = Nodes(url)

    async def open(self) -> None:
        """Connect."""
        await self._nodes.open()
        await self.ping()

    async def close(self) -> None:
        """Wait for what was asked, then disconnect."""
        await self._nodes.close()

    async def ping(self) -> None:
        """Return when every Redis answers that has rooms."""
        shards = self._nodes.shards_by_place().values()
        await asyncio.gather(*(self.ask(first, "PING") for first, *_ in shards))

    async def ask(self, shard: int, *command: Value) -> Any:
        """The answer of the Redis that has the shard. Raises redis-py's NoScriptError too."""
        wire = self._nodes.wire_of(shard)
        try:
            return await wire.ask(*command)
        except (ResponseError, StoreUnavailable) as error:
            return await self._second_answer(shard, wire, error, command)

    async def ask_all(self, questions: Sequence[tuple[int, Command]]) -> list[Any]:
        """The answers to (shard, command); those of scripts that Redis doesn't know are NoScriptError."""
        wires = [self._nodes.wire_of(shard) for shard, _ in questions]
        asked = [wire.ask(*command) for wire, (_, command) in zip(wires, questions, strict=True)]
        # At once, and without a task for each: only what went wrong needs more.
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for place, (answer, wire, (shard, command)) in enumerate(zip(answers, wires, questions, strict=True)):
            if isinstance(answer, BaseException) and not isinstance(answer, NoScriptError):
                answers[place] = await self._second_answer(shard, wire, answer, command)
        return answers

    async def run(self, script: Script, call: Call) -> Any:
        """The answer of a script."""
        shard, keys, arguments = call
        command = (b"EVALSHA", script.digest, len(keys), *keys, *arguments)
        wire = self._nodes.wire_of(shard)
        try:
            try:
                return await wire.ask(*command)
            except (ResponseError, StoreUnavailable) as error:
                return await self._second_answer(shard, wire, error, command)
        except NoScriptError:  # a Redis that was started since, or another one
            return await self.ask(shard, "EVAL", script.text, *command[2:])

    async def run_all(self, script: Script, calls: Sequence[Call]) -> list[Any]:
        """The answers of a script to each call."""
        questions: list[tuple[int, Command]] = [
            (call.shard, ("EVALSHA", script.digest, len(call.keys), *call.keys, *call.arguments))
            for call in calls
        ]
        answers = await self.ask_all(questions)
        return [
            await self.run(script, call) if isinstance(answer, NoScriptError) else answer
            for answer, call in zip(answers, calls, strict=True)
        ]

    async def until_changed(self) -> None:
        """Return when the channels of shards are at another Redis than they were."""
        await self._nodes.until_changed()

    def hearings(self) -> list["Hearing"]:
        """How to hear the channels of all shards: one for each Redis."""
        return [
            Hearing(self, self._nodes, place, shards)
            for place, shards in self._nodes.shards_by_place().items()
        ]

    async def _second_answer(self, shard: int, wire: Wire, error: BaseException, command: Command) -> Any:
        """The answer from where the first one says that the shard is: there the command wasn't done yet.

        While a shard is just moving, Redis can't run scripts in it and says so: it is to be tried again.
        """
        for _ in range(_REDIRECTS):
            if not isinstance(error, MovedError):
                break
            wire = self._nodes.moved(shard, error.node_addr, wire)
            try:
                return await wire.ask(*command)
            except (ResponseError, StoreUnavailable) as next_error:
                error = next_error
        if isinstance(error, StoreUnavailable):
            self._nodes.suspect()
        if isinstance(error, NoScriptError):
            raise error
        if isinstance(error, AskError | TryAgainError):  # a MovedError is an AskError too
            raise StoreUnavailable(f"{wire.address} is just giving shard {shard} to another") from error
        with telling(wire.address):
            raise error


class Hearing:
    """How to hear the channels of the shards of one Redis: a redis_subscription.Line."""

    def __init__(self, line: Line, nodes: Nodes, place: Place, shards: tuple[int, ...]) -> None:
        self._line = line
        self._nodes = nodes
        self._address = nodes.address(place)
        self._make_connection = nodes.connector(place)
        self._shard = shards[0]
        self._beat_channel = beat_channel(self._shard, secrets.token_hex(8))
        self._channels = [self._beat_channel, *(SHARD_KEYS[shard].channel for shard in shards)]

    @asynccontextmanager
    async def subscribed(self, take: Take) -> AsyncIterator[asyncio.Future[None]]:
        """As the protocol says. On a bare connection: PubSub of redis-py reconnects silently."""
        connection = self._make_connection()
        try:
            with telling(self._address):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await connection.connect()  # type: ignore[no-untyped-call]  # redis-py says no types here
                    ended = await self._subscribe(connection, take)
                yield ended
        except StoreUnavailable:
            self._nodes.suspect()
            raise
        finally:
            await connection.disconnect(nowait=True)

    async def beat(self) -> None:
        """As the protocol says."""
        await self._line.ask(self._shard, "SPUBLISH", self._beat_channel, b"beat")

    async def _subscribe(self, connection: AbstractConnection, take: Take) -> asyncio.Future[None]:
        """Return when every channel is heard."""
        unconfirmed = set(self._channels)
        confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def read(answer: Any) -> None:
            if isinstance(answer, RedisError):
                raise answer
            kind, channel, message = answer
            if kind == b"smessage":
                take(message)
            elif kind == b"ssubscribe":
                unconfirmed.discard(channel.decode())
                if not unconfirmed and not confirmed.done():
                    confirmed.set_result(None)
            else:
                raise StoreUnavailable(f"{self._address} ended a subscription: {kind!r}")

        link = Link(connection, read)
        # One by one: a cluster wants the channels of a command in one slot.
        link.send(b"".join([pack("SSUBSCRIBE", channel) for channel in self._channels]))
        await asyncio.wait([link.ended, confirmed], return_when=asyncio.FIRST_COMPLETED)
        if link.ended.done():
            link.ended.result()
        return link.ended
