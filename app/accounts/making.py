"""How much a player and an address may make in an hour: guests, rooms, variants.

Else one client would fill a server. Counted as attempts are, in the database: so over all servers together.
No move of a game asks for it.
"""

from enum import StrEnum
from functools import partial

from starlette.requests import HTTPConnection

from app.accounts.attempts import Attempts, Limit, Trying, address_of
from app.accounts.refusing import too_many_made
from app.clock import Now, now_ms
from app.config import Settings
from app.db import Database

_HOUR = 60 * 60_000


class Made(StrEnum):
    """What can be made."""

    GUEST = "guest"
    ROOM = "room"
    VARIANT = "variant"


GUEST, ROOM, VARIANT = Made


class Making:
    """Counts what is made, and refuses what is too much."""

    def __init__(self, database: Database, settings: Settings, *, now: Now = now_ms) -> None:
        self._attempts = Attempts(database, now)
        bounds = {
            GUEST: (0, settings.guests_per_address),
            ROOM: (settings.rooms_per_player, settings.rooms_per_address),
            VARIANT: (0, settings.variants_per_address),
        }
        self._trying = {what: _trying(what, *most) for what, most in bounds.items()}

    async def begin(self, what: Made, *, player: str = "", address: str) -> None:
        """Count one more before it is made. Raises Problem when there were too many."""
        trying = self._trying[what]
        if trying.limits:
            await self._attempts.begin(trying, name=player, address=address)

    async def room(self, connection: HTTPConnection, player: str) -> None:
        """As `begin`, of a room that a player makes."""
        await self.begin(ROOM, player=player, address=address_of(connection))


def _trying(what: Made, by_player: int, by_address: int) -> Trying:
    """The bounds that there are: 0 is none."""
    limits = (Limit(by_player, _HOUR, by_name=True), Limit(by_address, _HOUR, by_address=True))
    there_are = tuple(limit for limit in limits if limit.most)
    return Trying(f"make {what}", there_are, partial(too_many_made, what))
