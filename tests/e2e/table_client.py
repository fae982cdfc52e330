"""A player as a program: a socket that follows a table and sends commands, by docs/protocol.md alone."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.following import after
from tests.patience import PATIENCE_SECONDS

Message = dict[str, Any]

Predicate = Callable[[], bool]


async def make_guest(base_url: str, name: str) -> str:
    """Registers a guest; returns the session cookie as a header value."""
    async with httpx.AsyncClient(base_url=base_url, timeout=PATIENCE_SECONDS) as http:
        answer = await http.post("/api/guests", json={"name": name})
        answer.raise_for_status()
        return "; ".join(f"{key}={value}" for key, value in answer.cookies.items())


async def make_room(base_url: str, cookie: str, variant: str) -> str:
    """Makes a room and returns its code."""
    headers = {"cookie": cookie}
    async with httpx.AsyncClient(base_url=base_url, timeout=PATIENCE_SECONDS, headers=headers) as http:
        answer = await http.post("/api/rooms", json={"variant": variant, "max_seats": 8})
        answer.raise_for_status()
        return str(answer.json()["code"])


class TableClient:
    """One socket at a table. `state` is what a client sees; `version` that of the last update."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._changed = asyncio.Condition()
        self._prefix = secrets.token_hex(8)  # request ids are unique for the player, not for his socket
        self._requests = 0
        self.state: Message = {}
        self.you: Message = {}
        self.version = -1
        self.epoch = ""
        self.frames: list[str] = []

    @classmethod
    @asynccontextmanager
    async def connect(cls, base_url: str, code: str, cookie: str) -> AsyncIterator[Self]:
        """A socket at the table, welcomed; closed at the end."""
        address = base_url.replace("http", "ws", 1) + f"/ws/rooms/{code}"
        async with (
            connect(address, additional_headers={"cookie": cookie}) as socket,
            asyncio.TaskGroup() as tasks,
        ):
            client = cls(socket)
            reader = tasks.create_task(client._read())
            await client.send({"type": "hello", "protocol": 2})
            await client.wait_until(lambda: client.version >= 0)
            yield client
            reader.cancel()

    async def send(self, message: Message) -> None:
        """Sends a message that has no answer."""
        await self._socket.send(json.dumps(message))

    async def command(self, **message: object) -> Message:
        """Sends a command and returns its answer, `ok` or `refused`."""
        self._requests += 1
        request = f"{self._prefix}-{self._requests}"
        self._answers[request] = asyncio.get_running_loop().create_future()
        await self.send({**message, "request": request})
        return await asyncio.wait_for(self._answers[request], PATIENCE_SECONDS)

    async def must(self, **message: object) -> None:
        """Sends a command that has to succeed, and waits until its update is seen."""
        answer = await self.command(**message)
        assert answer["type"] == "ok", answer
        await self.wait_until_version(answer["version"])

    async def act(self, **action: object) -> None:
        """One action of the seat to move, meant for the turn and roll that this client sees."""
        turn = self.state["turn"]
        await self.must(type="act", seat=turn["seat"], turn=turn["turn"], roll=turn["roll"], action=action)

    async def wait_until_version(self, version: int) -> None:
        """Waits until this client has seen that version."""
        await self.wait_until(lambda: self.version >= version)

    async def wait_until_over(self) -> None:
        """Waits until this client has seen the end of the game."""
        await self.wait_until(lambda: self.state["result"] is not None)

    async def wait_until(self, is_so: Predicate) -> None:
        """Waits until what this client sees satisfies `is_so`."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(is_so), PATIENCE_SECONDS)

    async def _read(self) -> None:
        async for frame in self._socket:
            text = frame if isinstance(frame, str) else frame.decode()
            self.frames.append(text)
            async with self._changed:
                self._receive(json.loads(text))
                self._changed.notify_all()

    def _receive(self, message: Message) -> None:
        match message["type"]:
            case "welcome":
                self.state = message["state"]
                self.you, self.version, self.epoch = message["you"], message["version"], message["epoch"]
            case "update":
                assert message["version"] == self.version + 1, f"a gap after version {self.version}"
                self.version = message["version"]
                self.state = after(self.state, message)
            case "ok" | "refused" if message["request"] in self._answers:
                self._answers.pop(message["request"]).set_result(message)
