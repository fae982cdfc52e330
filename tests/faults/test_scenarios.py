"""Things that go wrong in one way each, over two workers that share a Redis and a PostgreSQL."""

import asyncio
import json
import random
from contextlib import AsyncExitStack

import httpx
from redis.asyncio import Redis

from tests.e2e.table_client import Message, TableClient, make_guest
from tests.faults.faults import LINE_FAULTS, Scene
from tests.faults.proxy import Line
from tests.faults.run import Plan, run_faults
from tests.faults.site import Site
from tests.faults.tab import Tab
from tests.faults.waiting import becomes
from tests.servers import AppServer

FROZEN_SECONDS = 10
SECONDS = 30
BURSTS = 8


async def test_two_identical_commands_sent_at_once_give_one_roll(site: Site) -> None:
    cookie = await make_guest(site.workers[0].base_url, "Lija")
    code = await make_room(site.workers[0], cookie)
    async with AsyncExitStack() as sockets:
        tabs = [await sit(sockets, worker, code, cookie) for worker in site.workers]
        await begin(tabs[:1])
        before = tabs[0].version
        await asyncio.gather(
            *(tab.send(roll(0, 1, 0) | {"request": "same"}) for tab in tabs for _ in range(2))
        )
        for tab in tabs:
            await tab.wait_until(lambda tab=tab: len(answers_to(tab, "same")) == 2 and tab.version > before)  # type: ignore[misc]  # a default binds the tab
            assert {(answer["type"], answer["version"]) for answer in answers_to(tab, "same")} == {
                ("ok", before + 1)
            }
            assert (tab.version, tab.state["turn"]["roll"]) == (before + 1, 1)


async def test_fifty_parallel_joins_on_one_free_seat_give_one_success(site: Site) -> None:
    cookies = [await make_guest(site.workers[0].base_url, f"Guest {place}") for place in range(50)]
    code = await make_room(site.workers[0], cookies[0], max_seats=1)
    async with AsyncExitStack() as sockets:
        guests = [
            await sit(sockets, site.workers[place % 2], code, cookie) for place, cookie in enumerate(cookies)
        ]
        answers = await asyncio.gather(*(guest.command(type="join", text="x") for guest in guests))
        assert sorted(answer.get("code", "ok") for answer in answers) == ["ok"] + ["room_full"] * 49
        for guest in guests:
            await guest.wait_until_version(1)
            assert (guest.version, len(guest.state["seats"])) == (1, 1)


async def test_an_action_sent_as_the_socket_dies_is_applied_once_or_refused_never_half(site: Site) -> None:
    cuts = ("client cut within a command", "client cut before the answer")
    plan = Plan(
        seed=7,
        seconds=4,
        ending=0,
        patience=SECONDS,
        tables=2,
        seats=2,
        server_faults={},
        line_faults={name: LINE_FAULTS[name] for name in cuts},
    )
    outcome = await run_faults(site, plan)
    assert outcome.found == []
    assert all(outcome.counts[name] for name in cuts)


async def test_a_burst_of_updates_during_a_resume_gives_the_snapshot_field_by_field(site: Site) -> None:
    cookie = await make_guest(site.workers[0].base_url, "Lija")
    code = await make_room(site.workers[0], cookie)
    async with AsyncExitStack() as opened:
        writer = await sit(opened, site.workers[0], code, cookie)
        await writer.must(type="join", text="x")
        line = await opened.enter_async_context(Line(site.ports).open())
        tab = follow(code, cookie, line)
        following = asyncio.create_task(tab.run())
        for burst in range(BURSTS):
            for place in range(20):
                request = f"{burst}-{place}"
                await writer.send({"type": "ready", "request": request, "ready": place % 2 == 0})
            line.cut()
            await writer.wait_until_version(1 + 20 * (burst + 1))
        await writer.must(type="ready", ready=True)
        assert await becomes(lambda: tab.view.version == writer.version, SECONDS)
        following.cancel()
        late = await sit(opened, site.workers[1], code, cookie)
    assert late.version == tab.view.version == 2 + 20 * BURSTS
    assert tab.view.state == late.state == writer.state
    welcomes = sum(json.loads(frame)["type"] == "welcome" for frame in tab.seen.frames)
    assert welcomes < tab.sockets, "no resume was by missing updates"


async def test_a_worker_stopped_for_ten_seconds_and_continued_does_no_harm(site: Site) -> None:
    stopped, running = site.workers
    cookies = [await make_guest(running.base_url, name) for name in ("Lija", "Medo")]
    code = await make_room(running, cookies[0])
    async with AsyncExitStack() as sockets:
        lija = await sit(sockets, running, code, cookies[0])
        medo = await sit(sockets, stopped, code, cookies[1])
        await begin([lija, medo])
        freezing = asyncio.create_task(site.freeze(stopped, FROZEN_SECONDS))
        await asyncio.sleep(0)
        # Meant for his turn to come: the stopped worker gets it now, and reads it when that is over.
        await medo.send(roll(1, 2, 0) | {"request": "early"})
        await lija.act(type="roll", hold=[])
        await lija.act(type="fill", column="down", row="ones")
        elsewhere = await sit(sockets, running, code, cookies[1])
        await elsewhere.act(type="roll", hold=[])
        await elsewhere.act(type="fill", column="down", row="ones")
        await freezing
        await medo.wait_until(lambda: bool(answers_to(medo, "early")))
        assert answers_to(medo, "early")[0]["type"] == "refused"
        await lija.act(type="roll", hold=[])
        for player in (medo, elsewhere):
            await player.wait_until_version(lija.version)
            assert (player.version, player.state) == (lija.version, lija.state)


async def test_a_room_made_while_the_store_stalls_with_a_client_that_retries_is_one_room(site: Site) -> None:
    assert site.redis is not None
    async with Redis.from_url(site.redis.url, decode_responses=True) as redis, AsyncExitStack() as opened:
        clients = []
        for worker in site.workers:
            http = await opened.enter_async_context(httpx.AsyncClient(base_url=worker.base_url))
            clients.append(http)
        cookie = await make_guest(site.workers[0].base_url, "Lija")
        before = set(await redis.keys("*:room:*"))
        freezing = asyncio.create_task(site.freeze(site.redis, 5))
        await asyncio.sleep(0)
        statuses: list[int] = []
        codes: set[str] = set()
        while len(codes) == 0 or len(statuses) % 2:
            answer = await clients[len(statuses) % 2].post(
                "/api/rooms", json={"variant": "papir", "request": "r1"}, headers={"cookie": cookie}
            )
            statuses.append(answer.status_code)
            if answer.is_success:
                codes.add(answer.json()["code"])
        await freezing
        made = set(await redis.keys("*:room:*")) - before
    assert 503 in statuses
    assert len(codes) == 1
    assert [str(key).rpartition(":")[2] for key in made] == list(codes)


async def test_a_rolling_restart_of_two_workers_under_play_loses_no_action_and_no_game(site: Site) -> None:
    async def restart_all(scene: Scene) -> None:
        for worker in scene.site.workers:
            await scene.site.switch(worker.restart)

    plan = Plan(
        seed=8,
        seconds=3,
        ending=SECONDS,
        patience=SECONDS,
        tables=2,
        seats=2,
        server_faults={"rolling restart": restart_all},
        line_faults={},
    )
    outcome = await run_faults(site, plan)
    assert outcome.found == []
    assert outcome.counts["rolling restart"] == 1
    assert outcome.counts["finished games"] >= outcome.counts["rooms"] >= 2


async def make_room(worker: AppServer, cookie: str, max_seats: int = 8) -> str:
    """A new room; its code."""
    async with httpx.AsyncClient(base_url=worker.base_url, headers={"cookie": cookie}) as http:
        answer = await http.post("/api/rooms", json={"variant": "classic-5x4", "max_seats": max_seats})
    answer.raise_for_status()
    return str(answer.json()["code"])


async def sit(sockets: AsyncExitStack, worker: AppServer, code: str, cookie: str) -> TableClient:
    """A socket at a table, by that worker."""
    return await sockets.enter_async_context(TableClient.connect(worker.base_url, code, cookie))


async def begin(players: list[TableClient]) -> None:
    """They take their seats and begin to play."""
    for player in players:
        await player.must(type="join", text="x")
        await player.must(type="ready", ready=True)
    await players[0].wait_until_version(players[-1].version)
    await players[0].must(type="start")
    for player in players:
        await player.wait_until_version(players[0].version)


def roll(seat: int, turn: int, rolls: int) -> Message:
    """A first roll, meant for that turn."""
    meant = {"seat": seat, "turn": turn, "roll": rolls}
    return {"type": "act", **meant, "action": {"type": "roll", "hold": []}}


def answers_to(client: TableClient, request: str) -> list[Message]:
    """What came as an answer to that request."""
    return [message for frame in client.frames if (message := json.loads(frame)).get("request") == request]


def follow(code: str, cookie: str, line: Line) -> Tab:
    """A tab that only looks on."""
    return Tab(
        "who looks on",
        code=code,
        cookie=cookie,
        line=line,
        chance=random.Random(1),
        on_message=lambda _: None,
        on_live=lambda _: None,
    )
