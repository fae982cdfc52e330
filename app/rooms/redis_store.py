"""Rooms in Redis 7 or newer, for several workers. One Lua script per step; what is published is a hint.

Nothing that was sent to Redis is cut off when its caller goes away: a step is made or not, and redis-py keeps
count of its connections. Nothing is sent twice either: redis-py's own retries are off.
"""

import asyncio
import math
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError

from app.rooms.codec import decode_room, encode_room
from app.rooms.leases import KEPT_PLAYERS, worth_keeping
from app.rooms.redis_keys import SHARD_KEYS, SHARDS, game_keys, keys_of, shard_of
from app.rooms.redis_scripts import ANSWERED, COMMIT, CREATE, LOG, MARK_RECORDED, UPDATES_SINCE, Script
from app.rooms.redis_shard_scripts import (
    CENSUS,
    DROP_TIMER,
    LOOK_AT_TIMERS,
    OLDEST,
    RELEASE,
    RENEW,
    TAKE_TIMERS,
)
from app.rooms.redis_subscription import Receive, Subscription
from app.rooms.room import Phase, Room
from app.rooms.store import (
    FIRING_MS,
    KEPT_REQUESTS,
    KEPT_UPDATES,
    LEASE_MS,
    OUTAGE_MS,
    Commit,
    Committed,
    Conflict,
    DueRoom,
    FinishedGame,
    Lease,
    RoomExists,
    RoomNotFound,
    SeenLease,
    Stored,
    StoreUnavailable,
    Watcher,
)

_CONNECTIONS = 32
_ANSWER_SECONDS = 1.5  # of Redis to one command, and for a connection to it
_PATIENCE_SECONDS = 2.0  # of a caller, all in all

T = TypeVar("T")
_Value = str | bytes | int


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

    async def create(self, room: Room, keep_ms: int | None = None) -> Stored:
        epoch, shard = secrets.token_hex(8), SHARD_KEYS[shard_of(room.code)]
        answer = await self._line.run(
            CREATE,
            (*keys_of(room.code), shard.rooms, shard.losses),
            *(encode_room(room), room.phase.value, room.game_id, epoch, room.code, _or_none(keep_ms)),
        )
        if answer is None:
            raise RoomExists(f"there is a room {room.code} already")
        return Stored(room, 0, _epoch(epoch.encode(), answer[0]))

    async def load(self, code: str) -> Stored:
        found, losses = await self._line.ask_all(
            [
                ("HMGET", keys_of(code).room, "room", "version", "epoch"),
                ("GET", SHARD_KEYS[shard_of(code)].losses),
            ]
        )
        if found[0] is None:
            raise _not_found(code)
        encoded, version, epoch = found
        return _stored(encoded, version, epoch, losses)

    async def commit(self, commit: Commit) -> Committed:
        answer, *values = await self._line.run(COMMIT, _commit_keys(commit.room), *_commit_arguments(commit))
        match answer:
            case b"done" | b"again":
                return Committed(int(values[0]), is_duplicate=answer == b"again")
            case b"conflict":
                encoded, version, epoch, losses = values
                raise Conflict(_stored(encoded, version, epoch, losses))
            case _:
                raise _not_found(commit.room.code)

    async def answered(self, code: str, request: str) -> Committed | None:
        answer = await self._line.run(ANSWERED, keys_of(code), request)
        if answer is None:
            raise _not_found(code)
        is_answered, *version = answer
        return Committed(int(version[0]), is_duplicate=True) if is_answered else None

    async def updates_since(self, code: str, version: int) -> list[tuple[int, bytes]] | None:
        answer = await self._line.run(UPDATES_SINCE, keys_of(code), version)
        if answer is None:
            raise _not_found(code)
        is_complete, *updates = answer
        return list(enumerate(updates, start=version + 1)) if is_complete else None

    async def log(self, code: str) -> list[bytes]:
        events: list[bytes] | None = await self._line.run(LOG, keys_of(code))
        if events is None:
            raise _not_found(code)
        return events

    async def relay(self, code: str, message: bytes) -> None:
        await self._line.publish(
            SHARD_KEYS[shard_of(code)].channel, b"relayed %s %s" % (code.encode(), message)
        )

    def watch(self, code: str) -> None:
        self._watched.add(code)

    def unwatch(self, code: str) -> None:
        self._watched.discard(code)

    async def due(self, now: int, limit: int) -> list[DueRoom]:
        keys = [(shard.timers, shard.timer) for shard in SHARD_KEYS]
        looked = await self._line.run_all(LOOK_AT_TIMERS, keys, [(now, limit, OUTAGE_MS)] * SHARDS)
        waiting = sorted((int(at), code) for answer in looked for code, at in _pairs(answer))
        by_shard: dict[int, list[bytes]] = {}
        for _, code in waiting[:limit]:
            by_shard.setdefault(shard_of(code.decode()), []).append(code)
        arguments: list[tuple[_Value, ...]] = [(now, FIRING_MS, *codes) for codes in by_shard.values()]
        taken = await self._line.run_all(TAKE_TIMERS, [keys[shard] for shard in by_shard], arguments)
        due = [_due_room(code, timer) for answer in taken for code, timer in _pairs(answer)]
        return sorted(due, key=lambda room: room.due_at)

    async def drop_timer(self, code: str, due_at: int) -> None:
        shard = SHARD_KEYS[shard_of(code)]
        await self._line.run(DROP_TIMER, (shard.timers, shard.timer), code, due_at)

    async def unrecorded(self, limit: int) -> list[FinishedGame]:
        keys = [(shard.outbox, shard.old_outbox, shard.losses) for shard in SHARD_KEYS]
        answers = await self._line.run_all(OLDEST, keys, [(limit,)] * SHARDS)
        oldest = sorted((int(at), game.decode()) for answer in answers for game, at in _pairs(answer))
        return [FinishedGame(*game.split(" ", 1)) for _, game in oldest[:limit]]

    async def finished(self, code: str, game_id: str) -> tuple[Room, list[bytes]]:
        keys = game_keys(code, game_id)
        room, log = await self._line.ask_all([("GET", keys.room), ("LRANGE", keys.log, 0, -1)])
        if room is None:
            raise RoomNotFound(f"room {code} has no game {game_id} to be recorded")
        return decode_room(room), log

    async def mark_recorded(self, code: str, game_id: str) -> None:
        shard = SHARD_KEYS[shard_of(code)]
        keys = (*keys_of(code), shard.rooms, shard.outbox, *game_keys(code, game_id))
        await self._line.run(MARK_RECORDED, keys, code, game_id)

    async def renew(self, leases: Sequence[Lease], now: int) -> None:
        by_code: dict[str, list[str]] = {}
        for lease in leases:
            told = (lease.connection, f"{now + LEASE_MS} {lease.is_away:d} {lease.player}")
            by_code.setdefault(lease.code, []).extend(told)
        keys = [(*keys_of(code), SHARD_KEYS[shard_of(code)].rooms) for code in by_code]
        arguments: list[tuple[_Value, ...]] = [
            (code, now, KEPT_PLAYERS, *told) for code, told in by_code.items()
        ]
        await self._line.run_all(RENEW, keys, arguments)

    async def release(self, code: str, connection: str, now: int) -> None:
        await self._line.run(RELEASE, (keys_of(code).leases,), connection, now, KEPT_PLAYERS)

    async def leases_of(self, codes: Sequence[str], now: int) -> dict[str, list[SeenLease]]:
        answers = await self._line.ask_all([("HGETALL", keys_of(code).leases) for code in codes])
        return {
            code: worth_keeping((_lease(connection, told) for connection, told in answer.items()), now)
            for code, answer in zip(codes, answers, strict=True)
            if answer
        }

    async def versions(self, codes: Sequence[str]) -> dict[str, tuple[str, int] | None]:
        rooms = [("HMGET", keys_of(code).room, "epoch", "version") for code in codes]
        shards = [("GET", SHARD_KEYS[shard_of(code)].losses) for code in codes]
        answers = await self._line.ask_all([*rooms, *shards])
        found = zip(codes, answers[: len(codes)], answers[len(codes) :], strict=True)
        return {
            code: None if version is None else (_epoch(epoch, losses), int(version))
            for code, (epoch, version), losses in found
        }

    async def census(self) -> dict[Phase, int]:
        answers = await self._line.run_all(CENSUS, [(shard.rooms,) for shard in SHARD_KEYS], [()] * SHARDS)
        counted: Counter[str] = Counter()
        for answer in answers:
            counted.update({phase.decode(): int(number) for phase, number in _pairs(answer)})
        return {phase: counted[phase] for phase in Phase}

    async def ping(self) -> None:
        await self._line.ask(self._line.client.ping)


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
        self._channels = [self._beat_channel, *(shard.channel for shard in SHARD_KEYS)]
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

    async def run(self, script: Script, keys: tuple[str, ...], *arguments: _Value) -> Any:
        """The answer of a script."""
        return await self.ask(partial(self._run, script, keys, *arguments))

    async def run_all(
        self, script: Script, keys: Sequence[tuple[str, ...]], arguments: Sequence[Sequence[_Value]]
    ) -> list[Any]:
        """The answers of a script that may run twice."""
        calls = [
            ("EVALSHA", script.digest, len(some), *some, *values)
            for some, values in zip(keys, arguments, strict=True)
        ]
        if not calls:
            return []
        try:
            return await self.ask(partial(self._ask_all, calls))
        except NoScriptError:
            await self.ask(lambda: self.client.script_load(script.text))
            return await self.ask(partial(self._ask_all, calls))

    async def ask_all(self, commands: Sequence[tuple[_Value, ...]]) -> list[Any]:
        """The answers to commands."""
        return await self.ask(partial(self._ask_all, commands)) if commands else []

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

    async def _ask_all(self, commands: Sequence[tuple[_Value, ...]]) -> list[Any]:
        async with self.client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            return await pipeline.execute()

    def _asked(self, asking: asyncio.Task[Any]) -> None:
        self._asking.discard(asking)
        if not asking.cancelled():
            asking.exception()  # nobody may be left to hear of it

    async def _run(self, script: Script, keys: tuple[str, ...], *arguments: _Value) -> Any:
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
        except NoScriptError:
            raise
        except ResponseError as error:  # out of memory, not allowed, older than 7
            raise StoreUnavailable(f"{self._address} refuses: {error}") from error
        except (RedisError, OSError) as error:
            raise StoreUnavailable(f"{self._address} doesn't answer: {error}") from error


def _commit_keys(room: Room) -> tuple[str, ...]:
    shard = SHARD_KEYS[shard_of(room.code)]
    return (
        *(*keys_of(room.code), shard.rooms, shard.outbox, shard.timers, shard.timer, shard.losses),
        *(shard.channel, *game_keys(room.code, room.game_id)),
    )


def _commit_arguments(commit: Commit) -> tuple[_Value, ...]:
    room = commit.room
    return (
        *(encode_room(room), room.phase.value, room.game_id, room.code),
        *(commit.expected_version, commit.request, commit.update),
        *(KEPT_UPDATES, KEPT_REQUESTS, int(commit.is_finished)),
        *(_or_none(commit.due), _or_none(commit.keep_ms)),
        *commit.events,
    )


def _stored(encoded: bytes, version: bytes, epoch: bytes, losses: bytes | None) -> Stored:
    return Stored(decode_room(encoded), int(version), _epoch(epoch, losses))


def _epoch(epoch: bytes, losses: bytes | None) -> str:
    """A room's epoch: its own part, and how often its shard may have lost data since."""
    return f"{epoch.decode()}-{int(losses or 0)}"


def _or_none(value: int | None) -> int | str:
    """A value as the scripts want it."""
    return "" if value is None else value


def _pairs(answer: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(answer[::2], answer[1::2], strict=True)


def _due_room(code: bytes, timer: bytes) -> DueRoom:
    due_at, outage_ms = timer.split()
    return DueRoom(code.decode(), int(due_at), int(outage_ms))


def _lease(connection: bytes, told: bytes) -> SeenLease:
    until, is_away, player = told.decode().split(" ", 2)
    return SeenLease(player, connection.decode(), is_away == "1", int(until))


def _not_found(code: str) -> RoomNotFound:
    return RoomNotFound(f"there is no room {code}")
