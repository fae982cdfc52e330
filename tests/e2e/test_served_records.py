"""Whatever a server serves of a finished game verifies and replays as it is: nothing is taken out first.

One list of forms, over games in which every kind of player sat.
"""

import asyncio
import json
import random
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from subprocess import run
from typing import Any

import httpx
import pytest

from app.cli import main
from tests.browser.players import play_a_turn
from tests.conftest import StartApp
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.e2e.whole_game import recorded
from tests.servers import AppServer

Capture = pytest.CaptureFixture[str]
PASSWORD = "seven blue herons"
ROWS = [{"row": row} for row in ("ones", "sixes", "max", "min")]
OWN = {"dice": 5, "rows": ROWS, "columns": [{"column": "free"}]}


@dataclass(frozen=True)
class Served:
    """A server with a finished game, and the cookies of an account that played, and of a guest."""

    server: AppServer
    game: str
    account: str
    guest: str


@pytest.fixture
async def served(start_app: StartApp) -> Served:
    """An account, a guest of its name, a seat left to a bot, a bot; undone, kept, a custom variant."""
    server = start_app()
    cookies = [await make_guest(server.base_url, name) for name in ("Lija", "Lija", "Zec")]
    account = {"user_name": "lija", "password": PASSWORD}
    registered = await ask(server, cookies[0], "POST", "/api/accounts", body=account)
    cookies[0] = "; ".join(f"{key}={value}" for key, value in registered.cookies.items())
    made = await ask(server, cookies[0], "POST", "/api/variants", body=OWN)
    code = await make_room(server.base_url, cookies[0], made.json()["id"])
    game = await play(server, code, cookies)
    async with httpx.AsyncClient(base_url=server.base_url) as http:
        await recorded(http, game)
    return Served(server, game, cookies[0], cookies[1])


async def play(server: AppServer, code: str, cookies: list[str]) -> str:
    """The game's id, once it is over."""
    async with AsyncExitStack() as sockets:
        players = [
            await sockets.enter_async_context(TableClient.connect(server.base_url, code, cookie))
            for cookie in cookies
        ]
        await sit_down(players)
        await play_a_turn_and_take_it_back(players[0])
        await players[2].must(type="leave")
        await players[1].must(type="keep", keep=True)
        await play_to_the_end_beside_bots(players[:2])
        return str(players[0].state["result"]["game"])


async def sit_down(players: list[TableClient]) -> None:
    host = players[0]
    for number, player in enumerate(players):
        await player.must(type="join", text=f"text {number}")
    variant = host.state["variant"]["id"]
    await host.must(type="settings", variant=variant, max_seats=4, undo="entry")
    await host.must(type="add_bot")
    for player in players:
        await player.must(type="ready", ready=True)
    await host.wait_until(lambda: all(seat["ready"] for seat in host.state["seats"]))
    await host.must(type="start")


async def play_a_turn_and_take_it_back(player: TableClient) -> None:
    turn = player.state["turn"]
    await play_a_turn(player, random.Random(1))
    now = player.state["turn"]
    await player.must(
        type="act", seat=turn["seat"], turn=now["turn"], roll=now["roll"], action={"type": "undo"}
    )


async def play_to_the_end_beside_bots(players: list[TableClient]) -> None:
    chance = random.Random(2)
    watcher = players[0]
    while watcher.state["result"] is None:
        turn = watcher.state["turn"]
        if turn["seat"] < len(players):
            await players[turn["seat"]].wait_until_version(watcher.version)
            await play_a_turn(players[turn["seat"]], chance)
            await watcher.wait_until_version(players[turn["seat"]].version)
        else:
            before = watcher.version
            await watcher.wait_until(lambda: watcher.version > before)  # noqa: B023 - waited for at once


async def ask(
    server: AppServer, cookie: str, method: str, path: str, *, body: object = None
) -> httpx.Response:
    """The answer, which is a success."""
    headers = {"cookie": cookie, "origin": server.base_url}
    async with httpx.AsyncClient(base_url=server.base_url, headers=headers) as http:
        answer = await http.request(method, path, json=body)
    answer.raise_for_status()
    return answer


async def by_rest(served: Served) -> bytes:
    """What the page's "Download the record" saves, too."""
    return (await ask(served.server, served.guest, "GET", f"/api/games/{served.game}")).content


async def indented(served: Served) -> bytes:
    return json.dumps(json.loads(await by_rest(served)), indent=2).encode()


async def as_a_list(served: Served) -> bytes:
    return b"[" + await by_rest(served) + b"]"


async def kept_by_the_device(served: Served) -> bytes:
    """The file that a page's list of kept games writes, by `fileOf` of app/web/js/device_file.js."""
    record = json.loads(await by_rest(served))
    games = [{"seat": 1, "record": record}]
    return json.dumps({"kind": "yamb games", "version": 1, "games": games}).encode()


async def all_about_the_account(served: Served) -> bytes:
    return (await ask(served.server, served.account, "GET", "/api/me/export")).content


async def all_about_the_guest(served: Served) -> bytes:
    return (await ask(served.server, served.guest, "GET", "/api/me/export")).content


async def exported(served: Served) -> bytes:
    return await asyncio.to_thread(export_games, served.server)


def export_games(server: AppServer) -> bytes:
    command = [sys.executable, "-m", "app.cli", "export-games"]
    done = run(command, env=dict(server.env()), cwd=server.folder, capture_output=True, check=True)
    return done.stdout


async def read_by_the_page(file: Path, player: str) -> dict[str, Any]:
    """The only game in the file, as the page's own modules read and check it for that player."""
    command = ["node", str(Path(__file__).with_name("read_games.js")), str(file), player]
    done = await asyncio.to_thread(run, command, capture_output=True, check=True)
    (game,) = json.loads(done.stdout)
    return dict(game)


FORMS: list[Callable[[Served], Awaitable[bytes]]] = [
    by_rest,
    indented,
    as_a_list,
    kept_by_the_device,
    all_about_the_account,
    all_about_the_guest,
    exported,
]


async def nothing(_served: Served) -> None:
    """Everybody is as they were."""


async def rename_both(served: Served) -> None:
    for cookie in (served.account, served.guest):
        await ask(served.server, cookie, "PATCH", "/api/me", body={"name": "Vuk"})


async def delete_the_account(served: Served) -> None:
    await ask(served.server, served.account, "DELETE", "/api/me", body={"password": PASSWORD})


@pytest.mark.timeout(240)
async def test_every_form_in_which_a_game_is_served_verifies_and_replays(
    served: Served, tmp_path: Path, capsys: Capture
) -> None:
    record = json.loads(await by_rest(served))
    assert {seat["ended"].split("_")[0] for seat in record["seats"]} >= {"played", "bot"}
    assert any(seat.get("kept") for seat in record["seats"])
    assert any(event["type"] == "undone" for event in record["log"])
    lines = set()
    for change in (nothing, rename_both, delete_the_account):
        await change(served)
        for form in FORMS:
            if change is delete_the_account and form is all_about_the_account:
                continue
            file = tmp_path / f"{change.__name__}-{form.__name__}"
            file.write_bytes(await form(served))
            assert [main(["verify", str(file)]), capsys.readouterr().out.split(" ")[0]] == [0, "ok:"], file
            assert main(["replay", str(file)]) == 0, file
            assert "takes it back" in capsys.readouterr().out
            assert main(["replay", "--line", str(file)]) == 0, file
            lines.add(capsys.readouterr().out)
            by_page = await read_by_the_page(file, record["seats"][1]["player"])
            assert (by_page["game"], by_page["wrong"]) == (served.game, []), file
            assert by_page["seat"] == (0 if form is all_about_the_account else 1), file
            checks = ("isCommitmentKept", "isKeyOfGame", "areBotsTextsKnown")
            assert all(by_page[check] for check in checks), file
    assert len(lines) == 1, "the game is the same in every form"
