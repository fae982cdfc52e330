"""A whole game of papir for three, by socket clients on given servers, and what has to hold of it."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import httpx

from app.rules.plain import record_from_plain
from app.rules.record import verify
from tests.e2e.recount import recount
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.faults.telling import Proof, Search
from tests.servers import AppServer

SEED = 20260
NAMES = ("Lija", "Medo", "Zec")
RECORD_SECONDS = 60


async def play_and_check(workers: Sequence[AppServer]) -> None:
    """Play it, then compare what all saw, the record, and a recount. The servers have no other game."""
    async with AsyncExitStack() as sockets:
        players = await _sit_down(workers, sockets)
        await _play(players)
        for player in players:
            await player.wait_until_over()
        _check_what_was_seen(players)
    for worker in workers:
        await _check_the_books(worker.base_url, players[0].state["result"])


async def _sit_down(workers: Sequence[AppServer], sockets: AsyncExitStack) -> list[TableClient]:
    """The players at one table, each at the next worker, and the game started."""
    cookies = [await make_guest(workers[0].base_url, name) for name in NAMES]
    code = await make_room(workers[0].base_url, cookies[0], "papir")
    players = []
    for place, cookie in enumerate(cookies):
        worker = workers[place % len(workers)]
        player = await sockets.enter_async_context(TableClient.connect(worker.base_url, code, cookie))
        await player.must(type="join", text=f"text of {NAMES[place]}")
        await player.must(type="ready", ready=True)
        players.append(player)
    await players[0].must(type="start")
    return players


async def _play(players: list[TableClient]) -> None:
    """Legal moves at random, each by the player whose turn it is as he sees it."""
    rng = random.Random(SEED)
    seen = players[0].version
    while players[0].state["result"] is None:
        player = players[players[0].state["turn"]["seat"]]
        await player.wait_until_version(seen)
        await player.act(**_any_legal(rng, player.state["turn"]))
        seen = player.version
        await players[0].wait_until_version(seen)


def _any_legal(rng: random.Random, turn: dict[str, Any]) -> dict[str, object]:
    legal = turn["legal"]
    ways: list[dict[str, object]] = []
    if legal["roll"]["legal"]:
        hold = [place for place in range(len(turn["dice"])) if rng.random() < 0.5]
        ways.append({"type": "roll", "hold": hold})
    for kind, by_column in (("announce", legal["announce"]), ("fill", legal["open"])):
        cells = [(column, row) for column, rows in by_column.items() for row in rows]
        if cells:
            column, row = rng.choice(cells)
            ways.append({"type": kind, "column": column, "row": row})
    return rng.choice(ways)


def _check_what_was_seen(players: list[TableClient]) -> None:
    last = players[0]
    search = _search_of(last.state)
    for player in players:
        assert player.version == last.version
        assert player.state == last.state
        before_the_end = [frame for frame in player.frames if '"finished"' not in frame]
        assert not [told for frame in before_the_end if (told := search.bytes_told(frame))]
    bound = [frame for frame in last.frames if '"bound":{' in frame.replace(" ", "")]
    assert bound, "no announcement ever bound a player"


def _search_of(state: dict[str, Any]) -> Search:
    """For whatever tells the dice of the game that has just ended."""
    proof = state["dice_proof"]
    texts = [seat["text"] for seat in state["seats"]]
    return Search({proof["game"]: Proof(bytes.fromhex(proof["secret"]), texts, state["variant"]["dice"])}, {})


async def _check_the_books(base_url: str, result: dict[str, Any]) -> None:
    """The game is recorded once, its totals are those of a recount, its dice those of the secret."""
    async with httpx.AsyncClient(base_url=base_url) as http:
        record = await _recorded(http, result["game"])
        totals = recount(record)
        assert {row["seat"]: row["total"] for row in result["standings"]} == dict(enumerate(totals))
        assert {row["seat"]: row["total"] for row in record["standings"]} == dict(enumerate(totals))
        board = (await http.get("/api/leaderboards/papir")).json()["results"]
    assert [row["score"] for row in board] == sorted(totals, reverse=True)
    assert {row["game"] for row in board} == {result["game"]}
    assert sorted(row["player"]["name"] for row in board) == sorted(NAMES)
    verify(record_from_plain(record))


async def _recorded(http: httpx.AsyncClient, game: str) -> dict[str, Any]:
    """The game's record, which the archiver writes soon after the end."""
    for _ in range(RECORD_SECONDS * 10):
        answer = await http.get(f"/api/games/{game}")
        if answer.status_code == httpx.codes.OK:
            return dict(answer.json())
        assert answer.status_code == httpx.codes.NOT_FOUND
        await asyncio.sleep(0.1)
    raise AssertionError(f"game {game} was not recorded within {RECORD_SECONDS} s")
