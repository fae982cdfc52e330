"""Tables of simulated players, who play game after game and room after room while things go wrong."""

import asyncio
import json
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

from tests.faults.choices import Intent, is_over
from tests.faults.evidence import Seen, Sent
from tests.faults.player import Person, Player
from tests.faults.proxy import HOST, Line
from tests.faults.tab import Tab
from tests.faults.view import Message
from tests.faults.waiting import becomes

_AGAIN_SECONDS = 0.3
_ANSWER_SECONDS = 3.0
_MOST_REMATCHES = 2
_MOST_BOTS = 1


@dataclass(slots=True)
class Played:
    """A room that was played in: its code, its players, and what went wrong beside what the checker finds."""

    code: str
    players: list[Player]
    intent: Intent
    complaints: list[str] = field(default_factory=list)

    @property
    def seen(self) -> list[Seen]:
        """What every tab was shown."""
        return [tab.seen for player in self.players for tab in player.tabs]

    @property
    def sent(self) -> list[Sent]:
        """Every command of every player."""
        return [sent for player in self.players for sent in player.sent]

    @property
    def finished_games(self) -> set[str]:
        """The games that ended here, as far as somebody was told of it as it happened."""
        return finished_in(frame for seen in self.seen for frame in seen.frames)

    @property
    def is_over(self) -> bool:
        """Whether all have seen the end of the last game."""
        return all(is_over(tab.view, self.intent) for player in self.players for tab in player.tabs)


class Table:
    """The same people at one room after another. `rooms` are those until now, the last one the present one.

    `patience`: seconds within which everybody has to be at the same state once nobody acts.
    """

    def __init__(
        self, people: Sequence[Person], wanted: Message, chance: random.Random, patience: float
    ) -> None:
        self.rooms: list[Played] = []
        self.people = people
        self._wanted = wanted
        self._chance = chance
        self._patience = patience
        self._intent = Intent(people=len(people))
        self._is_last = False

    async def play(self) -> None:
        """Game after game until `finish` is called."""
        while not self._is_last:
            await self._play_room(await self._make_room())

    async def finish(self, seconds: float) -> None:
        """No more games after this one, which is played to its end if that comes within some seconds."""
        self._intent.rematches = 0
        await becomes(lambda: bool(self.rooms) and self.rooms[-1].is_over, seconds)
        self._is_last = True

    async def _play_room(self, code: str) -> None:
        self._intent.bots = self._chance.randrange(_MOST_BOTS + 1)
        self._intent.rematches = self._chance.randrange(_MOST_REMATCHES + 1)
        players = [
            Player(person, code, intent=self._intent, chance=random.Random(self._chance.random()))
            for person in self.people
        ]
        room = Played(code, players, self._intent)
        self.rooms.append(room)
        tasks = [asyncio.create_task(player.run()) for player in players]
        try:
            await becomes(lambda: room.is_over or self._is_last)
            await self._settle(room)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        room.complaints += [complaint for player in players for complaint in player.complaints]
        room.complaints += [f"a player broke down: {end!r}" for end in ends if isinstance(end, Exception)]

    async def _settle(self, room: Played) -> None:
        """Wait until nothing is unanswered and everybody is at the same version."""
        for player in room.players:
            player.is_paused = True
        await becomes(lambda: _is_settled(room), self._patience)
        room.complaints += _unsettled(room)

    async def _make_room(self) -> str:
        """A new room of the first one here, asked for until it is answered, always by the same request."""
        host = self.people[0]
        request = f"room-{len(self.rooms)}"
        while True:
            with suppress(httpx.HTTPError):
                async with httpx.AsyncClient(
                    headers={"cookie": host.cookie}, timeout=_ANSWER_SECONDS
                ) as http:
                    answer = await http.post(
                        f"http://{HOST}:{host.lines[0].port}/api/rooms",
                        json=self._wanted | {"request": request},
                    )
                if answer.status_code == httpx.codes.CREATED:
                    return str(answer.json()["code"])
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    answer.raise_for_status()
            await asyncio.sleep(_AGAIN_SECONDS)


def finished_in(frames: Iterable[str]) -> set[str]:
    """The games of whose end these frames tell."""
    ends = [json.loads(frame) for frame in frames if '"finished"' in frame and '"events"' in frame]
    return {update["result"]["game"] for update in ends if update.get("result")}


async def look_once(code: str, person: Person, line: Line, patience: float) -> Seen:
    """What somebody is shown who comes now: the newest snapshot."""
    got = asyncio.Event()
    tab = Tab(
        "who came last",
        code=code,
        cookie=person.cookie,
        line=line,
        chance=random.Random(0),
        on_message=lambda _: None,
        on_live=lambda _: got.set(),
    )
    running = asyncio.create_task(tab.run())
    with suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await got.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return tab.seen


def _is_settled(room: Played) -> bool:
    tabs = [tab for player in room.players for tab in player.tabs]
    is_answered = not any(player.is_waiting for player in room.players)
    return is_answered and all(tab.is_live for tab in tabs) and len({tab.view.version for tab in tabs}) == 1


def _unsettled(room: Played) -> list[str]:
    """What is still not as it should be after all that waiting."""
    found = [
        f"{sent.message['type']} {sent.message['request']} never got an answer"
        for sent in room.sent
        if sent.is_unanswered
    ]
    versions = {tab.seen.viewer: tab.view.version for player in room.players for tab in player.tabs}
    if len(set(versions.values())) > 1:
        found.append(f"not everybody came to the same version: {versions}")
    for player in room.players:
        for tab in player.tabs:
            if tab.closed_for_good is not None:
                found.append(f"{tab.seen.viewer} was closed with {tab.closed_for_good}")
            elif not tab.is_live:
                found.append(f"{tab.seen.viewer} never came back")
    return found
