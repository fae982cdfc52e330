"""A simulated player: a person with one tab or two, who plays legal actions and repeats what got lost."""

import asyncio
import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass

from tests.faults.choices import Intent, next_command
from tests.faults.evidence import Sent, is_final
from tests.faults.proxy import Line
from tests.faults.tab import Tab
from tests.faults.view import Message, View

_THINK_SECONDS = (0.01, 0.1)
_AGAIN_SECONDS = 0.3
_LOOK_SECONDS = 0.5
_TWICE_SHARE = 0.08
_BOTH_TABS_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Person:
    """Who plays: a guest of the servers, and the ways by which his tabs reach them."""

    player: str
    cookie: str
    lines: Sequence[Line]


class Player:
    """A person at one table. Its requests are answered one after another, as those of the real client are."""

    def __init__(self, person: Person, code: str, *, intent: Intent, chance: random.Random) -> None:
        self.person = person
        self.sent: list[Sent] = []
        self.is_paused = False
        self._intent = intent
        self._chance = chance
        self.complaints: list[str] = []
        self._by_request: dict[str, Sent] = {}
        self._pending: dict[str, Sent] = {}
        self._known = -1  # the newest version that an answer told of
        self._has_changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.tabs = [
            Tab(
                f"{person.player}, tab {place}",
                code=code,
                cookie=person.cookie,
                line=line,
                chance=chance,
                on_message=self._hear,
                on_live=self._repeat,
            )
            for place, line in enumerate(person.lines)
        ]

    @property
    def is_waiting(self) -> bool:
        """Whether a command has no answer yet."""
        return bool(self._pending)

    @property
    def view(self) -> View:
        """The table as the tab sees it that has got furthest."""
        return max((tab.view for tab in self.tabs), key=lambda view: view.version)

    async def run(self) -> None:
        """Play until cancelled."""
        tasks = [asyncio.create_task(tab.run()) for tab in self.tabs]
        try:
            while True:
                await self._look()
                await self._decide()
        finally:
            for task in (*tasks, *self._tasks):
                task.cancel()
            await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)

    async def _look(self) -> None:
        """Wait for news, or for a while."""
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._has_changed.wait()
        except TimeoutError:
            return
        self._has_changed.clear()

    async def _decide(self) -> None:
        if self.is_paused or self._pending or self.view.version < self._known:
            return
        message = next_command(self.view, self.person.player, self._intent, self._chance)
        live = [tab for tab in self.tabs if tab.is_live]
        if message is None or not live:
            return
        await asyncio.sleep(self._chance.uniform(*_THINK_SECONDS))
        await self._send(message, live)

    async def _send(self, message: Message, live: list[Tab]) -> None:
        """Send it once; sometimes twice at once, or from both tabs as if pressed in both."""
        lot = self._chance.random()
        if lot < _BOTH_TABS_SHARE:
            requests = [self._ask(message) for _ in live]
            await asyncio.gather(*(tab.send(one) for tab, one in zip(live, requests, strict=True)))
            return
        request = self._ask(message)
        times = 2 if lot < _BOTH_TABS_SHARE + _TWICE_SHARE else 1
        await asyncio.gather(*(self._chance.choice(live).send(request) for _ in range(times)))

    def _ask(self, message: Message) -> Message:
        request = f"{self.person.player}-{len(self.sent)}"
        sent = Sent(self.person.player, message | {"request": request})
        self.sent.append(sent)
        self._by_request[request] = self._pending[request] = sent
        return sent.message

    def _hear(self, message: Message) -> None:
        self._has_changed.set()
        if message["type"] not in ("ok", "refused"):
            return
        sent = self._by_request.get(message["request"])
        if sent is None:
            self.complaints.append(f"{self.person.player} was answered what was never asked: {message}")
            return
        sent.answers.append(message)
        if not is_final(message):
            self._later(sent)
            return
        self._pending.pop(message["request"], None)
        if message["type"] == "ok":
            self._known = max(self._known, message["version"])

    def _repeat(self, tab: Tab) -> None:
        """A tab is back: what had no answer is sent again, under the same request id."""
        for sent in self._pending.values():
            self._start(tab.send(sent.message))

    def _later(self, sent: Sent) -> None:
        async def again() -> None:
            await asyncio.sleep(_AGAIN_SECONDS)
            live = [tab for tab in self.tabs if tab.is_live]
            if sent.message["request"] in self._pending and live:
                await self._chance.choice(live).send(sent.message)

        self._start(again())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
