"""What serves rooms in one process: its parts joined, and the tasks that run beside its sockets.

Any number of workers may share one store; none of them knows of the others.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.accounts.ended_sessions import FindEnded, find_none_ended
from app.clock import Now
from app.rooms.archiver import Archiver
from app.rooms.chat import Chat
from app.rooms.hub import Hub
from app.rooms.limits import Limits
from app.rooms.meters import Meters
from app.rooms.presences import Presences
from app.rooms.service import DrawBytes, FindVariant, RoomService, find_no_variant
from app.rooms.session_watch import SessionWatch
from app.rooms.store import RoomStore
from app.rooms.timing import Timing
from app.rooms.turns import Choose, Turns
from app.rules.record import Record


@dataclass(frozen=True, slots=True)
class Outside:
    """What a worker gets from outside of the rooms. `record_game` is to be idempotent by game id."""

    record_game: Callable[[Record], Awaitable[None]]
    choose: Choose
    now: Now
    draw: DrawBytes
    find_variant: FindVariant = find_no_variant
    find_ended: FindEnded = find_none_ended


class Worker:
    """The parts of one process."""

    def __init__(
        self,
        store: RoomStore,
        outside: Outside,
        *,
        limits: Limits | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.timing = timing or Timing()
        now = outside.now
        self.meters = Meters(now)
        self.archiver = Archiver(store, outside.record_game, meters=self.meters)
        self.service = RoomService(
            store,
            now=now,
            draw=outside.draw,
            on_finished=self.archiver.wake,
            find_variant=outside.find_variant,
            meters=self.meters,
        )
        self.presences = Presences(store, self.service, now=now, timing=self.timing)
        self.hub = Hub(store, self.meters, now=now, hinted=self.presences.hinted)
        self.sessions = SessionWatch(self.hub, self.service, outside.find_ended, seconds=self.timing.sessions)
        self.chat = Chat(store, now=now)
        self.turns = Turns(
            store, self.service, choose=outside.choose, now=now, timing=self.timing, meters=self.meters
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The store open, and everything that happens by itself happening. Raises StoreUnavailable."""
        await self.store.open(self.hub)
        tasks = [
            asyncio.create_task(self.archiver.run(), name="archiver"),
            asyncio.create_task(self.turns.run(), name="turns"),
            asyncio.create_task(self.presences.run(), name="presences"),
            asyncio.create_task(self.hub.run_audits(self.timing.audit), name="audits"),
            asyncio.create_task(self.sessions.run(), name="sessions"),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await self.store.close()

    async def drain(self) -> None:
        """Take leave of the players. They come back to another worker, or to this one's next start."""
        await self.hub.drain(self.timing.drain)
