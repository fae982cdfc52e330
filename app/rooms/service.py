"""Commands on rooms: load, decide, commit, and decide again where others came first. Nothing else commits.

Knows nothing of sockets. Clock and chance are passed in.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter

from msgspec import Struct
from msgspec.structs import replace

from app.accounts.identity import Identity
from app.db import DatabaseUnavailable
from app.rooms import wire
from app.rooms.codes import codes_for
from app.rooms.commands import SYSTEM, By, ChangeSettings, Command, Rematch, SystemCommand
from app.rooms.deciding import decide
from app.rooms.events import TABLE_EVENTS, RoomEvent
from app.rooms.lobby import variant_named
from app.rooms.messages import Holding
from app.rooms.meters import Meters
from app.rooms.playing import is_to_move
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Phase, Room
from app.rooms.schedule import due_at, keep_ms
from app.rooms.store import (
    Commit,
    Committed,
    Conflict,
    RoomExists,
    RoomNotFound,
    RoomStore,
    Stored,
    StoreUnavailable,
)
from app.rules.fairness import SECRET_BYTES
from app.rules.game import MAX_SEATS
from app.rules.presets import PRESET_BY_ID
from app.rules.state import Undoing
from app.rules.variant import Variant

DrawBytes = Callable[[int], bytes]
"""That many unguessable bytes."""
Now = Callable[[], int]
"""Milliseconds since 1970 in UTC."""

FindVariant = Callable[[str], Awaitable[Variant | None]]
"""The variant with that id, where it is one that players made. Raises DatabaseUnavailable."""

_GAME_ID_BYTES = 10
# Every lost try is another's step, and a full table may press a button at once: on Redis all of them collide.
_TRIES = 3 * MAX_SEATS
_Incomplete = ChangeSettings | Rematch
_SERVER = Identity(SYSTEM, SYSTEM)
_NEWS = {
    Phase.LOBBY: "room back in its lobby",
    Phase.PLAYING: "game started",
    Phase.FINISHED: "game finished",
}
_log = logging.getLogger(__name__)


class Asked(Struct, frozen=True):
    """A command, by whom, for which room, and under which request id of that player."""

    code: str
    identity: Identity
    request: str
    command: Command


async def find_no_variant(_variant_id: str) -> Variant | None:
    """None: where players make no variants."""
    return None


class RoomService:
    """Creates rooms and carries out commands. `on_finished` is called when a game has ended.

    `find_variant` is asked only for a variant that a room is to play, and never during a game.
    """

    def __init__(
        self,
        store: RoomStore,
        *,
        now: Now,
        draw: DrawBytes,
        on_finished: Callable[[], None],
        find_variant: FindVariant = find_no_variant,
        meters: Meters | None = None,
    ) -> None:
        self._store = store
        self._now = now
        self._draw = draw
        self._on_finished = on_finished
        self._find_variant = find_variant
        self._meters = meters or Meters()
        self._is_store_failing = False

    async def create(
        self,
        host: Identity,
        variant: str,
        max_seats: int,
        *,
        columns: tuple[str, ...] | None = None,
        undo: Undoing | None = None,
        own_dice: bool = False,
        request: str | None = None,
    ) -> Stored:
        """A new room, its dice committed to. Raises RoomRefusal and the Unavailable errors.

        The same `request` of the same host gives the room that it gave the first time, as it is now.
        """
        found = await self._found(variant)
        room = Room(
            code="",
            phase=Phase.LOBBY,
            host=host.player,
            variant=variant_named(variant, columns, found),
            max_seats=max_seats,
            seats=(),
            game_id=self._draw_game_id(),
            secret=self._draw(SECRET_BYTES),
            created_at=self._now(),
            undo=undo,
            own_dice=own_dice,
            request=None if request is None else f"{host.player}:{request}",
        )
        for code in codes_for(room.request, self._draw):
            if stored := await self._create(replace(room, code=code)):
                return stored
        raise AssertionError("there is always another code")

    async def _create(self, room: Room) -> Stored | None:
        """The room, also where its request has made it before; None when another has its code."""
        try:
            stored = await self._store.create(room, keep_ms(room))
        except RoomExists:
            stored = None
        except StoreUnavailable as error:
            self._note_store(error)
            raise
        self._note_store(None)
        if stored is None:
            return await self._made_before(room)
        _tell("room made", room, room.host)
        return stored

    async def _made_before(self, room: Room) -> Stored | None:
        with suppress(RoomNotFound):  # it has just gone
            stored = await self._store.load(room.code)
            if room.request is not None and stored.room.request == room.request:
                return stored
        return None

    async def load(self, code: str) -> Stored:
        """The room's newest state. Raises RoomNotFound, StoreUnavailable."""
        return await self._store.load(code)

    async def ended(self, code: str) -> tuple[Room, list[bytes]] | None:
        """The room whose game has ended, and that game's log; None while no ended game is there.

        Raises RoomNotFound, StoreUnavailable.
        """
        room = (await self._store.load(code)).room
        log = await self._store.log(code)
        newest = (await self._store.load(code)).room
        # Another game may have begun meanwhile, and the log be of that one.
        is_there = room.phase is newest.phase is Phase.FINISHED and room.game_id == newest.game_id
        return (newest, log) if is_there else None

    async def carry_out(self, asked: Asked) -> Committed:
        """Carry out a command, once for its request. Raises RoomRefusal, RoomNotFound."""
        try:
            if isinstance(asked.command, _Incomplete):
                asked = replace(asked, command=await self._completed(asked.command))
            return await self._carry_out(asked)
        except DatabaseUnavailable as error:
            raise RoomRefusal(RefusalCode.UNAVAILABLE, "the database did not answer: try again") from error
        except StoreUnavailable as error:
            raise RoomRefusal(RefusalCode.UNAVAILABLE, "the store did not answer: try again") from error

    async def carry_out_on(self, stored: Stored, command: SystemCommand) -> Committed:
        """Carry out what the server does by itself, on that very version: once, whichever worker is first.

        Raises RoomRefusal, RoomNotFound, Conflict, StoreUnavailable.
        """
        request = f"{type(command).__name__}:{stored.version}"
        return await self._commit(stored, Asked(stored.room.code, _SERVER, request, command))

    async def show_holding(self, code: str, player: str, holding: Holding) -> None:
        """Show the table which dice the seat to move is holding. Says nothing when it isn't his, or too late.

        Raises RoomNotFound, StoreUnavailable.
        """
        room = (await self._store.recent(code)).room
        if is_to_move(room, player, (holding.seat, holding.turn, holding.roll)):
            await self._store.relay(code, wire.relayed(player, wire.holding(holding)))

    async def _completed(self, command: _Incomplete) -> Command:
        """The command with what its decision needs and the room doesn't know."""
        if isinstance(command, ChangeSettings):
            return replace(command, found=await self._found(command.variant))
        game_id, secret = self._draw_game_id(), self._draw(SECRET_BYTES)
        return replace(command, next_game_id=game_id, next_secret=secret)

    async def _found(self, variant: str) -> Variant | None:
        return None if variant in PRESET_BY_ID else await self._find_variant(variant)

    async def _carry_out(self, asked: Asked) -> Committed:
        stored = await self._store.recent(asked.code)
        for _ in range(_TRIES):
            try:
                return await self._commit(stored, asked)
            except Conflict as conflict:
                stored = conflict.stored
                continue
            except RoomRefusal as error:
                refusal = error
            newest = await self._store.load(asked.code)
            if (newest.epoch, newest.version) == (stored.epoch, stored.version):
                return await self._answer_given_before(stored, asked, refusal)
            stored = newest
        raise RoomRefusal(RefusalCode.CONFLICT, "others kept changing the room at the same time")

    async def _commit(self, stored: Stored, asked: Asked) -> Committed:
        who = asked.identity
        by = By(who.player, who.name, self._now(), who.user_name)
        room, happened = decide(stored.room, asked.command, by)
        shown = wire.shown(happened)
        is_finished = room.phase is Phase.FINISHED is not stored.room.phase
        commit = Commit(
            room=room,
            expected_version=stored.version,
            epoch=stored.epoch,
            request=_scoped(asked),
            update=wire.update(stored, room, shown, by.now),
            events=_of_game(happened, shown),
            is_finished=is_finished,
            due=due_at(room),
            keep_ms=keep_ms(room),
        )
        began = perf_counter()
        try:
            committed = await self._store.commit(commit)
        except BaseException as error:
            self._meters.not_committed(error, began)
            if isinstance(error, StoreUnavailable):
                self._note_store(error)
            raise
        self._meters.committed(committed, began)
        if self._is_store_failing:
            self._note_store(None)
        if room.phase is not stored.room.phase and not committed.is_duplicate:
            _tell(_NEWS[room.phase], room, by.player, request=asked.request)
        if is_finished:
            self._on_finished()
        if _is_other_company(stored.room, room):
            await self._hint(room.code)
        return committed

    def _note_store(self, error: StoreUnavailable | None) -> None:
        """One line when the room store begins to take no steps, and one when it takes them again."""
        is_failing = error is not None
        if is_failing is not self._is_store_failing:
            self._is_store_failing = is_failing
            if is_failing:
                _log.error("the room store takes no steps: %s", error)
            else:
                _log.warning("the room store takes steps again")

    async def _hint(self, code: str) -> None:
        """Whoever tells the table who is there is to look again; he would in some seconds anyway."""
        with suppress(StoreUnavailable):
            await self._store.relay(code, wire.presence_hint())

    async def _answer_given_before(self, stored: Stored, asked: Asked, refusal: RoomRefusal) -> Committed:
        """What is refused now may have been done before, by a request whose answer got lost."""
        answered = await self._store.answered(stored.room.code, _scoped(asked))
        if answered is None:
            raise refusal
        return answered

    def _draw_game_id(self) -> str:
        return "g" + self._draw(_GAME_ID_BYTES).hex()


def _is_other_company(before: Room, room: Room) -> bool:
    """Whether it is of others now who is here: of those who sit, and of the host, who may look on."""
    if room.seats is before.seats and room.host == before.host:
        return False
    return (room.host, _sitting(room)) != (before.host, _sitting(before))


def _sitting(room: Room) -> list[tuple[str, bool]]:
    """Who is told of in `presence`."""
    return [(seat.player, seat.left) for seat in room.seats]


def _tell(news: str, room: Room, player: str, **more: str) -> None:
    """A line for what matters in the life of a room."""
    facts = {"room": room.code, "player": player, "game": room.game_id, "variant": room.variant.id}
    _log.info(news, extra={**facts, **more, "seats": len(room.seats)})


def _scoped(asked: Asked) -> str:
    """Request ids are unique for the player only."""
    return f"{asked.identity.player}:{asked.request}"


def _of_game(happened: tuple[RoomEvent, ...], shown: list[bytes]) -> list[bytes]:
    """Those shown that are the game's own, for its log."""
    if TABLE_EVENTS.isdisjoint(map(type, happened)):
        return shown
    return [told for event, told in zip(happened, shown, strict=True) if type(event) not in TABLE_EVENTS]
