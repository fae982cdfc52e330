"""A player as a program over a raw socket: what it sends is what it is told to, what comes is kept."""

import asyncio
import json
import secrets
import socket
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.following import after
from tests.patience import PATIENCE_SECONDS
from tests.rooms.serving import HOST, Rooms
from tests.rooms.tables import player_of

Message = dict[str, Any]


class Player:
    """One socket at a table. `frames` is everything that came, in order, `state` follows it.

    What is told of presence comes whenever it changes, and is kept apart, in `presences`.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self.socket = connection
        self.frames: list[str] = []
        self.presences: list[Message] = []
        self.state: Message = {}
        self.you: Message = {}
        self.version = -1
        self.epoch = ""
        self.versions: list[int] = []
        self._kept: defaultdict[str, deque[Message]] = defaultdict(deque)
        self._prefix = secrets.token_hex(8)
        self._requests = 0

    @property
    def turn(self) -> Message:
        """The turn as this player sees it."""
        return dict(self.state["turn"])

    @property
    def code(self) -> str:
        """The room's code."""
        return str(self.state["room"]["code"])

    async def told(self, kind: str) -> Message:
        """The next message of that type that came, whether or not it has been read over already."""
        while not self._kept[kind]:
            await self._take()
        return self._kept[kind].popleft()

    async def send(self, message: object) -> None:
        """Send a value as JSON, or a text or bytes as they are."""
        is_raw = isinstance(message, str | bytes)
        await self.socket.send(message if is_raw else json.dumps(message))  # type: ignore[arg-type]  # narrowed

    async def receive(self) -> Message:
        """The next message that isn't one of presence."""
        while True:
            message = await self._take()
            if message["type"] != "presence":
                return message

    async def _take(self) -> Message:
        async with asyncio.timeout(PATIENCE_SECONDS):
            frame = await self.socket.recv(decode=True)
        message: Message = json.loads(frame)
        self._kept[message["type"]].append(message)
        if message["type"] == "presence":
            self.presences.append(message)
        else:
            self.frames.append(frame)
            self._follow(message)
        return message

    async def sees(self, spectators: int = 0, **states: str) -> None:
        """Read until the table is shown so: players by the ids of their names, and how many look on."""
        while self.presences[-1:] != [_presence(states, spectators)]:
            await self._take()

    async def receive_until(self, **wanted: object) -> Message:
        """The next message that has these fields."""
        while True:
            message = await self.receive()
            if all(message.get(name) == value for name, value in wanted.items()):
                return message

    async def hello(self, **seen: object) -> None:
        """Say hello, and take the welcome when nothing is said to have been seen."""
        await self.send({"type": "hello", "protocol": 2, **seen})
        if not seen:
            await self.receive_until(type="welcome")

    async def command(self, kind: str, **fields: object) -> Message:
        """Send a command under a new request id; its answer."""
        self._requests += 1
        fields = {"request": f"{self._prefix}-{self._requests}"} | fields
        await self.send({"type": kind, **fields})
        while True:
            message = await self.receive()
            if message["type"] in ("ok", "refused") and message["request"] == fields["request"]:
                return message

    async def must(self, kind: str, **fields: object) -> Message:
        """A command that is to succeed, its update seen; the answer."""
        answer = await self.command(kind, **fields)
        assert answer["type"] == "ok", answer
        await self.see(answer["version"])
        return answer

    async def act(self, kind: str, **fields: object) -> Message:
        """An action for the turn as this player sees it; the answer."""
        turn = self.turn
        meant = {name: turn[name] for name in ("seat", "turn", "roll")}
        return await self.command("act", **meant, action={"type": kind, **fields})

    async def see(self, version: int) -> None:
        """Read until that version has been seen."""
        while self.version < version:
            await self.receive()

    async def closed(self) -> int:
        """Read to the end; the close code."""
        with pytest.raises(ConnectionClosed) as end:
            await self._read_on()
        close = end.value.rcvd
        assert close is not None, "the connection broke without a close code"
        return int(close.code)

    async def _read_on(self) -> None:
        while True:
            await self.receive()

    def _follow(self, message: Message) -> None:
        if message["type"] == "welcome":
            self.state, self.you = message["state"], message["you"]
            self.version, self.epoch = message["version"], message["epoch"]
        elif message["type"] == "update" and message["version"] > self.version:
            assert message["version"] == self.version + 1, f"a gap after {self.version}"
            self.version = message["version"]
            self.versions.append(self.version)
            self.state = after(self.state, message)


def _presence(states: dict[str, str], spectators: int) -> Message:
    players = [{"player": player_of(name), "name": name, "state": state} for name, state in states.items()]
    return {"type": "presence", "players": players, "spectators": spectators}


@asynccontextmanager
async def connected(
    rooms: Rooms, name: str | None, code: str, *, origin: str | None = None, receive_buffer: int | None = None
) -> AsyncIterator[Player]:
    """A socket to a table, nothing said on it yet."""
    headers = {"authorization": f"Bearer {name}"} if name is not None else {}
    sock = socket.socket(proto=socket.IPPROTO_TCP)
    if receive_buffer is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, (HOST, rooms.port))
    async with connect(
        f"{rooms.socket_url}/ws/rooms/{code}",
        sock=sock,
        origin=Origin(origin) if origin else None,
        additional_headers=headers,
        compression=None,
        max_size=None,
        max_queue=None,  # a library that stops reading when much is unread would be ten seconds in leaving
        ping_interval=None,
    ) as connection:
        yield Player(connection)


@asynccontextmanager
async def at_table(rooms: Rooms, name: str, code: str) -> AsyncIterator[Player]:
    """A player who has been welcomed at a table."""
    async with connected(rooms, name, code) as player:
        await player.hello()
        yield player
