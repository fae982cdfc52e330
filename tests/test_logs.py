"""What a server's log says of its players' evening: every line with the ids by which others are found."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.faults.waiting import becomes
from tests.patience import PATIENCE_SECONDS
from tests.servers import AppServer

Line = dict[str, Any]


@pytest.fixture(scope="module")
def app() -> Iterator[AppServer]:
    """A server that writes its log for machines, for all tests here."""
    with AppServer({"YAMB_LOG_FORMAT": "json"}) as server:
        yield server


def lines(app: AppServer, event: str) -> list[Line]:
    """The lines of that event."""
    logged = [json.loads(line) for line in app.output.splitlines() if line.startswith("{")]
    return [line for line in logged if line["event"] == event]


def of_room(app: AppServer, event: str, code: str) -> list[Line]:
    """Those of one room: other tests use the same server."""
    return [line for line in lines(app, event) if line.get("room") == code]


async def test_a_game_leaves_a_line_at_each_of_its_turning_points(app: AppServer) -> None:
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "my-yahtzee")
    async with TableClient.connect(app.base_url, code, cookie) as lija:
        await lija.must(type="join", text="x")
        await lija.must(type="ready", ready=True)
        await lija.must(type="start")
        await play_to_the_end(lija)
        player, game = lija.you["player"], lija.state["dice_proof"]["game"]
    # The archiver goes its own way: a server that is stopped at once leaves the game to the next start.
    assert await becomes(lambda: bool(of_room(app, "game recorded", code)), PATIENCE_SECONDS)
    app.stop()
    for event in ("room made", "game started", "game finished"):
        (line,) = of_room(app, event, code)
        assert (line["player"], line["game"]) == (player, game)
        assert line["request"]
    (started,), (finished,) = (of_room(app, event, code) for event in ("game started", "game finished"))
    assert started["socket"] == finished["socket"]
    assert started["request"] != finished["request"]
    (recorded,) = of_room(app, "game recorded", code)
    assert recorded["game"] == game
    for event in ("draining", "drained"):
        assert lines(app, event)[-1]["sockets"] == 0
    assert lija.state["dice_proof"]["secret"] not in app.output
    assert cookie.partition("=")[2] not in app.output
    app.start()


async def play_to_the_end(player: TableClient) -> None:
    """One roll a turn, and the first cell that it can be written into."""
    chance = random.Random(1)
    while player.state["turn"] is not None:
        await player.act(type="roll", hold=[])
        column, row = chance.choice(
            [(column, row) for column, rows in player.state["turn"]["legal"]["open"].items() for row in rows]
        )
        await player.act(type="fill", column=column, row=row)


async def test_a_refused_socket_leaves_a_line_with_its_code(app: AppServer) -> None:
    address = app.base_url.replace("http", "ws", 1) + f"/ws/rooms/{'N' * 40}"
    async with connect(address, additional_headers={"X-Request-ID": "from-the-proxy"}) as socket:
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    (line,) = [one for one in lines(app, "socket refused") if one["socket"] == "from-the-proxy"]
    assert (line["code"], line["room"]) == (4401, "N" * 16)


async def test_no_line_has_the_query_of_a_request_or_the_address_of_a_client(app: AppServer) -> None:
    secret = "never-to-be-logged"
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "my-yahtzee")
    sockets = app.base_url.replace("http", "ws")
    ports = []
    for path in (f"/ws/rooms/{code}", "/ws/rooms/KAFANA", "/ws/nothing"):
        with suppress(ConnectionClosed, InvalidStatus):
            async with connect(
                f"{sockets}{path}?token={secret}", additional_headers={"Cookie": cookie}
            ) as socket:
                ports.append(socket.local_address[1])
                await socket.send("{}")
                await socket.recv()
    async with httpx.AsyncClient(base_url=app.base_url) as client:
        for path in ("/", "/api/me", f"/api/rooms/{code}", "/api/nothing", "/api/leaderboards/papir"):
            await client.get(path, params={"token": secret}, headers={"X-Forwarded-For": "198.51.100.77"})
    app.stop()
    output = app.output
    app.start()
    assert ports
    assert secret not in output
    assert "198.51.100.77" not in output
    assert not [port for port in ports if str(port) in output]


def test_an_answer_bears_the_id_of_its_request(app: AppServer) -> None:
    made = [httpx.get(f"{app.base_url}/healthz").headers["x-request-id"] for _ in range(2)]
    assert len(set(made)) == 2
    assert all(len(one) == 16 for one in made)
    given = {"X-Request-ID": "lb-7f3.1"}
    assert httpx.get(f"{app.base_url}/api/nowhere", headers=given).headers["x-request-id"] == "lb-7f3.1"


@pytest.mark.parametrize("given", ["x" * 65, "a b", '{"a":1}'])
def test_an_id_that_could_be_anything_is_not_taken_over(app: AppServer, given: str) -> None:
    answer = httpx.get(f"{app.base_url}/healthz", headers={"X-Request-ID": given})
    assert len(answer.headers["x-request-id"]) == 16
