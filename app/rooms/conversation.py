"""One socket at a table, from its hello to its end. The server's call reads; a task writes what must wait.

Closes with a code of docs/protocol.md; no session or transaction lives as long.
"""

import asyncio
import logging
from contextlib import suppress
from contextvars import copy_context

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from app.lines import DIRECT, Direct
from app.rooms import wire
from app.rooms.budgets import Budget
from app.rooms.closing import Close, CloseCode
from app.rooms.commands import PlayerCommand
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
    OtherProtocol,
    Ping,
    PresenceMessage,
    SayMessage,
    TalkMessage,
    read_message,
)
from app.rooms.meters import By
from app.rooms.outbox import Due
from app.rooms.quick_act import QuickAct, read_act
from app.rooms.refusals import RefusalCode, RoomRefusal
from app.rooms.service import Asked
from app.rooms.store import RoomNotFound, StoreUnavailable
from app.rooms.worker import Worker

_log = logging.getLogger(__name__)
_CLOSE_SECONDS = 5.0
_COMMAND_SECONDS = 2.5  # longer than a store is waited for
_STUCK_CLOSE_SECONDS = 30.0
# Said once for all sockets, where they happen to many.
_EXPECTED = frozenset((CloseCode.RESTART, CloseCode.ROOM_GONE, CloseCode.TRY_LATER))


class Conversation:
    """What is said on one socket."""

    __slots__ = (
        "_budget", "_chat", "_context", "_direct", "_end", "_hub", "_is_busy", "_limits", "_malformed",
        "_meters", "_presences", "_reader", "_service", "_viewer", "_websocket", "_writer",
    )  # fmt: skip

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
        viewer.line = websocket.scope.get("extensions", {}).get(DIRECT)
        self._direct: Direct = viewer.line or _Indirect(websocket)
        viewer.outbox.send_now = self._direct.send_now
        viewer.outbox.abort = self._cut_off
        # Whose lines of the logs are about this socket, whoever wakes the writer.
        self._context = copy_context()
        self._reader: asyncio.Task[None] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._end: Exception | None = None  # what the writer came upon
        self._is_busy = False  # with a command

    async def hold(self) -> None:
        """Talk until the client goes or the socket is to be closed, and close it then."""
        try:
            code = await self._ended()
            if code is not None:
                await self._close(code)
        finally:
            self._viewer.outbox.drop()

    async def _ended(self) -> CloseCode | None:
        """How it ended: the code to close the socket with, None where the client has gone."""
        try:
            await self._hold()
        except Close as close:
            self._meters.closes[By.SERVER, close.code] += 1
            if close.code not in _EXPECTED:
                _log.info("socket closed", extra={"code": int(close.code), "reason": close.code.name.lower()})
            return close.code
        except WebSocketDisconnect as gone:
            self._meters.closes[By.CLIENT, gone.code] += 1
        return None

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
        """Read until the client goes, or the writer comes upon an end, and raise that.

        The reader is a task of its own: what wakes it need not go through all that stands around the socket.
        """
        self._reader = asyncio.create_task(self._read())
        self._viewer.outbox.wake = self._wake_writer
        if not self._viewer.outbox.is_idle:
            self._wake_writer()
        failure: BaseException | None = None
        try:
            await self._reader
        except BaseException as error:  # noqa: BLE001 - raised again below
            failure = error
        self._reader = None
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer])
        # Where both ended at once, a reason to close says more than that the client has gone; and to end the
        # reader is the writer's way to say so.
        is_end = isinstance(failure, WebSocketDisconnect | asyncio.CancelledError) and not _is_cancelled()
        if self._end is not None and (failure is None or is_end):
            raise self._end
        if failure is not None:
            raise failure

    def _wake_writer(self) -> None:
        """Have what waits written, unless that is done or has come to an end."""
        if self._writer is None and self._reader is not None:
            self._writer = asyncio.create_task(self._write(), context=self._context)

    async def _write(self) -> None:
        """What the socket doesn't take at once, until nothing waits."""
        outbox = self._viewer.outbox
        try:
            while (message := outbox.next()) is not Due.NOTHING:
                if isinstance(message, str):
                    await self._send(message)
                else:
                    await self._bring_up_to_date(None)
                    self._presences.tell(self._viewer)
            self._writer = None
        except WebSocketDisconnect:
            outbox.drop()  # whoever reads is told of it too, after what came before
        except Exception as end:  # noqa: BLE001 - raised again by whoever reads
            self._end = end
        if self._end is not None:
            if self._is_busy and outbox.is_at_end:
                await asyncio.sleep(_COMMAND_SECONDS)  # or until it is answered
            if self._reader is not None:
                self._reader.cancel()

    async def _send(self, message: str) -> None:
        try:
            async with asyncio.timeout(self._limits.stuck_seconds):
                await self._websocket.send_text(message)
        except TimeoutError:
            raise Close(CloseCode.TOO_SLOW) from None
        self._meters.sent(message)

    async def _read(self) -> None:
        """What the client says. Once the writer has come to an end nothing more is begun."""
        while self._end is None:
            message = await self._receive()
            match message:
                case QuickAct():
                    await self._carry_out(message.request, message.command())
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
                    await self._carry_out(message.request, command_of(message))

    async def _receive(self) -> ClientMessage | QuickAct | None:
        """The next message; None for one that was malformed and complained about."""
        message = _message_in(await self._direct.next_message())
        if isinstance(message, Malformed):
            await self._complain(message)
            return None
        self._meters.messages[message.type] += 1
        if self._budget.take_message():
            return message
        await self._turn_away(message)
        return None

    async def _turn_away(self, message: ClientMessage | QuickAct) -> None:
        """A message too many: a command is refused, of others the answer is left out. Raises Close."""
        if isinstance(message, Hello) or not self._budget.take_breach():
            raise Close(CloseCode.TOO_MANY)
        if isinstance(message, QuickAct | CommandMessage | TalkMessage):
            refusal = RoomRefusal(RefusalCode.TOO_MANY, "that was too much at once: wait a moment")
            await self._viewer.outbox.answer(self._refused(message.request, refusal))

    async def _complain(self, error: Malformed) -> None:
        self._meters.refusals[RefusalCode.MALFORMED] += 1
        await self._viewer.outbox.answer(wire.malformed(error))
        self._malformed += 1
        if isinstance(error, OtherProtocol) or self._malformed >= self._limits.malformed:
            raise Close(CloseCode.MALFORMED)

    async def _carry_out(self, request: str, command: PlayerCommand) -> None:
        self._is_busy = True
        try:
            asked = Asked(self._viewer.code, self._viewer.identity, request, command)
            try:
                answer = wire.ok(request, (await self._service.carry_out(asked)).version)
            except RoomRefusal as refusal:
                answer = self._refused(request, refusal)
            await self._viewer.outbox.answer(answer)
        finally:
            self._is_busy = False

    async def _pass_on(self, message: TalkMessage) -> None:
        try:
            answer = wire.ok(message.request, await self._chat.pass_on(self._viewer, message, self._budget))
        except RoomRefusal as refusal:
            answer = self._refused(message.request, refusal)
        await self._viewer.outbox.answer(answer)

    def _refused(self, request: str, refusal: RoomRefusal) -> str:
        self._meters.refusals[refusal.code] += 1
        return wire.refused(request, refusal)

    async def _show_holding(self, message: Holding) -> None:
        """It may get lost, and does where there are too many."""
        if self._budget.take_holding():
            with suppress(StoreUnavailable):
                await self._service.show_holding(self._viewer.code, self._viewer.identity.player, message)

    async def _answer_ping(self, message: Ping) -> None:
        """A ping that can't be answered fully is answered by the next one."""
        self._presences.set_away(self._viewer, is_away=message.away)
        with suppress(StoreUnavailable):
            again = self._budget.may_catch_up
            self._budget.spend_catching_up(
                await self._hub.answer_ping(self._viewer, message.version, again=again)
            )

    async def _bring_up_to_date(self, seen: Seen | None) -> None:
        """Updates beyond the player's budget are not sent again: one state takes their place."""
        if not self._budget.may_catch_up:
            seen = None
            if not self._budget.take_breach():
                raise Close(CloseCode.TOO_MANY)
        try:
            self._budget.spend_catching_up(await self._hub.bring_up_to_date(self._viewer, seen))
        except StoreUnavailable:
            raise Close(CloseCode.TRY_LATER) from None

    async def _send_rest(self) -> None:
        for message in self._viewer.outbox.rest():
            await self._websocket.send_text(message)
        self._viewer.outbox.settle()

    def _cut_off(self) -> None:
        """What waits for all slow readers is too much, and this one has been stuck longest."""
        self._end = self._end or Close(CloseCode.TOO_SLOW)
        self._direct.abort()

    async def _close(self, code: CloseCode) -> None:
        """Close the socket; a client that doesn't read gets the code when it reads again within some time."""
        is_slow = code is CloseCode.TOO_SLOW
        if is_slow:
            self._viewer.outbox.forget()
        with suppress(WebSocketDisconnect, WebSocketDisconnected, TimeoutError):
            async with asyncio.timeout(_STUCK_CLOSE_SECONDS if is_slow else _CLOSE_SECONDS):
                if not is_slow:
                    await self._send_rest()
                await self._websocket.close(code)


def _is_cancelled() -> bool:
    """Whether somebody has cancelled the present task itself, not only what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _seen(hello: Hello) -> Seen | None:
    if hello.epoch is None or hello.version is None:
        return None
    return Seen(hello.epoch, hello.version)


def _message_in(frame: str | Message) -> ClientMessage | QuickAct | Malformed:
    """What was said, or what is wrong with it. Raises Close, WebSocketDisconnect."""
    try:
        text = _text_of(frame)
        return read_act(text) or read_message(text)
    except Malformed as error:
        return error


def _text_of(frame: str | Message) -> str:
    """The text that was sent. Raises Malformed, Close, WebSocketDisconnect."""
    if isinstance(frame, str):
        size = len(frame) if frame.isascii() else len(frame.encode())
        if size > MAX_MESSAGE_BYTES:
            raise Close(CloseCode.TOO_BIG)
        return frame
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(frame["code"])
    raise Malformed("", "a text frame is expected, not a binary one")


class _Indirect:
    """What a socket does on a server that isn't ours."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    def send_now(self, _message: str) -> bool:
        """Nothing is sent so."""
        return False

    def abort(self) -> None:
        """The connection isn't this program's to end: it is closed once its writer's time is up."""

    async def next_message(self) -> str | Message:
        """As in `Direct`."""
        frame = await self._websocket.receive()
        text: str | None = frame.get("text")
        return frame if text is None else text
