"""Finished games into the books: from the store's outbox to whoever records them. A task on every worker.

A game is taken out of the outbox only when it is recorded. Recording twice is as once, so workers need not
agree.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.rooms.ending import how_ended
from app.rooms.meters import Meters
from app.rooms.room import SHEETS_FULL, Room
from app.rooms.store import FinishedGame, RoomNotFound, RoomStore
from app.rules.fairness import commitment_of
from app.rules.plain import event_from_plain
from app.rules.record import Record, RecordSeat


@dataclass(frozen=True, slots=True)
class _Later:
    """So many times a game couldn't be recorded; `at`: when to try again."""

    failures: int
    at: float


_log = logging.getLogger(__name__)
_BATCH = 20
_POLL_SECONDS = 1.0
_MAX_WAIT_SECONDS = 30.0
_FAILURES_IN_A_ROW = 3


class Archiver:
    """Records finished games until it is cancelled. `record_game` is to be idempotent by game id.

    A game that can't be recorded is tried again later and later, and holds up no other one. `clock` gives
    seconds.
    """

    def __init__(
        self,
        store: RoomStore,
        record_game: Callable[[Record], Awaitable[None]],
        *,
        meters: Meters | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._record_game = record_game
        self._recordings = (meters or Meters()).recordings
        self._clock = clock
        self._woken = asyncio.Event()
        self._later: dict[FinishedGame, _Later] = {}
        self._unread = 0

    def wake(self) -> None:
        """A game has just ended: look now."""
        self._woken.set()

    async def run(self) -> None:
        """Look for finished games, at once when woken, else from time to time; less often after failures."""
        while True:
            await self.record_all()
            await self._wait(_seconds_after(self._unread))

    async def record_all(self) -> bool:
        """Record what is in the outbox and isn't to wait; false when something couldn't be.

        Where one after the other can't be, the fault is the books', and the rest is left for the next time.
        """
        is_whole, in_a_row = True, 0
        while games := await self._due():
            for game in games:
                is_recorded = await self._is_recorded(game)
                is_whole = is_whole and is_recorded
                in_a_row = 0 if is_recorded else in_a_row + 1
                if in_a_row == _FAILURES_IN_A_ROW:
                    return False
        return is_whole and not self._unread

    async def _due(self) -> list[FinishedGame]:
        """Games in the outbox that aren't to wait, some of the oldest; none when it can't be read."""
        try:
            games = await self._store.unrecorded(_BATCH + len(self._later))
        except Exception as error:  # noqa: BLE001 - the task must outlive whatever the store raises
            self._unread += 1
            _log.warning("the outbox of finished games can't be read: %r", error)
            return []
        self._unread = 0
        self._later = {game: later for game, later in self._later.items() if game in games}
        now = self._clock()
        return [game for game in games if game not in self._later or self._later[game].at <= now]

    async def _is_recorded(self, game: FinishedGame) -> bool:
        try:
            room, log = await self._store.finished(game.code, game.game_id)
            # What was rolled with dice of one's own is nothing that anybody could check: not for the books.
            if not room.own_dice:
                await self._record_game(make_record(room, log))
                self._recordings["recorded"] += 1
                _log.info("game recorded", extra={"room": game.code, "game": game.game_id})
            await self._store.mark_recorded(game.code, game.game_id)
        except RoomNotFound:
            # Another worker was faster. Should the outbox go on listing it, it is asked for after a pause.
            self._later[game] = _Later(1, self._clock() + _seconds_after(1))
            return True
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            self._try_later(game, error)
            return False
        return True

    def _try_later(self, game: FinishedGame, error: Exception) -> None:
        failures = self._later[game].failures + 1 if game in self._later else 1
        seconds = _seconds_after(failures)
        self._recordings["failed"] += 1
        self._later[game] = _Later(failures, self._clock() + seconds)
        _log.warning(
            "game %s of room %s can't be recorded, again in %g s: %r",
            game.game_id,
            game.code,
            seconds,
            error,
            extra={"room": game.code, "game": game.game_id},
        )

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()


def _seconds_after(failures: int) -> float:
    return float(min(_POLL_SECONDS * 2**failures, _MAX_WAIT_SECONDS))


def make_record(room: Room, log: Sequence[bytes]) -> Record:
    """The record of a room's finished game, from its events as they were committed."""
    if room.game is None or room.started_at is None or room.ended_at is None:
        raise ValueError(f"the game of room {room.code} isn't over")
    return Record(
        game_id=room.game_id,
        variant=room.game.variant,
        seats=tuple(
            RecordSeat(seat.player, seat.name, seat.text, how_ended(seat), seat.kept) for seat in room.seats
        ),
        log=tuple(event_from_plain(json.loads(event)) for event in log),
        secret=room.secret,
        commitment=commitment_of(room.secret),
        started_at=room.started_at,
        ended_at=room.ended_at,
        reason=SHEETS_FULL,
        undo=room.game.undo,
    )
