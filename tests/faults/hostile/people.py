"""The people at ten tables, who play while strangers attack; how long they wait is what is measured."""

import asyncio
import json
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.faults.choices import Intent, next_action, next_command
from tests.faults.view import Message, View

TABLES = 10
SEATS = 2
_THINK_SECONDS = (0.04, 0.12)
_LOOK_SECONDS = 0.5
_AGAIN_SECONDS = 0.2
_NOTICED_SECONDS = 0.5
_COME_SECONDS = 0.25
_NEWCOMERS_SECONDS = 2.0
_NEWCOMERS_ADDRESS = "127.0.0.8"
_LAST = 200
_SILENCE_SECONDS = 60.0
_KEPT_VERSIONS = 64
_MANY_REMATCHES = 10_000
_LOST = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage)


@dataclass(slots=True)
class Wait:
    """A person's action: when it was sent, and when it was answered and seen by the other one, if it was."""

    sent_at: float
    answered_at: float | None = None
    seen_at: float | None = None

    def answer_seconds(self, now: float) -> float:
        """From act to ok; of one that has no answer, how long it has waited."""
        return (self.answered_at or now) - self.sent_at

    def seen_seconds(self, now: float) -> float:
        """From act to the update on the other one's screen."""
        return (self.seen_at or now) - self.sent_at


@dataclass(slots=True)
class Felt:
    """What all people together have lived through. `ends`: when somebody was disconnected, and how."""

    waits: list[Wait] = field(default_factory=list)
    ends: list[tuple[float, str]] = field(default_factory=list)
    refusals: list[tuple[float, str]] = field(default_factory=list)

    @property
    def is_waiting(self) -> bool:
        """Whether somebody has waited for so long that it would be noticed, and still does."""
        now = time.monotonic()
        return any(
            wait.answered_at is None and now - wait.sent_at > _NOTICED_SECONDS for wait in self.waits[-_LAST:]
        )


class Person:
    """One of them: a guest at an address of this one's own, who plays legal actions without haste."""

    def __init__(self, address: str, table: "Table", chance: random.Random) -> None:
        self.address = address
        self.player = ""
        self.cookie = ""
        self.view = View()
        self._table = table
        self._chance = chance
        self._has_changed = asyncio.Event()
        self._pending: dict[str, tuple[Message, Wait]] = {}
        self._known = -1
        self._requests = 0
        self._socket: ClientConnection | None = None

    async def sign_in(self, base_url: str) -> None:
        """Become a guest."""
        async with client_at(base_url, self.address) as http:
            answer = await http.post("/api/guests", json={"name": f"Guest {self.address}"})
        answer.raise_for_status()
        self.player = answer.json()["player"]
        self.cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())

    async def stay(self, port: int) -> None:
        """Sit at the table until cancelled, and come back whenever disconnected."""
        deciding = asyncio.create_task(self._decide_on_and_on())
        try:
            while True:
                try:
                    await self._follow(port)
                except _LOST as end:
                    self._table.felt.ends.append((time.monotonic(), f"{self.address}: {end!r}"))
                await asyncio.sleep(_AGAIN_SECONDS)
        finally:
            deciding.cancel()
            await asyncio.wait([deciding])

    async def _follow(self, port: int) -> None:
        async with connect(
            f"ws://127.0.0.1:{port}/ws/rooms/{self._table.code}",
            additional_headers={"cookie": self.cookie},
            local_addr=(self.address, 0),
            compression=None,
            ping_interval=None,
            open_timeout=_SILENCE_SECONDS,
            close_timeout=0.2,
            max_size=None,
            proxy=None,
        ) as socket:
            await socket.send(json.dumps(self._hello()))
            try:
                await self._listen(socket)
            finally:
                self._socket = None

    def _hello(self) -> Message:
        seen = {"epoch": self.view.epoch, "version": self.view.version} if self.view.version >= 0 else {}
        return {"type": "hello", "protocol": 2, **seen}

    async def _listen(self, socket: ClientConnection) -> None:
        while True:
            async with asyncio.timeout(_SILENCE_SECONDS):
                message: Message = json.loads(await socket.recv(decode=False))
            self._take(message, time.monotonic())
            if self._socket is None and message["type"] in ("welcome", "pong"):
                self._socket = socket
                for sent, _ in list(self._pending.values()):
                    await socket.send(json.dumps(sent))

    def _take(self, message: Message, now: float) -> None:
        self.view.take(message)
        self._has_changed.set()
        if message["type"] in ("update", "welcome"):
            self._table.saw(self, message["version"], now)
        elif message["type"] in ("ok", "refused") and message["request"] in self._pending:
            _, wait = self._pending.pop(message["request"])
            self._settle(message, wait, now)

    def _settle(self, message: Message, wait: Wait, now: float) -> None:
        wait.answered_at = now
        if message["type"] == "refused":
            wait.seen_at = now
            self._table.refused(message, now)
            return
        self._known = max(self._known, message["version"])
        self._table.made(self, message["version"], wait)

    async def _decide_on_and_on(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._has_changed.wait()
            self._has_changed.clear()
            with suppress(*_LOST):
                await self._decide()

    async def _decide(self) -> None:
        if self._pending or self._socket is None or self.view.version < self._known:
            return
        if (wanted := self._next()) is None:
            return
        await asyncio.sleep(self._chance.uniform(*_THINK_SECONDS))
        if (socket := self._live_socket()) is None:
            return
        self._requests += 1
        request = f"{self.player}-{self._requests}"
        message, wait = wanted | {"request": request}, Wait(time.monotonic())
        self._pending[request] = (message, wait)
        if message["type"] == "act":
            self._table.felt.waits.append(wait)
        await socket.send(json.dumps(message))

    def _live_socket(self) -> ClientConnection | None:
        return self._socket

    def _next(self) -> Message | None:
        if self.view.state and self.view.state["room"]["phase"] == "playing":
            return next_action(self.view, self.player, self._chance)
        return next_command(self.view, self.player, self._table.intent, self._chance)


class Sight:
    """What one of them has seen of a table, and which actions of the other one not yet."""

    def __init__(self) -> None:
        self._seen_at: dict[int, float] = {}
        self._awaited: dict[int, Wait] = {}

    def saw(self, version: int, now: float) -> None:
        """That version is on the screen, and so are those before it."""
        self._seen_at[version] = now
        self._seen_at.pop(version - _KEPT_VERSIONS, None)
        for earlier in [number for number in self._awaited if number <= version]:
            self._awaited.pop(earlier).seen_at = now

    def await_(self, version: int, wait: Wait) -> None:
        """An action made that version."""
        if version in self._seen_at:
            wait.seen_at = self._seen_at[version]
        else:
            self._awaited[version] = wait


class Table:
    """Two people and their room, in which they play game after game."""

    def __init__(self, number: int, felt: Felt, chance: random.Random) -> None:
        self.felt = felt
        self.code = ""
        self.intent = Intent(people=SEATS, rematches=_MANY_REMATCHES)
        self.people = [Person(f"127.0.0.{10 + SEATS * number + seat}", self, chance) for seat in range(SEATS)]
        self._sights = {person.address: Sight() for person in self.people}

    async def sit_down(self, base_url: str) -> None:
        """Sign everybody in and make the room."""
        for person in self.people:
            await person.sign_in(base_url)
        host = self.people[0]
        async with client_at(base_url, host.address, host.cookie) as http:
            answer = await http.post("/api/rooms", json={"variant": "papir", "max_seats": SEATS})
        answer.raise_for_status()
        self.code = answer.json()["code"]

    def saw(self, person: Person, version: int, now: float) -> None:
        """Somebody sees that version."""
        self._sights[person.address].saw(version, now)

    def made(self, person: Person, version: int, wait: Wait) -> None:
        """Somebody's action is that version: it is seen when the other one sees it, or has been."""
        for other in self.people:
            if other is not person:
                self._sights[other.address].await_(version, wait)

    def refused(self, message: Message, now: float) -> None:
        """A command was refused: pressing rematch at once as the other one is no harm."""
        if message["code"] not in ("already_started", "wrong_phase", "no_game"):
            self.felt.refusals.append((now, f"{self.code}: {message['code']}"))


@dataclass(slots=True)
class People:
    """All tables. `felt` is common to them."""

    tables: list[Table]
    felt: Felt

    @property
    def codes(self) -> list[str]:
        """The codes of their rooms."""
        return [table.code for table in self.tables]

    async def sit_down(self, base_url: str) -> None:
        """Have all of them at their tables."""
        for table in self.tables:
            await table.sit_down(base_url)

    async def play(self, port: int) -> None:
        """Play until cancelled."""
        async with asyncio.TaskGroup() as playing:
            for table in self.tables:
                for person in table.people:
                    playing.create_task(person.stay(port))


class Newcomers:
    """People who come while strangers attack: each asks for something small, on a connection of its own."""

    def __init__(self, base_url: str) -> None:
        self.tried = 0
        self.let_in = 0
        self._base_url = base_url

    async def come(self) -> None:
        """One after the other until cancelled."""
        transport = httpx.AsyncHTTPTransport(
            local_address=_NEWCOMERS_ADDRESS, limits=httpx.Limits(max_keepalive_connections=0), verify=False
        )
        async with httpx.AsyncClient(
            base_url=self._base_url, transport=transport, timeout=_NEWCOMERS_SECONDS
        ) as http:
            while True:
                with suppress(httpx.HTTPError):
                    self.let_in += (await http.get("/healthz")).status_code == httpx.codes.OK
                self.tried += 1
                await asyncio.sleep(_COME_SECONDS)


def invite(seed: int, tables: int = TABLES) -> People:
    """People who have not come yet."""
    felt = Felt()
    return People([Table(number, felt, random.Random(seed + number)) for number in range(tables)], felt)


def client_at(base_url: str, address: str, cookie: str = "") -> httpx.AsyncClient:
    """A browser at that address."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    headers = {"cookie": cookie} if cookie else {}
    return httpx.AsyncClient(base_url=base_url, transport=transport, headers=headers, timeout=30.0)
