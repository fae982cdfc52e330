"""Hearing what one Redis publishes: of the channels of its shards."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from app.rooms.redis_keys import SHARD_KEYS, beat_channel
from app.rooms.redis_link import Link
from app.rooms.redis_nodes import Nodes, Place
from app.rooms.redis_subscription import Take
from app.rooms.redis_wire import ANSWER_SECONDS, pack, telling
from app.rooms.store import StoreUnavailable

Ask = Callable[..., Awaitable[Any]]
"""Gives the answer to a command, from the Redis that has a shard: `redis_line.Line.ask`."""


class Hearing:
    """How to hear the channels of the shards of one Redis: a redis_subscription.Line."""

    def __init__(self, ask: Ask, nodes: Nodes, place: Place, shards: tuple[int, ...]) -> None:
        self._ask = ask
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
        await self._ask(self._shard, "SPUBLISH", self._beat_channel, b"beat")

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
