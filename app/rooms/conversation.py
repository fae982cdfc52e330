"""One socket at a table, from its hello to its end: a task that reads and a task that writes.

The first to end ends the other. Closes with a code of docs/protocol.md; no session or transaction lives as
long.
"""

import asyncio
import logging
from contextlib import suppress

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from app.rooms import wire
from app.rooms.budgets import Budget
from app.rooms.closing import Close, CloseCode
from app.rooms.hub import Seen, Viewer
from app.rooms.message_commands import command_of
from app.rooms.messages import (
    MAX_MESSAGE_BYTES,
    ClientMessage,
    CommandMessage,
    EmoteMessage,
    Hello,
    Holding,
    Malformed,
    Ping,
    PresenceMessage,
    SayMessage,
    TalkMessage,
    read_message,
)
from app.rooms.meters import By
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.service import Asked
from app.rooms.store import RoomNotFound, StoreUnavailable
from app.rooms.worker import Worker
from app.sockets import SEND_NOW, SendNow

_log = logging.getLogger(__name__)
_CLOSE_SECONDS = 5.0
_COMMAND_SECONDS = 2.5  # longer than a store is waited for
_STUCK_CLOSE_SECONDS = 30.0
# Said once for all sockets, where they happen to many.
_EXPECTED = frozenset((CloseCode.RESTART, CloseCode.ROOM_GONE, CloseCode.TRY_LATER))


class Conversation:
    """What is said on one socket."""

    def __init__(self, websocket: WebSocket, viewer: Viewer, budget: Budget, worker: Worker) -> None:
        self._websocket = websocket
        self._viewer = viewer
        self._service = worker.service
        self._hub = worker.hub
        self._meters = worker.hub.meters
        self._presences = worker.presences
        self._chat = worker.chat
        self._limits = worker.limits
        self._malformed = 0
        self._budget = budget
        self._carrying_out = asyncio.Lock()
        self._socket_takes: SendNow | None = websocket.scope.get("extensions", {}).get(SEND_NOW)
        if self._socket_takes is not None:
            viewer.outbox.send_now = self._send_now

    async def hold(self) -> None:
        """Talk until the client goes or the socket is to be closed, and close it then."""
        try:
            await self._hold()
        except Close as close:
            self._meters.closes[By.SERVER, close.code] += 1
            if close.code not in _EXPECTED:
                _log.info("socket closed", extra={"code": int(close.code), "reason": close.code.name.lower()})
            await self._end(close.code)
        except WebSocketDisconnect as gone:
            self._meters.closes[By.CLIENT, gone.code] += 1

    async def _hold(self) -> None:
        seen = await self._greeting()
        self._hub.attach(self._viewer)
        try:
            await self._bring_up_to_date(seen)
            self._presences.enter(self._viewer)
            await self._talk()
        except RoomNotFound:
            raise Close(CloseCode.ROOM_GONE) from None
        finally:
            self._hub.detach(self._viewer)
            self._presences.leave(self._viewer)

    async def _greeting(self) -> Seen | None:
        """The last state that the client has seen, as it says in its hello."""
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                while True:
                    message = await self._receive()
                    if isinstance(message, Hello):
                        return _seen(message)
                    if message is not None:
                        await self._complain(Malformed("type", "hello comes first"))
                    await self._send_rest()
        except TimeoutError:
            raise Close(CloseCode.NO_HELLO) from None

    async def _talk(self) -> None:
        ends: list[Exception] = []
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._write())
                tasks.create_task(self._read())
        except* (Close, WebSocketDisconnect, RoomNotFound) as group:
            ends.extend(group.exceptions)
        # Where both ended at once, a reason to close says more than that the client has gone.
        raise next((end for end in ends if isinstance(end, Close)), ends[0])

    def _send_now(self, message: str) -> bool:
        if self._socket_takes is None or not self._socket_takes(message):
            return False
        self._meters.sent(message)
        return True

    async def _write(self) -> None:
        """What the socket doesn't take at once."""
        while True:
            try:
                message = await self._viewer.outbox.next()
            except Close:
                await self._finish_command()
                raise
            if message is None:
                await self._bring_up_to_date(None)
                self._presences.tell(self._viewer)
                continue
            try:
                async with asyncio.timeout(self._limits.stuck_seconds):
                    await self._websocket.send_text(message)
            except TimeoutError:
                raise Close(CloseCode.TOO_SLOW) from None
            self._meters.sent(message)

    async def _read(self) -> None:
        while True:
            message = await self._receive()
            match message:
                case None:
                    pass
                case Hello():
                    await self._complain(Malformed("type", "hello comes once, at the beginning"))
                case Ping():
                    await self._answer_ping(message)
                case PresenceMessage():
                    self._presences.set_away(self._viewer, is_away=message.away)
                case Holding():
                    await self._show_holding(message)
                case SayMessage() | EmoteMessage():
                    await self._pass_on(message)
                case _:
                    async with self._carrying_out:
                        await self._carry_out(message)

    async def _receive(self) -> ClientMessage | None:
        """The next message; None for one that was malformed and complained about."""
        frame = await self._websocket.receive()
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(frame["code"])
        try:
            message = read_message(_text_of(frame))
        except Malformed as error:
            await self._complain(error)
            return None
        self._meters.messages[message.type] += 1
        if self._budget.take_message():
            return message
        await self._turn_away(message)
        return None

    async def _turn_away(self, message: ClientMessage) -> None:
        """A message too many: a command is refused, of others the answer is left out. Raises Close."""
        if isinstance(message, Hello) or not self._budget.take_breach():
            raise Close(CloseCode.TOO_MANY)
        if isinstance(message, CommandMessage | TalkMessage):
            refusal = RoomRefusal(RefusalCode.TOO_MANY, "that was too much at once: wait a moment")
            await self._refuse(message.request, refusal)

    async def _complain(self, error: Malformed) -> None:
        self._meters.refusals[RefusalCode.MALFORMED] += 1
        await self._viewer.outbox.answer(wire.malformed(error))
        self._malformed += 1
        if self._malformed >= self._limits.malformed:
            raise Close(CloseCode.MALFORMED)

    async def _carry_out(self, message: CommandMessage) -> None:
        asked = Asked(self._viewer.code, self._viewer.identity, message.request, command_of(message))
        try:
            committed = await self._service.carry_out(asked)
        except RoomRefusal as refusal:
            await self._refuse(message.request, refusal)
        else:
            await self._viewer.outbox.answer(wire.ok(message.request, committed.version))

    async def _finish_command(self) -> None:
        """Wait for the command that is under way, so that it is still answered; no other begins."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_COMMAND_SECONDS):
                await self._carrying_out.acquire()

    async def _refuse(self, request: str, refusal: RoomRefusal) -> None:
        self._meters.refusals[refusal.code] += 1
        await self._viewer.outbox.answer(wire.refused(request, refusal))

    async def _pass_on(self, message: TalkMessage) -> None:
        try:
            version = await self._chat.pass_on(self._viewer, message, self._budget)
        except RoomRefusal as refusal:
            await self._refuse(message.request, refusal)
        else:
            await self._viewer.outbox.answer(wire.ok(message.request, version))

    async def _show_holding(self, message: Holding) -> None:
        """It may get lost, and does where there are too many."""
        if self._budget.take_holding():
            with suppress(StoreUnavailable):
                await self._service.show_holding(self._viewer.code, self._viewer.identity.player, message)

    async def _answer_ping(self, message: Ping) -> None:
        """A ping that can't be answered fully is answered by the next one."""
        self._presences.set_away(self._viewer, is_away=message.away)
        with suppress(StoreUnavailable):
            await self._hub.answer_ping(self._viewer, message.version)

    async def _bring_up_to_date(self, seen: Seen | None) -> None:
        try:
            await self._hub.bring_up_to_date(self._viewer, seen)
        except StoreUnavailable:
            raise Close(CloseCode.TRY_LATER) from None

    async def _send_rest(self) -> None:
        for message in self._viewer.outbox.rest():
            await self._websocket.send_text(message)

    async def _end(self, code: CloseCode) -> None:
        """Close the socket; a client that doesn't read gets the code when it reads again within some time."""
        is_slow = code is CloseCode.TOO_SLOW
        with suppress(WebSocketDisconnect, WebSocketDisconnected, TimeoutError):
            async with asyncio.timeout(_STUCK_CLOSE_SECONDS if is_slow else _CLOSE_SECONDS):
                if not is_slow:
                    await self._send_rest()
                await self._websocket.close(code)


def _seen(hello: Hello) -> Seen | None:
    if hello.epoch is None or hello.version is None:
        return None
    return Seen(hello.epoch, hello.version)


def _text_of(frame: Message) -> str:
    """The text of a frame. Raises Malformed, Close."""
    text: str | None = frame.get("text")
    if text is None:
        raise Malformed("", "a text frame is expected, not a binary one")
    if len(text) > MAX_MESSAGE_BYTES or len(text.encode()) > MAX_MESSAGE_BYTES:
        raise Close(CloseCode.TOO_BIG)
    return text
