"""A name that leads here is answered only where nobody else could have chosen it."""

from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from app.config import Settings
from app.hosts import KnownHosts
from app.main import create_app
from tests.rooms.serving import listening

KNOWN = (
    "127.0.0.1",
    "192.168.1.20:8000",
    "[::1]:8000",
    "localhost",
    "nas:8000",
    "yamb.local",
    "game.example.org",
)
UNKNOWN = (
    "attacker.com",
    "192.168.1.20.attacker.com:8000",
    "localhost.attacker.com",
    "[::1",
    "game.example.org.evil.net",
)


@pytest.mark.parametrize(("host", "status"), [*((h, 200) for h in KNOWN), *((h, 421) for h in UNKNOWN)])
async def test_only_addresses_local_names_and_allowed_ones_are_answered(host: str, status: int) -> None:
    app = KnownHosts(PlainTextResponse("here"), ["game.example.org"])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
        answer = await client.get("/", headers={"Host": host})
    assert answer.status_code == status
    if status == 421:
        assert answer.json()["code"] == "unknown_host"
        assert "YAMB_ALLOWED_HOSTS" in answer.json()["detail"]


async def test_a_page_whose_name_was_led_here_reaches_neither_rest_nor_a_table(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    async with listening(app) as port, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        evil = {"Host": f"attacker.com:{port}", "Origin": f"http://attacker.com:{port}"}
        assert (await client.post("/api/guests", json={"name": "Lija"}, headers=evil)).status_code == 421
        async with connect(f"ws://attacker.com:{port}/ws/rooms/KAFANA", host="127.0.0.1") as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 4403
