"""What players say and show to each other: passed on to everybody at the table, kept nowhere.

It changes no version. A request that comes again within some time is answered and not said again.
"""

from collections import OrderedDict

from app.clock import Now
from app.rooms import wire
from app.rooms.budgets import Budget
from app.rooms.hub import Viewer
from app.rooms.messages import EmoteMessage, SayMessage, TalkMessage
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.room import Room
from app.rooms.store import RoomStore, StoreUnavailable

_KEPT_REQUESTS = 4096


class Chat:
    """Passes on what is said at this process's sockets."""

    def __init__(self, store: RoomStore, *, now: Now) -> None:
        self._store = store
        self._now = now
        self._passed_on: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    async def pass_on(self, viewer: Viewer, message: TalkMessage, budget: Budget) -> int:
        """Tell everybody at the table, the player himself among them; the room's version.

        Raises RoomRefusal, RoomNotFound.
        """
        try:
            stored = await self._store.load(viewer.code)
            request = (viewer.code, viewer.identity.player, message.request)
            if request not in self._passed_on:
                _check(stored.room, viewer.identity.player, message)
                _take(budget, message)
                await self._tell_once(request, self._text(viewer, message))
        except StoreUnavailable as error:
            raise RoomRefusal(RefusalCode.UNAVAILABLE, "the store did not answer: try again") from error
        return stored.version

    def _text(self, viewer: Viewer, message: TalkMessage) -> str:
        match message:
            case SayMessage():
                return wire.said(message, viewer.identity, self._now())
            case EmoteMessage():
                return wire.emoted(message, viewer.identity, self._now())

    async def _tell_once(self, request: tuple[str, str, str], text: str) -> None:
        """The request is remembered first: it may come again, at another socket, while the store is asked."""
        self._passed_on[request] = None
        if len(self._passed_on) > _KEPT_REQUESTS:
            self._passed_on.popitem(last=False)
        try:
            await self._store.relay(request[0], wire.relayed("", text))
        except BaseException:
            self._passed_on.pop(request, None)
            raise


def _check(room: Room, player: str, message: TalkMessage) -> None:
    if all(seat.player != player or seat.left for seat in room.seats):
        raise RoomRefusal(RefusalCode.NOT_SEATED, "only players with a seat talk at this table")
    if isinstance(message, SayMessage) and not room.chat:
        raise RoomRefusal(RefusalCode.CHAT_OFF, "the host has switched the chat off")


def _take(budget: Budget, message: TalkMessage) -> None:
    is_let_through = budget.take_say() if isinstance(message, SayMessage) else budget.take_emote()
    if not is_let_through:
        raise RoomRefusal(RefusalCode.TOO_MANY, "that was too much at once: wait a moment")
