"""One connection to one Redis, shared by all who ask: what waits at the same time goes out in one write.

Answers come in the order of the questions, and each who asks waits for his own. What has been asked is sent
whether or not its caller still waits, and nothing is sent twice: when the connection is lost, all who wait
are told that, and the next question connects anew.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn, cast

from hiredis import pack_command
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    ReadOnlyError,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoConnectionInTime

from app.reaching import is_away
from app.rooms.redis_link import Link
from app.rooms.store import StoreAway, StoreUnavailable

ANSWER_SECONDS = 1.5  # of Redis to one question, and for a connection to it
_WATCH_SECONDS = 0.2

Value = str | bytes | int
MakeConnection = Callable[[], AbstractConnection]
Greet = Callable[[AbstractConnection], Awaitable[None]]
"""What is to be said on a new connection before anything else. Raises what redis-py does."""


def pack(*command: Value) -> bytes:
    """A command as Redis reads it."""
    packed: bytes = pack_command(
        cast("tuple[Value]", command)
    )  # hiredis knows the type of one argument alone
    return packed


class _Asked(NamedTuple):
    packed: bytes
    answer: asyncio.Future[Any]
    since: float


class Wire:
    """A connection that is made when it is needed. `address` is for messages, `most` can wait at a time."""

    def __init__(
        self, make_connection: MakeConnection, address: str, greet: Greet, *, most: int = 20_000
    ) -> None:
        self.address = address
        self._make_connection = make_connection
        self._greet = greet
        self._most = most
        self._waiting: deque[_Asked] = deque()
        self._sent: deque[_Asked] = deque()
        self._link: Link | None = None
        self._talking: asyncio.Task[None] | None = None

    def ask(self, *command: Value) -> asyncio.Future[Any]:
        """The answer to come. Its errors are StoreUnavailable and redis-py's ResponseError."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        if len(self._waiting) + len(self._sent) >= self._most:
            # Not raised: who asks for several things at once would leave the answers to the others behind.
            answer.set_exception(StoreUnavailable(f"{self.address} is asked more than it answers"))
            return answer
        if self._link is not None and not self._waiting:
            loop.call_soon(self._send)  # after all that is asked in this turn of the loop
        self._waiting.append(_Asked(pack(*command), answer, loop.time()))
        if self._talking is None:
            self._talking = loop.create_task(self._talk(), name="redis wire")
        return answer

    async def close(self) -> None:
        """Wait for the answers to what was asked, then disconnect."""
        if asked := [one.answer for one in (*self._sent, *self._waiting)]:
            await asyncio.wait(asked, timeout=ANSWER_SECONDS)
        if self._talking is not None:
            self._talking.cancel()
            await asyncio.wait([self._talking])

    async def _talk(self) -> None:
        connection = self._make_connection()
        failure: BaseException = StoreUnavailable(f"{self.address} is closed")
        try:
            with telling(self.address):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await connection.connect()  # type: ignore[no-untyped-call]  # redis-py says no types here
                    await self._greet(connection)
                self._link = Link(connection, self._take)
                self._send()
                await self._watch(self._link)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            failure = error
        finally:
            self._talking = self._link = None
            self._fail(failure)
            await connection.disconnect(nowait=True)

    def _send(self) -> None:
        if self._link is None or not self._waiting:
            return
        packed = b"".join([asked.packed for asked in self._waiting])
        self._sent.extend(self._waiting)
        self._waiting.clear()
        self._link.send(packed)

    def _take(self, answer: Any) -> None:
        is_refusal = isinstance(answer, RedisError)
        if is_refusal and not isinstance(answer, ResponseError):
            raise answer  # it answers nothing at present
        asked = self._sent.popleft().answer
        if asked.done():  # its caller has gone
            return
        if not is_refusal:
            asked.set_result(answer)
            return
        asked.set_exception(answer)
        if isinstance(answer, ReadOnlyError):
            # It became a replica: the one to ask is found by connecting anew.
            raise answer

    async def _watch(self, link: Link) -> NoReturn:
        """Return never; raise what ends the link, or that an answer takes too long."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.wait([link.ended], timeout=_WATCH_SECONDS)
            if link.ended.done():
                link.ended.result()
            if self._sent and loop.time() - self._sent[0].since > ANSWER_SECONDS:
                raise StoreAway(f"{self.address} hasn't answered in {ANSWER_SECONDS:g} s")

    def _fail(self, failure: BaseException) -> None:
        asked = [*self._sent, *self._waiting]
        self._sent.clear()
        self._waiting.clear()
        for one in asked:
            if not one.answer.done():
                one.answer.set_exception(failure)


@contextmanager
def telling(address: str) -> Iterator[None]:
    """What goes wrong with Redis is StoreUnavailable, and says where."""
    try:
        yield
    except ResponseError as error:  # out of memory, not allowed, older than 7
        raise StoreUnavailable(f"{address} refuses: {error}") from error
    except (RedisError, OSError, TimeoutError) as error:
        kind = StoreAway if _passes(error) else StoreUnavailable
        raise kind(f"{address} doesn't answer: {str(error) or 'no connection in time'}") from error


def _passes(error: Exception) -> bool:
    """Whether Redis is away or starting; redis-py hides what the system said behind errors of its own."""
    if isinstance(error, AuthenticationError | AuthorizationError):
        return False
    said = error if isinstance(error, OSError) else error.__context__
    return (
        is_away(said) if isinstance(said, OSError) else isinstance(error, NoConnection | NoConnectionInTime)
    )
