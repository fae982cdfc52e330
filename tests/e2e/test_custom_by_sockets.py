"""A variant that a player made, played to the end by socket clients, over both stores."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import httpx

from app.rules.custom import custom_variant
from app.rules.plain import record_from_plain
from app.rules.record import verify
from tests.browser.players import play_to_the_end
from tests.conftest import StartApp
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.servers import AppServer

RECORD_SECONDS = 60
ROWS = ("ones", "sixes", "max", "min")
OWN: dict[str, Any] = {
    "dice": 6,
    "rows": [*({"row": row} for row in ROWS), {"row": "yamb", "bonus": 77}],
    "columns": [{"column": name} for name in ("up", "announced", "notification", "maximum")],
    "bonus_steps": [{"at_least": 20, "award": 5}],
    "last_cell_rolls": 5,
}
VARIANT = custom_variant(OWN)
ALONE = custom_variant(OWN | {"columns": [one for one in OWN["columns"] if one["column"] != "notification"]})


async def test_on_one_worker_with_the_embedded_store(start_app: StartApp) -> None:
    await _play_and_check([start_app()])


async def test_over_two_workers_with_redis_and_postgresql(two_workers: list[AppServer]) -> None:
    await _play_and_check(two_workers)


async def _play_and_check(workers: Sequence[AppServer]) -> None:
    base_url = workers[0].base_url
    cookies = [await make_guest(base_url, name) for name in ("Lija", "Medo")]
    async with httpx.AsyncClient(base_url=base_url, headers={"cookie": cookies[0]}) as http:
        made = await http.post("/api/variants", json=OWN)
        assert (made.status_code, made.json()["id"]) == (201, VARIANT.id)
        empty = await http.get(f"/api/leaderboards/{VARIANT.id}")
        assert (empty.status_code, empty.json()["total"]) == (200, 0)
        result = await _play(workers, cookies, "classic-5x4")
        board = await _board(http, VARIANT.id, result["game"])
        assert board == sorted((row["total"] for row in result["standings"]), reverse=True)
        alone = await _play(workers[-1:], cookies[:1], VARIANT.id)
        assert await _board(http, ALONE.id, alone["game"]) == [alone["standings"][0]["total"]]
        assert (await http.get(f"/api/variants/{ALONE.id}")).json()["turns"] == 10


async def _play(workers: Sequence[AppServer], cookies: list[str], made_with: str) -> dict[str, Any]:
    """A whole game at a table that its host sets to the variant; its result."""
    code = await make_room(workers[0].base_url, cookies[0], made_with)
    async with AsyncExitStack() as sockets:
        players = []
        for place, cookie in enumerate(cookies):
            base_url = workers[place % len(workers)].base_url
            players.append(await sockets.enter_async_context(TableClient.connect(base_url, code, cookie)))
            await players[-1].must(type="join", text=f"text {place}")
        await players[0].must(type="settings", variant=VARIANT.id, max_seats=2)
        assert players[0].state["variant"]["last_cell_rolls"] == 5
        for player in players:
            await player.must(type="ready", ready=True)
        await players[0].wait_until(lambda: all(seat["ready"] for seat in players[0].state["seats"]))
        await players[0].must(type="start")
        for player in players:
            await player.wait_until_version(players[0].version)
        await play_to_the_end(players)
        result: dict[str, Any] = players[0].state["result"]
    return result


async def _board(http: httpx.AsyncClient, variant: str, game: str) -> list[int]:
    """The scores of a variant's leaderboard, once the game is in the books; its record is honest."""
    record = await http.get(f"/api/games/{game}")
    for _ in range(RECORD_SECONDS * 10):
        if record.status_code == httpx.codes.OK:
            break
        await asyncio.sleep(0.1)
        record = await http.get(f"/api/games/{game}")
    verify(record_from_plain(record.json()))
    assert record.json()["variant"]["id"] in {VARIANT.id, variant}
    rows = (await http.get(f"/api/leaderboards/{variant}")).json()["results"]
    assert {row["game"] for row in rows} == {game}
    return [row["score"] for row in rows]
