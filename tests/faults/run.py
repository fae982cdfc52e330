"""A fault run from beginning to end: people, tables, faults, quiet, evidence, and what the checker says."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

import httpx

from tests.faults.checker import find_faults, find_told
from tests.faults.faults import LINE_FAULTS, SERVER_FAULTS, LineFault, Scene, ServerFault, Severity
from tests.faults.gathering import gather, recorded_games
from tests.faults.player import Person
from tests.faults.proxy import Line
from tests.faults.site import Site
from tests.faults.tables import Played, Table, look_once
from tests.faults.view import Message

_SERVER_PAUSE_SECONDS = (0.5, 2.0)
_LINE_PAUSE_SECONDS = (0.2, 1.0)
_LOOK_SECONDS = 0.5

SHORT_GAMES: Sequence[Message] = (
    {"variant": "papir", "columns": ["down"]},
    {"variant": "my-yahtzee", "undo": "entry"},
    {"variant": "papir", "columns": ["announced"], "undo": "entry"},
    {"variant": "papir", "columns": ["notification", "announced"]},
)
"""Bodies by which rooms are made whose games take a quarter of a minute."""


Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does. `games` are the bodies by which rooms are made, one for each table in turn.

    `seconds`: how long faults strike; `ending`: how long the last games may be played on in peace;
    `patience`: within how many seconds everything has to be well then. `variants`: made before, for `games`.
    `seats`: players at a table; the first has a second tab.
    """

    seed: int
    seconds: float
    ending: float = 30.0
    patience: float = 60.0
    variants: Sequence[Message] = ()
    games: Sequence[Message] = SHORT_GAMES
    tables: int = 4
    seats: int = 3
    severity: Severity = field(default_factory=Severity)
    server_faults: Mapping[str, ServerFault] = field(default_factory=lambda: SERVER_FAULTS)
    line_faults: Mapping[str, LineFault] = field(default_factory=lambda: LINE_FAULTS)


@dataclass(slots=True)
class Outcome:
    """What a run found, and how much it did."""

    found: list[str]
    counts: Counter[str]


async def run_faults(site: Site, plan: Plan, tell: Tell = lambda _: None) -> Outcome:
    """Play, let things go wrong, and prove that nothing did harm. `tell` hears of each fault."""
    chance = random.Random(plan.seed)
    counts: Counter[str] = Counter()
    async with AsyncExitStack() as opened:
        tables = [
            Table(
                await _people(site, place, plan.seats, opened),
                plan.games[place % len(plan.games)],
                random.Random(chance.random()),
                plan.patience,
            )
            for place in range(plan.tables)
        ]
        await _make_variants(site, tables[0].people[0], plan.variants)
        await _play_under_faults(site, tables, plan, chance, counts=counts, tell=tell)
        rooms = [room for table in tables for room in table.rooms]
        visitor = tables[0].people[0]
        last = [await look_once(room.code, visitor, visitor.lines[0], plan.patience) for room in rooms]
        found = await _missing_in_the_books(site, rooms, plan.patience)
    if site.redis is None:  # what the worker keeps belongs to one process at a time
        await site.switch(*(worker.stop for worker in site.workers))
    found += [f"room {room.code}: {complaint}" for room in rooms for complaint in room.complaints]
    evidence = await gather(rooms, site.open_store(), site.database_url)
    for one, seen in zip(evidence, last, strict=True):
        found += find_faults(replace(one, seen=[*one.seen, seen]))
    found += find_told(evidence, "".join(worker.output for worker in site.workers))
    _count(counts, rooms)
    return Outcome(found, counts)


async def _play_under_faults(
    site: Site,
    tables: Sequence[Table],
    plan: Plan,
    chance: random.Random,
    *,
    counts: Counter[str],
    tell: Tell,
) -> None:
    lines = [line for table in tables for person in table.people for line in person.lines]
    scene = Scene(site, plan.severity, random.Random(chance.random()))
    playing = [asyncio.create_task(table.play()) for table in tables]
    await asyncio.gather(
        _strike_servers(scene, plan, counts, tell),
        _strike_lines(lines, plan, random.Random(chance.random()), counts),
        asyncio.sleep(plan.seconds),  # also where nothing strikes
    )
    await asyncio.gather(*(table.finish(plan.ending) for table in tables))
    await asyncio.gather(*playing)


async def _people(site: Site, table: int, seats: int, opened: AsyncExitStack) -> list[Person]:
    """Those of a table. The first has two tabs."""
    return [
        await _person(site, f"Player {table}.{seat}", 2 if seat == 0 else 1, opened) for seat in range(seats)
    ]


async def _person(site: Site, name: str, tabs: int, opened: AsyncExitStack) -> Person:
    """A new guest, with a line for each of his tabs; the lines begin with different workers."""
    lines = [await opened.enter_async_context(Line(site.ports, first).open()) for first in range(tabs)]
    async with httpx.AsyncClient(base_url=site.workers[0].base_url) as http:
        answer = await http.post("/api/guests", json={"name": name})
        answer.raise_for_status()
    cookie = "; ".join(f"{key}={value}" for key, value in answer.cookies.items())
    return Person(answer.json()["player"], cookie, lines)


async def _make_variants(site: Site, maker: Person, variants: Sequence[Message]) -> None:
    headers = {"cookie": maker.cookie}
    async with httpx.AsyncClient(base_url=site.workers[0].base_url, headers=headers) as http:
        for parameters in variants:
            (await http.post("/api/variants", json=parameters)).raise_for_status()


async def _strike_servers(scene: Scene, plan: Plan, counts: Counter[str], tell: Tell) -> None:
    """One fault after another, all of them in each round, until the time is over."""
    end = time.monotonic() + plan.seconds
    for name in _rounds(list(plan.server_faults), scene.chance):
        await asyncio.sleep(scene.chance.uniform(*_SERVER_PAUSE_SECONDS))
        if time.monotonic() >= end:
            return
        tell(name)
        counts[name] += 1
        await plan.server_faults[name](scene)


async def _strike_lines(
    lines: Sequence[Line], plan: Plan, chance: random.Random, counts: Counter[str]
) -> None:
    end = time.monotonic() + plan.seconds
    async with asyncio.TaskGroup() as striking:
        for name in _rounds(list(plan.line_faults), chance):
            await asyncio.sleep(chance.uniform(*_LINE_PAUSE_SECONDS))
            if time.monotonic() >= end:
                return
            counts[name] += 1
            striking.create_task(_strike_line(plan, name, chance.choice(lines)))


async def _strike_line(plan: Plan, name: str, line: Line) -> None:
    await plan.line_faults[name](line, plan.severity)


def _rounds(names: list[str], chance: random.Random) -> Iterator[str]:
    while names:
        chance.shuffle(names)
        yield from names


async def _missing_in_the_books(site: Site, rooms: Sequence[Played], patience: float) -> list[str]:
    """Wait until every finished game is recorded; those that never are."""
    finished = {game for room in rooms for game in room.finished_games}
    end = time.monotonic() + patience
    while missing := finished - await recorded_games(site.database_url):
        if time.monotonic() >= end:
            return [f"game {game} was never recorded" for game in missing]
        await asyncio.sleep(_LOOK_SECONDS)
    return []


def _count(counts: Counter[str], rooms: Sequence[Played]) -> None:
    """What was done, beside the faults."""
    tabs = [tab for room in rooms for player in room.players for tab in player.tabs]
    sent = [one for room in rooms for one in room.sent]
    counts["rooms"] = len(rooms)
    counts["finished games"] = sum(len(room.finished_games) for room in rooms)
    counts["commands"] = len(sent)
    counts["acknowledged"] = sum(any(answer["type"] == "ok" for answer in one.answers) for one in sent)
    counts["frames"] = sum(len(tab.seen.frames) for tab in tabs)
    counts["sockets"] = sum(tab.sockets for tab in tabs)
