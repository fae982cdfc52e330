"""A player's window on a table: it stays connected through everything, and keeps all that it is shown."""

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.faults.evidence import Seen
from tests.faults.proxy import HOST, Line
from tests.faults.view import Message, Unsound, View

_OPEN_SECONDS = 2.0
_PING_SECONDS = 1.0
_SILENCE_SECONDS = 3.0
_BACK_OFF_SECONDS = (0.05, 0.5)
FINAL_CLOSES = (4400, 4401, 4403, 4404, 4410, 4413)
"""Close codes after which no client comes back (docs/protocol.md)."""

_Lost = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage, EOFError)


class Tab:
    """Follows one room through a line. `on_message` hears of every message, `on_live` of each way back."""

    def __init__(
        self,
        name: str,
        *,
        code: str,
        cookie: str,
        line: Line,
        chance: random.Random,
        on_message: Callable[[Message], None],
        on_live: Callable[["Tab"], None],
    ) -> None:
        self.seen = Seen(name)
        self.view = View()
        self.line = line
        self.sockets = 0
        self.closed_for_good: int | None = None
        self._code = code
        self._cookie = cookie
        self._chance = chance
        self._on_message = on_message
        self._on_live = on_live
        self._socket: ClientConnection | None = None

    @property
    def is_live(self) -> bool:
        """Whether it is connected and has been brought up to date."""
        return self._socket is not None

    async def run(self) -> None:
        """Stay at the table until cancelled, or sent away for good."""
        while self.closed_for_good is None:
            with suppress(*_Lost):
                await self._follow()
            await asyncio.sleep(self._chance.uniform(*_BACK_OFF_SECONDS))

    async def send(self, message: Message) -> None:
        """Send a command, which gets lost where the socket is."""
        if self._socket is not None:
            self.line.command_comes()
            with suppress(*_Lost):
                async with asyncio.timeout(_SILENCE_SECONDS):
                    await self._socket.send(json.dumps(message))

    async def _follow(self) -> None:
        address = f"ws://{HOST}:{self.line.port}/ws/rooms/{self._code}"
        async with connect(
            address,
            additional_headers={"cookie": self._cookie},
            compression=None,
            ping_interval=None,
            open_timeout=_OPEN_SECONDS,
            close_timeout=0.2,
            max_size=None,
            proxy=None,
        ) as socket:
            self.sockets += 1
            pinging = asyncio.create_task(self._ping(socket))
            try:
                await self._greet(socket)
                await self._listen(socket)
            finally:
                self._socket = None
                pinging.cancel()
                if socket.close_code in FINAL_CLOSES:
                    self.closed_for_good = socket.close_code

    async def _greet(self, socket: ClientConnection) -> None:
        seen: Message = {}
        if self.view.version >= 0:
            seen = {"epoch": self.view.epoch, "version": self.view.version}
        await socket.send(json.dumps({"type": "hello", "protocol": 2, **seen}))

    async def _listen(self, socket: ClientConnection) -> None:
        while True:
            async with asyncio.timeout(_SILENCE_SECONDS):
                frame = await socket.recv(decode=True)
            self.seen.frames.append(frame)
            message: Message = json.loads(frame)
            with suppress(Unsound):  # the checker finds it again, in what was seen
                self.view.take(message)
            if self._socket is None and message["type"] in ("welcome", "pong"):
                self._socket = socket
                self._on_live(self)
            self._on_message(message)

    async def _ping(self, socket: ClientConnection) -> None:
        with suppress(*_Lost):
            while True:
                await asyncio.sleep(_PING_SECONDS)
                if self._socket is not None:
                    await socket.send(json.dumps({"type": "ping", "version": self.view.version}))
