"""What attacks have in common: connections, sessions, rooms, and an end."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from random import Random

from app.rooms.messages import PROTOCOL
from tests.faults.hostile.frames import handshake, message, request
from tests.faults.hostile.tally import Tally
from tests.faults.hostile.target import Target
from tests.faults.hostile.wire import Answer, Ended, Wire, open_wire

_AGAIN_SECONDS = 0.02
_MOST_STATIONS = 250

Work = Callable[[], Awaitable[None]]


class Refused(Exception):
    """The server didn't give the attacker what its attack begins with."""


class Attacker:
    """A stranger at an address of the target's, for as long as the target says."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.tally = Tally()
        self.chance = Random(target.seed)
        self.stations = self._stations()
        self._ends_at = 0.0

    def begin(self) -> None:
        """All is prepared: wait for the word. What was counted until now was no attack."""
        print("ready", flush=True)  # noqa: T201 - to whoever started this
        sys.stdin.readline()
        self.tally = Tally()
        self._ends_at = time.monotonic() + self.target.seconds

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._ends_at

    def many(self, usual: int) -> int:
        """So many connections, by the share that this run takes."""
        return max(1, round(usual * self.target.share))

    async def repeat(self, at_once: int, work: Work) -> None:
        """Do it again and again, so many at once, until the time is over."""
        tasks = [asyncio.create_task(self._repeat(work)) for _ in range(at_once)]
        done, left = await asyncio.wait(tasks, timeout=max(0.0, self._ends_at - time.monotonic()))
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for task in done:
            task.result()

    async def wire(self, stage: str = "", *, source: str | None = None, receive: int | None = None) -> Wire:
        """A connection. Raises OSError."""
        wire = await open_wire(
            self.target.port, source or self.target.source, self.tally, receive_bytes=receive
        )
        wire.use_as(stage)
        return wire

    async def hold(self, wire: Wire, listening: Awaitable[None]) -> None:
        """Bear a connection until the server ends it; it is counted where the server still bears it."""
        try:
            await listening
        except asyncio.CancelledError:
            self.tally.left_open += not wire.is_ended
            raise
        finally:
            wire.close()

    async def ask(
        self, method: str, path: str, plain: object = None, *, cookie: str = "", source: str | None = None
    ) -> Answer:
        """One request on a connection of its own. Raises Ended, OSError."""
        wire = await self.wire(source=source)
        try:
            await wire.send(self.request(method, path, plain, cookie))
            return await wire.answer()
        finally:
            wire.close()

    def request(self, method: str, path: str, plain: object = None, cookie: str = "") -> bytes:
        """The bytes of a request."""
        body = None if plain is None else json.dumps(plain).encode()
        return request(method, path, self.target.host, body=body, cookie=cookie)

    async def guest(self, name: str = "Stranger") -> str:
        """A new guest's cookie. Raises Refused."""
        answer = await self.ask("POST", "/api/guests", {"name": name})
        return _cookie_of(answer)

    async def guests(self, count: int) -> list[str]:
        """So many of them. Raises Refused."""
        return [await self.guest() for _ in range(count)]

    async def room(self, cookie: str, variant: str = "papir") -> str:
        """A new room's code. Raises Refused."""
        answer = await self.ask("POST", "/api/rooms", {"variant": variant, "max_seats": 8}, cookie=cookie)
        if answer.status != 201:
            raise Refused(f"no room was made: {answer.status}")
        return str(json.loads(answer.body)["code"])

    async def account(self, user_name: str, password: str) -> str:
        """The cookie of a new account. Raises Refused."""
        wanted = {"user_name": user_name, "password": password}
        return _cookie_of(await self.ask("POST", "/api/accounts", wanted, cookie=await self.guest()))

    async def socket(self, code: str, cookie: str = "", *, receive: int | None = None) -> Wire:
        """A websocket of a table, opened. Raises Ended, OSError; Ended too where it isn't let in."""
        wire = await self.wire(receive=receive)
        try:
            await wire.send(handshake(self.target.host, f"/ws/rooms/{code}", cookie))
            answer = await wire.answer()
        except BaseException:
            wire.close()
            raise
        if answer.status != 101:
            wire.close()
            raise Ended
        return wire

    async def seat(self, code: str, cookie: str, *, receive: int | None = None) -> Wire:
        """A websocket that has said its hello. Raises Ended, OSError."""
        wire = await self.socket(code, cookie, receive=receive)
        await wire.send(message(type="hello", protocol=PROTOCOL))
        return wire

    async def _repeat(self, work: Work) -> None:
        while not self.is_over:
            try:
                await work()
            except Ended:
                await asyncio.sleep(0)
            except (OSError, TimeoutError):
                await asyncio.sleep(_AGAIN_SECONDS)

    def _stations(self) -> Iterator[str]:
        """Many addresses, one after the other and again."""
        while True:
            yield from (f"{self.target.network}{number}" for number in range(1, _MOST_STATIONS))


def _cookie_of(answer: Answer) -> str:
    for line in answer.head.split("\r\n"):
        name, _, value = line.partition(": ")
        if name.lower() == "set-cookie":
            return value.split(";")[0]
    raise Refused(f"nobody was signed in: {answer.status}")
