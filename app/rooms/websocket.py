"""The socket of a table: who may come in, and at which table he is. The rest is the conversation.

A socket is accepted first and closed with a code afterwards: a refusal before is shown to browsers as 1006.
"""

import logging
import time
from collections.abc import Collection
from contextlib import suppress

import structlog
from starlette.routing import compile_path
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.accounts.attempts import address_of
from app.accounts.identity import Identify
from app.accounts.origins import is_allowed_origin
from app.db import DatabaseUnavailable
from app.rooms.budgets import Budgets
from app.rooms.closing import Close, CloseCode
from app.rooms.codes import read_room_code
from app.rooms.conversation import Conversation
from app.rooms.hub import Viewer
from app.rooms.meters import By
from app.rooms.outbox import Outbox
from app.rooms.places import Places
from app.rooms.store import RoomNotFound, StoreUnavailable
from app.rooms.worker import Worker
from app.shares import Share, Shares

_TABLE, *_ = compile_path("/ws/rooms/{code}")
_SHOWN_CHARACTERS = 16
# What a handshake costs beside what is measured: with its library, its tasks and its end.
_HANDSHAKE_SECONDS = 0.002
_log = logging.getLogger(__name__)


class TableSockets:
    """Takes the sockets at tables; all else goes on to the application inside.

    What stands around the routes is for requests: a socket would keep all of it as long as it lives, and go
    through it with every message.
    """

    def __init__(
        self,
        app: ASGIApp,
        worker: Worker,
        identify: Identify,
        allowed_origins: Collection[str],
        *,
        shares: Shares | None = None,
    ) -> None:
        self._app = app
        self._worker = worker
        self._identify = identify
        self._allowed_origins = allowed_origins
        self._shares = Shares() if shares is None else shares
        self._budgets = Budgets(worker.limits, time.monotonic)
        self._by_address = Places(worker.limits.sockets_per_address)
        self._by_player = Places(worker.limits.sockets_per_player)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table = _TABLE.match(scope["path"]) if scope["type"] == "websocket" else None
        if table is None:
            await self._app(scope, receive, send)
        else:
            await self._serve(WebSocket(scope, receive, send), table["code"])

    async def _serve(self, websocket: WebSocket, code: str) -> None:
        with suppress(WebSocketDisconnect):
            await websocket.accept()
            try:
                await self._seat(websocket, read_room_code(code))
            except Close as close:
                self._worker.hub.meters.closes[By.SERVER, close.code] += 1
                _log.info("socket refused", extra={"code": int(close.code), "room": code[:_SHOWN_CHARACTERS]})
                await websocket.close(close.code)

    async def _seat(self, websocket: WebSocket, code: str) -> None:
        """All that is between the opening of a socket and its end, in its address's and its player's places.

        Raises Close for one that isn't let in.
        """
        address = address_of(websocket)
        self._by_address.take(address)
        try:
            viewer = await self._admit_in_turn(websocket, code)
            player = viewer.identity.player
            self._by_player.take(player)
            try:
                structlog.contextvars.bind_contextvars(room=viewer.code, player=player)
                with self._budgets.of(player) as budget:
                    await Conversation(websocket, viewer, budget, self._worker).hold()
            finally:
                self._by_player.give_back(player)
        finally:
            self._by_address.give_back(address)

    async def _admit_in_turn(self, websocket: WebSocket, code: str) -> Viewer:
        """As `_admit`, in the turn of its address, which is told apart from others by what it takes."""
        share = self._shares.of(websocket)
        outcome: list[Viewer | Close] = []

        async def admit() -> None:
            try:
                outcome.append(await self._admit(websocket, code, share))
            except Close as close:
                outcome.append(close)

        if not await share.serve(admit, _HANDSHAKE_SECONDS):
            outcome.append(Close(CloseCode.TOO_MANY))
        if isinstance(outcome[0], Viewer):
            return outcome[0]
        if outcome[0].code is CloseCode.TOO_MANY:
            await share.be_late()
        raise outcome[0]

    async def _admit(self, websocket: WebSocket, code: str, share: Share) -> Viewer:
        """The viewer that a socket stands for. Raises Close."""
        if not is_allowed_origin(websocket, self._allowed_origins):
            raise Close(CloseCode.FORBIDDEN)
        if self._worker.hub.is_draining:
            raise Close(CloseCode.RESTART)
        try:
            identity = await self._identify(websocket)
            if identity is None:
                raise Close(CloseCode.NOT_SIGNED_IN)
            room = (await self._worker.service.load(code)).room
        except (DatabaseUnavailable, StoreUnavailable):
            raise Close(CloseCode.TRY_LATER) from None
        except RoomNotFound:
            may_miss = share.may_miss
            share.miss()
            raise Close(CloseCode.NO_ROOM if may_miss else CloseCode.TOO_MANY) from None
        # Else a guess that hits would still be told from one that misses.
        if not share.may_miss and all(seat.player != identity.player for seat in room.seats):
            raise Close(CloseCode.TOO_MANY)
        return Viewer(code, identity, Outbox(backlog=self._worker.hub.backlog))
