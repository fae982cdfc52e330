"""Asking Redis, one or a cluster, by shard."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.exceptions import AskError, MovedError, NoScriptError, ResponseError, TryAgainError

from app.rooms.redis_hearing import Hearing
from app.rooms.redis_keys import SHARD_KEYS
from app.rooms.redis_nodes import Nodes
from app.rooms.redis_scripts import Script
from app.rooms.redis_wire import Value, Wire, telling
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

    async def probe(self) -> None:
        """Return when every Redis that has rooms takes what is written: none is full, or a replica.

        Raises StoreUnavailable, also where a shard has no Redis.
        """
        await self._nodes.require_all()
        shards = self._nodes.shards_by_place().values()
        probes = (self.ask(first, "SET", SHARD_KEYS[first].probe, b"1") for first, *_ in shards)
        await asyncio.gather(*probes)

    async def ask(self, shard: int, *command: Value) -> Any:
        """The answer of the Redis that has the shard. Raises redis-py's NoScriptError too."""
        wire = self._nodes.wire_of(shard)
        try:
            return await wire.ask(*command)
        except (ResponseError, StoreUnavailable) as error:
            failure = error
        return await self._second_answer(shard, wire, failure, command)

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
        values = (len(keys), *keys, *arguments)
        try:
            return await self.ask(shard, b"EVALSHA", script.digest, *values)
        except NoScriptError:  # a Redis that was started since, or another one
            pass
        return await self.ask(shard, "EVAL", script.text, *values)

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

    def hearings(self) -> list[Hearing]:
        """How to hear the channels of all shards: one for each Redis."""
        return [
            Hearing(self.ask, self._nodes, place, shards)
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
