"""How often a password or code may be tried, counted in the database: so over all servers together. What may
be made (`making`) is counted here too.

What was counted counts no more when its time is over, and is removed some time later (purging.py). Strangers
can use up what they have from their own addresses. With many of those they can use up what a name has: each
address then has three attempts for it in place of ten, so its player still gets in from any other address.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from starlette.requests import HTTPConnection

from app.accounts.refusing import too_many_attempts
from app.accounts.repository import count_attempt, give_attempt_back
from app.client_addresses import network_of
from app.clock import Now
from app.db import Database
from app.problems import Problem

_MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Limit:
    """So many attempts in so many milliseconds, for each name, for each address, or for each pair of them.

    `spared`: who has made no more than so many by the tightest limit isn't refused by this one.
    """

    most: int
    time: int
    by_name: bool = False
    by_address: bool = False
    spared: int = 0


@dataclass(frozen=True, slots=True)
class Trying:
    """Something that is limited, the tightest limit first: what one refuses counts for none.

    `refusal`: what it is refused with, for the seconds after which it may succeed.
    """

    what: str
    limits: tuple[Limit, ...]
    refusal: Callable[[int], Problem] = too_many_attempts


PROVING = Trying(
    "prove",
    (
        Limit(10, 15 * _MINUTE, by_name=True, by_address=True),
        Limit(60, 15 * _MINUTE, by_address=True),
        Limit(200, 15 * _MINUTE, by_name=True, spared=3),
    ),
)
"""Passwords and recovery codes."""
SIGNING_IN = Trying(
    "sign in", (Limit(60, 60 * _MINUTE, by_name=True), Limit(300, 60 * _MINUTE, by_address=True))
)
"""Right passwords: each makes a session. Only who knows one uses up what its name has."""
REGISTERING = Trying("register", (Limit(20, 60 * _MINUTE, by_address=True),))


class Attempts:
    """Counts attempts and refuses those that are too many."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database = database
        self._now = now

    async def begin(self, trying: Trying, *, name: str = "", address: str) -> None:
        """Count an attempt before it is made. Raises Problem when there were too many."""
        now, tightest = self._now(), 0
        async with self._database.session() as session:
            for limit, key in _keys(trying, name, address):
                count, ends_at = await count_attempt(session, key, now=now, ends_at=now + limit.time)
                tightest = tightest or count
                if count > limit.most and tightest > limit.spared:
                    raise trying.refusal(max(1, -(-(ends_at - now) // 1000)))

    async def succeeded(self, trying: Trying, *, name: str = "", address: str) -> None:
        """The attempt was a right one: it doesn't count."""
        async with self._database.session() as session:
            for _, key in _keys(trying, name, address):
                await give_attempt_back(session, key)


def address_of(connection: HTTPConnection) -> str:
    """Who asks, as far as an address tells; of IPv6 the network, since everybody has many addresses in his.

    Behind a proxy that is trusted this is the address that the proxy names (app/serving.py).
    """
    return network_of(connection.client.host if connection.client else "")


def _keys(trying: Trying, name: str, address: str) -> list[tuple[Limit, bytes]]:
    return [(limit, _key(trying.what, limit, name, address)) for limit in trying.limits]


def _key(what: str, limit: Limit, name: str, address: str) -> bytes:
    """Neither a name nor an address stands in the database."""
    parts = [what]
    parts += ["name", name] if limit.by_name else []
    parts += ["address", address] if limit.by_address else []
    return sha256("\0".join(parts).encode(errors="replace")).digest()
