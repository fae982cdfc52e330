"""One address takes its share of a server's time, and guesses at what isn't there are few."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import cast

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.schema import migrate
from app.shares import AT_ONCE, BURST_SECONDS, MOST_WAITING, FairShares, Shares
from app.spending import Measured, Spent
from tests.rooms.serving import listening

_HERE, _THERE = "127.0.0.1", "127.0.0.2"
_COST = 0.02
_PERCENT = 10


def asking_from(address: str, port: int) -> httpx.AsyncClient:
    """A client at that address of this computer."""
    many = httpx.Limits(max_connections=None)
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=many)
    return httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=60)


async def costly(scope: Scope, receive: Receive, send: Send) -> None:
    """Takes the loop for some time."""
    until = time.perf_counter() + _COST
    while time.perf_counter() < until:
        pass
    await PlainTextResponse("done")(scope, receive, send)


async def flood(client: httpx.AsyncClient, answers: list[int], until: float) -> None:
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            answers.append((await client.get("/")).status_code)


async def test_a_flood_from_one_address_takes_its_share_and_leaves_the_rest_to_others() -> None:
    app = FairShares(costly, Shares(_PERCENT))
    answers: list[int] = []
    async with (
        listening(cast("FastAPI", app)) as port,
        asking_from(_HERE, port) as greedy,
        asking_from(_THERE, port) as other,
    ):
        begun = time.monotonic()
        until = begun + 6
        floods = [
            asyncio.create_task(flood(greedy, answers, until)) for _ in range(AT_ONCE + MOST_WAITING + 8)
        ]
        others = 0
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                assert (await other.get("/")).status_code == 200
                others += 1
            await asyncio.sleep(0.2)
        await asyncio.gather(*floods)
        took = time.monotonic() - begun
    served = answers.count(200) * _COST
    assert served <= BURST_SECONDS + took * _PERCENT / 100 + AT_ONCE * _COST
    assert answers.count(429) > 0
    assert others > 1, "whoever asks from elsewhere is answered all the time"


async def test_what_waits_counts_for_nothing_and_errors_and_cancelling_pass_through() -> None:
    spent = Spent()
    await Measured(asyncio.sleep(0.05), spent)
    assert 0 < spent.seconds < 0.04

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("as it was")

    with pytest.raises(ValueError, match="as it was"):
        await Measured(fail(), spent)
    ended: list[str] = []

    async def end() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def measure() -> None:
        await Measured(end(), spent)

    task = asyncio.create_task(measure())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert ended == ["cancelled"]


async def test_only_so_many_addresses_are_remembered() -> None:
    shares = Shares(25, 60)
    for number in range(30_000):
        shares.named(f"2001:db8:0:{number:04x}")
    assert len(shares) == 10_000


async def code_of_close(port: int, code: str, token: str, address: str = _HERE) -> int | None:
    """What a socket is closed with; None where it is let in."""
    url = f"ws://127.0.0.1:{port}/ws/rooms/{code}"
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(url, additional_headers=headers, local_addr=(address, 0)) as socket:
        try:
            await socket.send('{"type": "hello", "protocol": 2}')
            await socket.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
    return None


async def seated_player(client: httpx.AsyncClient, port: int) -> tuple[str, str]:
    """The code of a new room, and the token of a player who sits there."""
    token = (await client.post("/api/guests", json={"name": "Lija"})).cookies["yamb_session"]
    code = (await client.post("/api/rooms", json={"variant": "papir", "max_seats": 2})).json()["code"]
    url = f"ws://127.0.0.1:{port}/ws/rooms/{code}"
    async with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        await socket.send('{"type": "hello", "protocol": 2}')
        await socket.send('{"type": "join", "request": "a", "text": "x"}')
        while '"ok"' not in str(await socket.recv()):
            pass
    return code, token


async def guess_until_refused(client: httpx.AsyncClient) -> None:
    """Use up what an address has: with time it has more."""
    for _ in range(40):
        if (await client.get("/api/rooms/NONE")).status_code == 429:
            return
    raise AssertionError("it may guess on and on")


async def test_who_guesses_at_codes_is_told_nothing_more_while_players_play_on(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, misses_per_address=5)
    database = Database(settings.database_url)
    await migrate(database)
    await database.dispose()
    async with (
        listening(create_app(settings)) as port,
        asking_from(_HERE, port) as here,
        asking_from(_THERE, port) as there,
    ):
        code, seated = await seated_player(here, port)
        stranger = (await there.post("/api/guests", json={"name": "Zec"})).cookies["yamb_session"]
        guesses = [(await here.get(f"/api/rooms/NONE{n}")).status_code for n in range(4)]
        assert guesses == [404] * 4
        assert await code_of_close(port, "NOWHER", stranger) == 4404
        for path in ("/api/rooms/NONE9", f"/api/rooms/{code}", f"/api/rooms/{code}/qr.svg", "/api/games/g1"):
            await guess_until_refused(here)
            refused = await here.get(path)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_misses"), path
            assert int(refused.headers["retry-after"]) > 0
        await guess_until_refused(here)
        assert await code_of_close(port, "NOWHER", stranger) == 4429
        await guess_until_refused(here)
        assert await code_of_close(port, code, stranger) == 4429, "a hit is told no more than a miss"
        assert await code_of_close(port, code, seated) is None
        assert (await here.get("/api/me")).status_code == 200
        assert (await there.get(f"/api/rooms/{code}")).status_code == 200
        assert await code_of_close(port, code, stranger, _THERE) is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_pages_of_other_sites_can_read_that_they_ask_for_too_much(method: str) -> None:
    shares = Shares(misses=1)
    shares.named("127.0.0.1").miss()
    transport = httpx.ASGITransport(FairShares(costly, shares))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        public = await client.request(method, "/api/games/x", headers={"Origin": "https://friend.example"})
        private = await client.request(method, "/api/rooms/NOWHER")
    assert (public.status_code, private.status_code) == (429, 429)
    assert public.headers["access-control-allow-origin"] == "*"
    assert "Retry-After" in public.headers["access-control-expose-headers"]
    assert "access-control-allow-origin" not in private.headers
