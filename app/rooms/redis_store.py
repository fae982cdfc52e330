"""Rooms in Redis 7 or newer, for several workers. One Lua script per step; what is published is a hint.

Nothing that was sent to Redis is cut off when its caller goes away: a step is made or not, and redis-py keeps
count of its connections. Nothing is sent twice either: redis-py's own retries are off.
"""

import asyncio
import math
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError

from app.rooms.codec import decode_room, encode_room
from app.rooms.redis_keys import SHARDS, channel_of, keys_of, unrecorded_key
from app.rooms.redis_scripts import COMMIT, CREATE, LOG, MARK_RECORDED, UPDATES_SINCE, Script
from app.rooms.redis_subscription import Receive, Subscription
from app.rooms.room import Room
from app.rooms.store import (
    KEPT_RECORDED_SECONDS,
    KEPT_REQUESTS,
    KEPT_UPDATES,
    Commit,
    Committed,
    Conflict,
    RoomExists,
    RoomNotFound,
    Stored,
    StoreUnavailable,
    Watcher,
)

_CONNECTIONS = 32
_ANSWER_SECONDS = 1.5  # of Redis to one command, and for a connection to it
_PATIENCE_SECONDS = 2.0  # of a caller, all in all

T = TypeVar("T")


class RedisStore:
    """The room store of any number of workers."""

    def __init__(self, url: str) -> None:
        self._line = _Line(url)
        self._watched: set[str] = set()
        self._subscription: Subscription | None = None

    async def open(self, watcher: Watcher) -> None:
        await self.ping()
        self._subscription = Subscription(self._line, watcher, self._watched)
        await self._subscription.open()

    async def close(self) -> None:
        if self._subscription is not None:
            await self._subscription.close()
        await self._line.close()

    async def create(self, room: Room) -> Stored:
        stored = Stored(room, 0, secrets.token_hex(8))
        arguments = (encode_room(room), room.phase.value, room.game_id, stored.epoch)
        if not await self._line.run(CREATE, keys_of(room.code)[:4], *arguments):
            raise RoomExists(f"there is a room {room.code} already")
        return stored

    async def load(self, code: str) -> Stored:
        client, key = self._line.client, keys_of(code).room
        found = await self._line.ask(lambda: client.hmget(key, ["room", "version", "epoch"]))
        if found[0] is None:
            raise _not_found(code)
        return _stored(*cast("list[bytes]", found))

    async def commit(self, commit: Commit) -> Committed:
        answer, *values = await self._line.run(COMMIT, keys_of(commit.room.code), *_commit_arguments(commit))
        match answer:
            case b"done" | b"again":
                return Committed(int(values[0]), is_duplicate=answer == b"again")
            case b"conflict":
                raise Conflict(_stored(*values))
            case _:
                raise _not_found(commit.room.code)

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        answer = await self._line.run(UPDATES_SINCE, keys_of(code)[:2], version)
        if answer is None:
            raise _not_found(code)
        is_complete, *updates = answer
        return list(enumerate(updates, start=version + 1)) if is_complete else None

    async def log(self, code: str) -> list[bytes]:
        events: list[bytes] | None = await self._line.run(LOG, keys_of(code)[:3])
        if events is None:
            raise _not_found(code)
        return events

    async def relay(self, code: str, message: bytes) -> None:
        await self._line.publish(keys_of(code).channel, b"relayed %s %s" % (code.encode(), message))

    def watch(self, code: str) -> None:
        self._watched.add(code)

    def unwatch(self, code: str) -> None:
        self._watched.discard(code)

    async def unrecorded(self, limit: int) -> list[str]:
        shards = await self._line.ask(partial(self._oldest_of_every_shard, limit))
        oldest = sorted((finished, code) for shard in shards for code, finished in shard)
        return [code.decode() for _, code in oldest[:limit]]

    async def mark_recorded(self, code: str) -> None:
        await self._line.run(MARK_RECORDED, keys_of(code)[:5], code, KEPT_RECORDED_SECONDS)

    async def ping(self) -> None:
        await self._line.ask(self._line.client.ping)

    async def _oldest_of_every_shard(self, limit: int) -> list[list[tuple[bytes, float]]]:
        async with self._line.client.pipeline(transaction=False) as pipeline:
            for shard in range(SHARDS):
                pipeline.zrange(unrecorded_key(shard), 0, limit - 1, withscores=True)
            return await pipeline.execute()


class _Line:
    """The connections to Redis: a pool for asking, one of its own for each subscription."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)  # the whole of it may hold a password
        where = f"{parts.hostname}:{parts.port or 6379}" if parts.hostname else parts.path
        self._address = f"Redis at {where}"
        self._pool = ConnectionPool.from_url(
            url,
            max_connections=_CONNECTIONS,
            socket_timeout=_ANSWER_SECONDS,
            socket_connect_timeout=_ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            driver_info=None,
        )
        self.client = Redis(connection_pool=self._pool)
        self._beat_channel = f"yamb:beat:{secrets.token_hex(8)}"
        self._channels = [self._beat_channel, *(channel_of(shard) for shard in range(SHARDS))]
        # First come, first served. Who waits for redis-py's own pool can be overtaken until his time is up.
        self._turns = asyncio.Semaphore(_CONNECTIONS)
        self._asking: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Wait for what was asked, then disconnect."""
        if self._asking:
            await asyncio.wait(self._asking)
        await self.client.aclose()
        await self._pool.disconnect()

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T:
        """The answer of Redis. Raises StoreUnavailable."""
        asking = asyncio.create_task(self._ask(question))
        self._asking.add(asking)
        asking.add_done_callback(self._asked)
        await asyncio.wait([asking], timeout=_PATIENCE_SECONDS)
        if not asking.done():
            raise StoreUnavailable(f"{self._address} hasn't answered in {_PATIENCE_SECONDS:g} s")
        return asking.result()

    async def run(self, script: Script, keys: tuple[str, ...], *arguments: str | bytes | int) -> Any:
        """The answer of a script."""
        return await self.ask(partial(self._run, script, keys, *arguments))

    async def publish(self, channel: str, message: bytes) -> None:
        """Tell every subscription, of whichever worker."""
        await self.ask(lambda: self.client.spublish(channel, message))

    @asynccontextmanager
    async def subscribed(self) -> AsyncIterator[Receive]:
        """As redis_subscription's Line asks. On a bare connection: PubSub of redis-py reconnects silently."""
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]  # theirs
        try:
            with self._available():
                await self._subscribe(connection)
            yield partial(self._receive, connection)
        finally:
            await connection.disconnect(nowait=True)

    async def beat(self) -> None:
        """As redis_subscription's Line asks."""
        await self.publish(self._beat_channel, b"beat")

    async def _ask(self, question: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._turns.acquire()
        except TimeoutError as error:
            raise StoreUnavailable(f"{self._address} is asked more than it answers") from error
        try:
            with self._available():
                return await question()
        finally:
            self._turns.release()

    def _asked(self, asking: asyncio.Task[Any]) -> None:
        self._asking.discard(asking)
        if not asking.cancelled():
            asking.exception()  # nobody may be left to hear of it

    async def _run(self, script: Script, keys: tuple[str, ...], *arguments: str | bytes | int) -> Any:
        try:
            return await self.client.evalsha(script.digest, len(keys), *keys, *arguments)
        except NoScriptError:  # a Redis that was started since, or another one
            return await self.client.eval(script.text, len(keys), *keys, *arguments)

    async def _subscribe(self, connection: AbstractConnection) -> None:
        await connection.connect()  # type: ignore[no-untyped-call]  # redis-py says no types here
        await connection.send_command("SSUBSCRIBE", *self._channels)
        confirmed = 0
        while confirmed < len(self._channels):
            kind, *_ = await connection.read_response()
            confirmed += kind == b"ssubscribe"

    async def _receive(self, connection: AbstractConnection) -> bytes:
        with self._available():
            kind, _, message = await connection.read_response(timeout=math.inf)
        if kind != b"smessage":
            raise StoreUnavailable(f"{self._address} ended a subscription: {kind!r}")
        return bytes(message)

    @contextmanager
    def _available(self) -> Iterator[None]:
        try:
            yield
        except ResponseError as error:  # out of memory, not allowed, older than 7
            raise StoreUnavailable(f"{self._address} refuses: {error}") from error
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"{self._address} doesn't answer: {error}") from error


def _commit_arguments(commit: Commit) -> tuple[str | bytes | int, ...]:
    room = commit.room
    return (
        *(encode_room(room), room.phase.value, room.game_id, room.code),
        *(commit.expected_version, commit.request, commit.update),
        *(KEPT_UPDATES, KEPT_REQUESTS, int(commit.is_finished)),
        *commit.events,
    )


def _stored(encoded: bytes, version: bytes, epoch: bytes) -> Stored:
    return Stored(decode_room(encoded), int(version), epoch.decode())


def _not_found(code: str) -> RoomNotFound:
    return RoomNotFound(f"there is no room {code}")
