"""What one address may take of a server: a share of its time, and some looks for what isn't there.

Each server counts for itself, in memory, and remembers so many addresses and no more. A request beyond the
share waits for its turn behind those of the same address. When too many wait it is refused, and late: who
asks on at once is slowed down by that, and a refusal costs next to nothing.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from math import ceil
from time import monotonic
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.accounts.attempts import address_of
from app.problems import Problem, problem_response
from app.public_reads import PublicReads
from app.requests import HeadAsGet
from app.rooms.limits import TokenBucket
from app.spending import Measured, Spent

BURST_SECONDS = 2.0
"""Of the server's time, which an address may take before its share bounds it."""
AT_ONCE = 8
"""Requests of one address that are answered at the same time."""
MOST_WAITING = 64
"""Requests of one address that wait for that."""
MISS_SECONDS = 6.0
"""After which an address may look for one thing more that isn't there."""

_MOST_ADDRESSES = 10_000
_MOST_WAIT_SECONDS = 10.0
_SLOT_SECONDS = 10.0  # who is answered slowly then makes room for the next, however slowly he reads
_LATE_SECONDS = 1.0
_MOST_LATE = 256
# What a server does for each beside what is measured: reading the request, beginning its task, writing.
_REQUEST_SECONDS = 0.0003
# What has a name that could be guessed. Pages and files tell nothing of what is there.
_GUESSED = ("/api/rooms/", "/api/games/", "/api/players/", "/api/variants/")
# Whoever watches over a server asks it whatever others of the same address do.
_CHECKS = ("/healthz", "/readyz", "/metrics")


class Share:
    """What one address may still take."""

    __slots__ = ("_is_bounded", "_late", "_next", "_running", "_time", "_waiting", "misses")

    def __init__(self, share: float, misses: int) -> None:
        self._is_bounded = share > 0
        self._time = TokenBucket(share, BURST_SECONDS, monotonic)
        self._running = asyncio.Semaphore(AT_ONCE)
        self._next = asyncio.Lock()
        self._waiting = 0
        self._late = 0
        self.misses = TokenBucket(1 / MISS_SECONDS, misses, monotonic) if misses else None

    @property
    def may_miss(self) -> bool:
        """Whether it may look for what may not be there."""
        return self.misses is None or not self.misses.seconds_until(1)

    def miss(self) -> None:
        """It looked for something that isn't there."""
        if self.misses is not None:
            self.misses.spend(1)

    @property
    def seconds_to_wait(self) -> float:
        """Until a request would be begun, if nobody waited for that."""
        return self._time.seconds_until(0) if self._is_bounded else 0

    async def serve(
        self, work: Callable[[], Awaitable[None]], least_seconds: float = _REQUEST_SECONDS
    ) -> bool:
        """Do the work in its turn, and take what it took. False where there are too many: it isn't begun."""
        if not self._is_bounded:
            await work()
            return True
        if not await self._begin():
            return False
        slot = _Slot(self._running)
        spent = Spent()
        try:
            await Measured(_run(work), spent)
        finally:
            self._time.spend(least_seconds + spent.seconds)
            slot.give_back()
        return True

    async def _begin(self) -> bool:
        if self._waiting >= MOST_WAITING:
            return False
        self._waiting += 1
        try:
            async with asyncio.timeout(_MOST_WAIT_SECONDS):
                await self._wait()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
        return True

    async def _wait(self) -> None:
        """In the order in which they came. What is under way is paid for when it is done."""
        async with self._next:
            while seconds := self.seconds_to_wait:  # noqa: ASYNC110 - others make it longer
                await asyncio.sleep(seconds)
            await self._running.acquire()

    async def be_late(self) -> None:
        """Before a refusal. Only so many are kept waiting."""
        if self._late >= _MOST_LATE:
            return
        self._late += 1
        try:
            await asyncio.sleep(_LATE_SECONDS)
        finally:
            self._late -= 1


class _Slot:
    """One of those that are answered at once: given back when it is done, or once it takes too long."""

    __slots__ = ("_running", "_timer")

    def __init__(self, running: asyncio.Semaphore) -> None:
        self._running: asyncio.Semaphore | None = running
        self._timer = asyncio.get_running_loop().call_later(_SLOT_SECONDS, self.give_back)

    def give_back(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._timer.cancel()
            running.release()


class Shares:
    """The shares of all addresses: `percent` of the server's time and `misses` at once each; 0 for any."""

    def __init__(self, percent: int = 0, misses: int = 0) -> None:
        self._share = percent / 100
        self._misses = misses
        self._by_name: OrderedDict[str, Share] = OrderedDict()

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._by_name)

    def of(self, connection: HTTPConnection) -> Share:
        """The share of who asks."""
        name = address_of(connection)
        return self.named(f"{name} checks" if connection.scope["path"] in _CHECKS else name)

    def named(self, name: str) -> Share:
        """The share of that name. The one that was asked for longest ago is forgotten for a new one."""
        share = self._by_name.get(name)
        if share is None:
            if len(self._by_name) >= _MOST_ADDRESSES:
                self._by_name.popitem(last=False)
            share = self._by_name[name] = Share(self._share, self._misses)
        self._by_name.move_to_end(name)
        return share


class FairShares:
    """Gives each request its turn in its address's share of the server's time."""

    def __init__(self, app: ASGIApp, shares: Shares) -> None:
        self._app = app
        self._shares = shares

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        share = self._shares.of(HTTPConnection(scope))
        is_guess = scope["path"].startswith(_GUESSED)
        if is_guess and not share.may_miss:
            await share.be_late()
            await _refusal(too_many_misses(ceil(MISS_SECONDS)))(scope, receive, send)
            return

        async def send_counting(message: Message) -> None:
            if is_guess and message.get("status") == 404:
                share.miss()
            await send(message)

        if not await share.serve(lambda: self._app(scope, receive, send_counting)):
            problem = too_many_requests(ceil(share.seconds_to_wait) + 1)
            await share.be_late()
            await _refusal(problem)(scope, receive, send)


def too_many_requests(seconds: int) -> Problem:
    """For who asks for more than the share."""
    return _too_many("requests", "you or others at your address ask for too much at once", seconds)


def too_many_misses(seconds: int) -> Problem:
    """For who has looked for too much that isn't there."""
    return _too_many(
        "misses", "you or others at your address asked for too many things that aren't there", seconds
    )


def _too_many(what: str, sentence: str, seconds: int) -> Problem:
    headers = {"Retry-After": str(seconds)}
    return Problem(429, f"too_many_{what}", f"{sentence}: try again in {seconds} s", headers=headers)


def _refusal(problem: Problem) -> ASGIApp:
    """As all that is public, it is open to pages of other sites where what was asked for is."""
    return HeadAsGet(PublicReads(problem_response(problem)))


async def _run(work: Callable[[], Awaitable[Any]]) -> None:
    await work()
