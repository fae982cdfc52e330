"""What happens at a table without anybody's command: bots play, and a turn whose time is over is called out.

A task on every worker asks the store for timers that are due. To fire one is an ordinary step on the very
version that was looked at, so it happens once, whichever worker is first.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import structlog

from app.clock import Now
from app.rooms.commands import BotAct, CallOut, Postpone, SystemCommand
from app.rooms.meters import Meters
from app.rooms.refusals import RoomRefusal
from app.rooms.room import OfferReason, Room
from app.rooms.schedule import is_bot_to_move
from app.rooms.service import RoomService
from app.rooms.store import Conflict, DueRoom, RoomNotFound, RoomStore, StoreUnavailable
from app.rooms.timing import Timing
from app.rules.actions import Action, Undo
from app.rules.legality import legal_actions
from app.rules.state import Game

_log = logging.getLogger(__name__)
_BATCH = 64
# As many as a player's command has: whoever does something at the table all the time must not put a bot off.
_TRIES = 24
_THINKING_SECONDS = 0.0005  # before a bot that thinks gives way to the sockets

Choose = Callable[[Game], Action]
"""How a bot chooses. It may take some time, and runs in a thread."""


class Turns:
    """Fires timers until it is cancelled."""

    def __init__(
        self,
        store: RoomStore,
        service: RoomService,
        *,
        choose: Choose,
        now: Now,
        timing: Timing,
        meters: Meters,
    ) -> None:
        self._store = store
        self._service = service
        self._choose = choose
        self._now = now
        self._timing = timing
        self._meters = meters
        # One at a time: a bot's thinking is arithmetic, and takes its time from those who serve players.
        self._thinking = ThreadPoolExecutor(1, thread_name_prefix="bot")
        self._firing: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Ask for timers that are due, again and again. When cancelled, finish those that are being fired."""
        try:
            while True:
                await self._poll()
                await asyncio.sleep(self._timing.poll)
        finally:
            if self._firing:
                await asyncio.wait(self._firing.values())
            self._thinking.shutdown(wait=False)

    async def fire_due(self) -> None:
        """Ask once, and return when what was due has been fired."""
        await self._poll()
        if self._firing:
            await asyncio.wait(self._firing.values())

    async def _poll(self) -> None:
        now = self._now()
        try:
            due_rooms = await self._store.due(now, _BATCH - len(self._firing)) if self._has_room() else []
        except StoreUnavailable as error:
            _log.warning("the store can't say which timers are due: %s", error)
            return
        except Exception:  # noqa: BLE001 - the task must outlive whatever the store raises
            _log.exception("the timers that are due can't be asked for")
            return
        for due in due_rooms:
            if due.code not in self._firing:
                if due.due_at <= now and not due.outage_ms:
                    self._meters.timers.add((now - due.due_at) / 1000)
                self._firing[due.code] = asyncio.create_task(self._fire(due), name=f"timer of {due.code}")

    def _has_room(self) -> bool:
        return len(self._firing) < _BATCH

    async def _fire(self, due: DueRoom) -> None:
        structlog.contextvars.bind_contextvars(room=due.code)
        try:
            await self._fire_on_newest(due)
        except RoomNotFound:
            await self._drop(due)
        except (StoreUnavailable, Conflict) as error:
            _log.warning("the timer of room %s will be fired later: %s", due.code, error)
        except Exception:  # noqa: BLE001 - the task ends here; the store hands the room out again
            _log.exception("the timer of room %s can't be fired", due.code)
        finally:
            del self._firing[due.code]

    async def _fire_on_newest(self, due: DueRoom) -> None:
        stored = await self._store.load(due.code)
        game: Game | None = None
        command: SystemCommand | None = None
        for _ in range(_TRIES):
            if not (isinstance(command, BotAct) and _is_still_to_act(game, stored.room)):
                game, command = stored.room.game, await self._command(stored.room, due)
            if command is None:
                await self._drop(due)
                return
            try:
                await self._service.carry_out_on(stored, command)
            except Conflict as conflict:
                stored = conflict.stored
            except RoomRefusal as refusal:
                _log.warning("the timer of room %s has nothing to fire: %s", due.code, refusal)
                await self._drop(due)
                return
            else:
                return

    async def _command(self, room: Room, due: DueRoom) -> SystemCommand | None:
        """What the timer is to do; None for nothing."""
        game = room.game
        if game is not None and is_bot_to_move(room):
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(self._thinking, self._choose_legal, game)
            return BotAct(game.seat, game.turn, game.roll, action)
        return at_deadline(room, due, self._now())

    def _choose_legal(self, game: Game) -> Action:
        """The bot's choice; whatever defect it has, the game goes on to its end."""
        legal = [action for action in legal_actions(game) if action != Undo()]
        try:
            with _giving_way():
                chosen = self._choose(game)
        except Exception:  # noqa: BLE001 - a policy's defect must not end the game
            _log.exception("a bot can't choose")
            return legal[0]
        if chosen in legal:
            return chosen
        _log.error("a bot chose what is illegal: %r", chosen)
        return legal[0]

    async def _drop(self, due: DueRoom) -> None:
        """Forget the timer; where that fails the store will hand it out again."""
        try:
            await self._store.drop_timer(due.code, due.due_at)
        except StoreUnavailable as error:
            _log.warning("the timer of room %s can't be dropped: %s", due.code, error)


@contextmanager
def _giving_way() -> Iterator[None]:
    """Have the sockets wait for this thread half a millisecond at a time, and not 5 as by default.

    Only meanwhile: with nothing but short work in threads, such as a store's, to change between them so often
    takes a twelfth of a loaded server's processor.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_THINKING_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _is_still_to_act(game: Game | None, room: Room) -> bool:
    """Whether what a bot has thought of in that game holds in the room: it thinks longer than others act."""
    return is_bot_to_move(room) and room.game == game


def at_deadline(room: Room, due: DueRoom, now: int) -> CallOut | Postpone | None:
    """What a timer is to do where a player is to move. Time lost by an outage is given back first."""
    if room.game is None or room.deadline is None or room.offer is not None:
        return None
    if due.outage_ms and due.due_at == room.deadline:
        return Postpone(due.outage_ms)
    if now >= room.deadline:
        return CallOut(room.game.seat, room.game.turn, OfferReason.DEADLINE)
    return None
