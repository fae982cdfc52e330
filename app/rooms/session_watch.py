"""Closes sockets whose session has ended: who signed out elsewhere or deleted himself is at no table then.

A socket is asked once who it is. So every worker asks again for all of its own from time to time, and at once
for a player whose session has ended here. Who is deleted gives his seats up as by leaving.
"""

import asyncio
import logging
from contextlib import suppress

from app.accounts.ended_sessions import FindEnded
from app.accounts.identity import Identity
from app.db import DatabaseUnavailable
from app.rooms.closing import CloseCode
from app.rooms.commands import Leave
from app.rooms.hub import Hub, Viewer
from app.rooms.refusals import RoomRefusal
from app.rooms.seats import seats_of
from app.rooms.service import Asked, RoomService
from app.rooms.store import RoomNotFound, StoreUnavailable

_log = logging.getLogger(__name__)


class SessionWatch:
    """Looks after the sockets of one worker until it is cancelled. `seconds`: between two looks at all."""

    def __init__(self, hub: Hub, service: RoomService, find_ended: FindEnded, *, seconds: float) -> None:
        self._hub = hub
        self._service = service
        self._find_ended = find_ended
        self._seconds = seconds
        self._woken = asyncio.Event()
        self._told: set[str] = set()
        # Seats to be given up, by room and player: kept until it is done, should the store be away.
        self._seats: dict[tuple[str, str], Identity] = {}

    def tell(self, player: str) -> None:
        """A session of that player has just ended: look for his sockets now."""
        self._told.add(player)
        self._woken.set()

    async def run(self) -> None:
        """Look at all sockets from time to time, and meanwhile at those of players one is told of."""
        loop = asyncio.get_running_loop()
        next_look = loop.time() + self._seconds
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_look):
                    await self._woken.wait()
            self._woken.clear()
            told, self._told = self._told, set()
            is_look = loop.time() >= next_look
            if is_look:
                next_look = loop.time() + self._seconds
            try:
                await self.look(None if is_look else told)
            except Exception:  # noqa: BLE001 - the task must outlive whatever a store raises
                _log.exception("the sessions of this process's sockets can't be looked at")

    async def look(self, players: set[str] | None = None) -> None:
        """Close the sockets whose session is over, of these players or of all."""
        viewers = [one for one in self._hub.viewers() if players is None or one.identity.player in players]
        try:
            ended = await self._find_ended([viewer.identity for viewer in viewers])
        except DatabaseUnavailable as error:
            # Whoever plays plays on while the database is away; the next look tells.
            _log.warning("the database can't say whose session is over: %s", error)
            return
        for viewer in viewers:
            if viewer.identity.session in ended.sessions:
                self._close(viewer, is_deleted=viewer.identity.player in ended.deleted)
        for (code, player), who in list(self._seats.items()):
            if await self._has_left(code, who):
                del self._seats[code, player]

    def _close(self, viewer: Viewer, *, is_deleted: bool) -> None:
        viewer.outbox.end(CloseCode.NOT_SIGNED_IN)
        if is_deleted:
            self._seats[viewer.code, viewer.identity.player] = viewer.identity

    async def _has_left(self, code: str, who: Identity) -> bool:
        """Give up all seats of a player, as other workers may do too; false: to be tried again."""
        try:
            room = (await self._service.load(code)).room
            # From the last: in a lobby the seats after one that is given back move up.
            for seat in reversed(seats_of(room, who.player)):
                await self._leave(code, who, seat)
        except RoomNotFound:
            return True
        except (StoreUnavailable, RoomRefusal) as error:
            _log.warning("room %s: a deleted player's seat can't be given up: %s", code, error)
            return False
        return True

    async def _leave(self, code: str, who: Identity, seat: int) -> None:
        """One seat; that it is another's by now, or has been left, is all the same."""
        try:
            await self._service.carry_out(Asked(code, who, f"deleted-{seat}", Leave(seat)))
        except RoomRefusal as refusal:
            if refusal.retry:
                raise
