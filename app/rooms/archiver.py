"""Finished games into the books: from the store's outbox to whoever records them. A task on every worker.

A game is taken out of the outbox only when it is recorded. Recording twice is as once, so workers need not
agree.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence

from app.rooms.ending import how_ended
from app.rooms.room import SHEETS_FULL, Room
from app.rooms.store import FinishedGame, RoomNotFound, RoomStore
from app.rules.fairness import commitment_of
from app.rules.plain import event_from_plain
from app.rules.record import Record, RecordSeat

_log = logging.getLogger(__name__)
_BATCH = 20
_POLL_SECONDS = 1.0
_MAX_WAIT_SECONDS = 30.0


class Archiver:
    """Records finished games until it is cancelled. `record_game` is to be idempotent by game id."""

    def __init__(self, store: RoomStore, record_game: Callable[[Record], Awaitable[None]]) -> None:
        self._store = store
        self._record_game = record_game
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """A game has just ended: look now."""
        self._woken.set()

    async def run(self) -> None:
        """Look for finished games, at once when woken, else from time to time; less often after failures."""
        failures = 0
        while True:
            failures = 0 if await self.record_all() else failures + 1
            await self._wait(min(_POLL_SECONDS * 2**failures, _MAX_WAIT_SECONDS))

    async def record_all(self) -> bool:
        """Record what is in the outbox; false when something couldn't be, and is to be tried again."""
        try:
            games = await self._store.unrecorded(_BATCH)
        except Exception as error:  # noqa: BLE001 - the task must outlive whatever the store raises
            _log.warning("the outbox of finished games can't be read: %r", error)
            return False
        outcomes = [await self._is_recorded(game) for game in games]
        if len(games) == _BATCH and all(outcomes):
            return await self.record_all()
        return all(outcomes)

    async def _is_recorded(self, game: FinishedGame) -> bool:
        try:
            room, log = await self._store.finished(game.code, game.game_id)
            # What was rolled with dice of one's own is nothing that anybody could check: not for the books.
            if not room.own_dice:
                await self._record_game(make_record(room, log))
            await self._store.mark_recorded(game.code, game.game_id)
            _log.info("game recorded", extra={"room": game.code, "game": game.game_id})
        except RoomNotFound:
            return True
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            _log.warning("the game of room %s can't be recorded yet: %r", game.code, error)
            return False
        return True

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()


def make_record(room: Room, log: Sequence[bytes]) -> Record:
    """The record of a room's finished game, from its events as they were committed."""
    if room.game is None or room.started_at is None or room.ended_at is None:
        raise ValueError(f"the game of room {room.code} isn't over")
    return Record(
        game_id=room.game_id,
        variant=room.game.variant,
        seats=tuple(RecordSeat(seat.player, seat.name, seat.text, how_ended(seat)) for seat in room.seats),
        log=tuple(event_from_plain(json.loads(event)) for event in log),
        secret=room.secret,
        commitment=commitment_of(room.secret),
        started_at=room.started_at,
        ended_at=room.ended_at,
        reason=SHEETS_FULL,
        undo=room.game.undo,
    )
