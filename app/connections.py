"""All TCP connections of this process: how many there may be, how long they may wait, and which give way.

`http_connections.py` and `sockets.py` are what is spoken on them. Nothing here knows HTTP or websockets.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Protocol

from app.client_addresses import network_of
from app.floods import Floods

_SWEEP_SECONDS = 1.0
_SAY_SECONDS = 60.0
NEVER = float("inf")
_log = logging.getLogger(__name__)


class Reason(StrEnum):
    """Why a connection was refused or ended."""

    ADDRESS = "address"
    """Its address has too many."""
    FULL = "full"
    """There are as many as the limit of open files allows, and all of them play."""
    GAVE_WAY = "gave_way"
    """There were as many, and this one was the oldest that didn't play."""
    NONSENSE = "nonsense"
    """It sent no HTTP request."""
    LINE = "line"
    """The line of its request was too long."""
    HEAD = "head"
    """The headers of its request were too many or too long."""
    BODY = "body"
    """The body of its request was too big, with everything that is sent around it."""
    PIPELINE = "pipeline"
    """It sent too many requests without waiting for answers."""
    HEAD_TIME = "head_time"
    """The head of its request took too long."""
    BODY_TIME = "body_time"
    """The body of its request took too long."""
    ANSWER_TIME = "answer_time"
    """It took too long to read its answer."""
    FLOOD = "flood"
    """It sent more on a websocket than one may."""
    SHUT_OUT = "shut_out"
    """Its address did that too often."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one connection may take, in bytes and seconds, and how many connections there may be.

    `body_bytes` counts a body as it is sent, in chunks with what stands around them. `most` is for all
    connections together, `per_address` for those of one address outside of the `exempt` networks; 0 is for
    any number.
    """

    line_bytes: int = 8 * 1024
    head_bytes: int = 16 * 1024
    headers: int = 100
    body_bytes: int = 192 * 1024
    pipelined: int = 8
    head_seconds: float = 10
    body_seconds: float = 30
    answer_seconds: float = 60
    most: int = 0
    per_address: int = 0
    exempt: Sequence[IPv4Network | IPv6Network] = ()


class Connection(Protocol):
    """One of them. `deadline`: when it has to be over, on the loop's clock."""

    deadline: float

    def expire(self) -> None:
        """The deadline has passed."""

    def give_way(self) -> None:
        """End at once, so that another one can be taken."""


class Refusals:
    """Counts by reason, and tells the log at most once a minute of each reason. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.counts: Counter[Reason] = Counter()
        self._clock = clock
        self._said: dict[Reason, tuple[float, int]] = {}

    def add(self, reason: Reason) -> None:
        """One more connection was refused or ended so."""
        self.counts[reason] += 1
        now, count = self._clock(), self.counts[reason]
        said_at, said = self._said.get(reason, (-NEVER, 0))
        if now - said_at >= _SAY_SECONDS:
            self._said[reason] = now, count
            _log.warning("connections refused", extra={"reason": reason.value, "times": count - said})


class Connections:
    """Keeps count of them, ends those whose time is over, and makes room for new ones.

    Those that may give way, the oldest first, are requests and websockets that have said nothing yet or are
    being closed. A websocket on which somebody plays is `settled` and gives way to nobody.
    """

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.bounds = bounds or Bounds()
        self.refusals = Refusals()
        self._open: dict[Connection, str | None] = {}
        self._passing: dict[Connection, None] = {}
        self._by_address: Counter[str] = Counter()
        self._floods = Floods()
        self._sweep: asyncio.TimerHandle | None = None

    @property
    def number(self) -> int:
        """How many are open."""
        return len(self._open)

    def enter(self, connection: Connection, host: str, loop: asyncio.AbstractEventLoop) -> Reason | None:
        """Take a new connection in, or say why not. `host`: the address that it comes from."""
        address = self._counted(host)
        if address is not None and self._by_address[address] >= self.bounds.per_address:
            return Reason.ADDRESS
        if address is not None and self._floods.is_shut_out(address, loop.time()):
            return Reason.SHUT_OUT
        if self.bounds.most and len(self._open) >= self.bounds.most and not self._make_room():
            return Reason.FULL
        self._open[connection] = address
        self._passing[connection] = None
        if address is not None:
            self._by_address[address] += 1
        if self._sweep is None:
            self._sweep = loop.call_later(_SWEEP_SECONDS, self._end_late_ones, loop)
        return None

    def leave(self, connection: Connection) -> None:
        """A connection has ended. Nothing happens where it wasn't taken in."""
        address = self._open.pop(connection, None)
        self._passing.pop(connection, None)
        if address is not None:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def flooded(self, connection: Connection, now: float) -> None:
        """A connection is cut off, since more came on it than may. `now`: on the loop's clock."""
        self.refusals.add(Reason.FLOOD)
        address = self._open.get(connection)
        if address is not None:
            self._floods.add(address, now)

    def hand_over(self, before: Connection, after: Connection) -> None:
        """The same connection goes on as another object. It keeps its age."""
        if before in self._open:
            self._open[after] = self._open.pop(before)
            self._passing.pop(before, None)
            self._passing[after] = None

    def settle(self, connection: Connection) -> None:
        """Somebody plays on it: it gives way to nobody."""
        self._passing.pop(connection, None)

    def unsettle(self, connection: Connection) -> None:
        """It is being closed: it may give way again, and has a deadline."""
        if connection in self._open:
            self._passing[connection] = None

    def _counted(self, host: str) -> str | None:
        """The address that a connection counts for, None for one that counts for none."""
        if not self.bounds.per_address or (self.bounds.exempt and self._is_exempt(host)):
            return None
        return network_of(host)

    def _is_exempt(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.bounds.exempt)

    def _make_room(self) -> bool:
        oldest = next(iter(self._passing), None)
        if oldest is None:
            return False
        self.refusals.add(Reason.GAVE_WAY)
        self.leave(oldest)
        oldest.give_way()
        return True

    def _end_late_ones(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in [one for one in self._passing if one.deadline < now]:
            connection.expire()
        again = bool(self._open)
        self._sweep = loop.call_later(_SWEEP_SECONDS, self._end_late_ones, loop) if again else None
