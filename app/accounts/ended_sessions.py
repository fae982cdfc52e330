"""Whose session is over: for sockets, which are asked once who they are and then stay open for hours."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from app.accounts.identity import Identity
from app.accounts.repository import gone_among, valid_among
from app.clock import Now, now_ms
from app.db import Database

_AT_ONCE = 500


class Ended(NamedTuple):
    """By the hashes of their tokens the sessions that are over, and whose players have deleted themselves."""

    sessions: set[bytes]
    deleted: set[str]


FindEnded = Callable[[Sequence[Identity]], Awaitable[Ended]]
"""Which of these players' sessions are over by now. Raises DatabaseUnavailable."""


async def find_none_ended(_identities: Sequence[Identity]) -> Ended:
    """None: where nobody has a session."""
    return Ended(set(), set())


def make_find_ended(database: Database, *, now: Now = now_ms) -> FindEnded:
    """The function that asks the database, for some hundreds at a time: it holds nothing for long."""

    async def find_ended(identities: Sequence[Identity]) -> Ended:
        ended = Ended(set(), set())
        for first in range(0, len(identities), _AT_ONCE):
            some = {one.session: one.player for one in identities[first : first + _AT_ONCE]}
            async with database.reading() as session:
                over = some.keys() - await valid_among(session, some, now())
                if over:
                    ended.sessions.update(over)
                    ended.deleted.update(await gone_among(session, {some[one] for one in over}))
        return ended

    return find_ended
