"""A server that is stopped or killed under its players, and started again."""

import json
import os
import signal
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.conftest import StartApp
from tests.e2e.table_client import TableClient, make_guest, make_room


async def test_players_are_told_of_a_restart_and_closed_with_1012_and_the_server_exits_with_0(
    start_app: StartApp,
) -> None:
    app = start_app()
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "papir")
    address = app.base_url.replace("http", "ws", 1) + f"/ws/rooms/{code}"
    async with connect(address, additional_headers={"cookie": cookie}) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": 2}))
        assert json.loads(await socket.recv())["type"] == "welcome"
        assert json.loads(await socket.recv())["type"] == "presence"
        os.kill(app.pid, signal.SIGTERM)
        assert json.loads(await socket.recv()) == {"type": "notice", "code": "restarting"}
        assert await close_code(socket) == 1012
    app.stop()
    assert app.exit_status == 0


async def test_a_killed_server_brings_the_table_back_as_last_acknowledged(start_app: StartApp) -> None:
    app = start_app()
    cookie = await make_guest(app.base_url, "Lija")
    code = await make_room(app.base_url, cookie, "papir")
    async with TableClient.connect(app.base_url, code, cookie) as lija:
        await sit_down_and_roll(lija)
    app.kill()
    app.start()
    async with TableClient.connect(app.base_url, code, cookie) as back:
        assert (back.version, back.epoch, back.state) == (lija.version, lija.epoch, lija.state)
        await back.act(type="roll", hold=[0, 1])
        assert back.state["turn"]["roll"] == 2


async def sit_down_and_roll(player: TableClient) -> None:
    """A game of one, and its first roll."""
    commands: list[dict[str, Any]] = [
        {"type": "join", "text": "x"},
        {"type": "ready", "ready": True},
        {"type": "start"},
    ]
    for command in commands:
        await player.must(**command)
    await player.act(type="roll", hold=[])


async def close_code(socket: ClientConnection) -> int | None:
    """The code that the socket is closed with."""
    try:
        await socket.recv()
    except ConnectionClosed:
        return socket.close_code
    raise AssertionError("the socket is still open")
