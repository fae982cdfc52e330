"""The application as a whole: its pages, what browsers may do with them, and a guest's way to a table."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.lifespan.on import LifespanOn
from websockets.asyncio.client import connect

from app.config import Settings
from app.db import Database
from app.main import create_app
from app.schema import migrate
from app.web_files import ResponseHeaders
from tests.rooms.serving import HOST, listening


@pytest.fixture(scope="module")
async def base_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of the application with its embedded default."""
    async with open_client(Settings(data_dir=tmp_path_factory.mktemp("served"))) as client:
        yield str(client.base_url)


@pytest.fixture
async def http(base_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody new there."""
    async with httpx.AsyncClient(base_url=base_url) as client:
        yield client


@asynccontextmanager
async def open_client(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application with these settings."""
    database = Database(settings.database_url)
    await migrate(database)
    await database.dispose()
    async with (
        listening(create_app(settings)) as port,
        httpx.AsyncClient(base_url=f"http://{HOST}:{port}") as client,
    ):
        yield client


async def test_what_has_expired_is_purged_beside_everything_else(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).status_code == 200
    assert "purge" in {task.get_name() for task in asyncio.all_tasks()}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/rooms/KAFANA",
        "/leaderboards",
        "/games/g7d1",
        "/players/p3vq8m2kx7",
        "/rules",
        "/fair",
        "/variants",
        "/variants/7KQ2M-4XD9T",
        "/me",
    ],
)
async def test_every_page_begins_with_the_client(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert answer.status_code == 200
    assert "<title>Yamb</title>" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_a_page_may_load_nothing_from_elsewhere_and_run_nothing_inline(http: httpx.AsyncClient) -> None:
    headers = (await http.get("/")).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "strict-transport-security" not in headers


async def test_behind_tls_browsers_are_told_to_stay_with_it() -> None:
    secure = ResponseHeaders(PlainTextResponse("page"), is_secure=True)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(secure), base_url="https://yamb.test"
    ) as client:
        headers = (await client.get("/")).headers
    assert headers["strict-transport-security"] == "max-age=31536000"


async def test_the_page_keeps_to_its_policy(http: httpx.AsyncClient) -> None:
    page = (await http.get("/")).text
    assert "<style" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script type="module" src="/web/')


async def test_files_of_the_client_are_asked_for_again_and_not_sent_again(http: httpx.AsyncClient) -> None:
    first = await http.get("/web/js/main.js")
    assert first.headers["cache-control"] == "no-cache"
    again = await http.get("/web/js/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_answers_of_the_interface_are_not_kept(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/me")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/variants", "/api/variants/papir", "/api/openapi.json"])
async def test_what_is_public_is_asked_for_again_and_not_sent_again(
    http: httpx.AsyncClient, path: str
) -> None:
    first = await http.get(path)
    assert first.headers["cache-control"] == "no-cache"
    for method in ("GET", "HEAD"):
        again = await http.request(method, path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/nowhere", "/nowhere/at/all", "/rooms/KAFANA/more", "/rules/a//b/", "//"])
async def test_a_page_that_is_not_there_is_told_by_the_client(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(str(http.base_url) + path)
    assert answer.status_code == 404
    assert "<title>Yamb</title>" in answer.text


@pytest.mark.parametrize("path", ["/rules/", "/rooms/KAFANA/", "/nowhere/"])
async def test_a_page_is_found_with_a_slash_after_it(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(f"{path}?lang=sr")
    assert (answer.status_code, answer.headers["location"]) == (307, f"{path[:-1]}?lang=sr")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
async def test_below_the_interface_what_is_not_there_is_a_problem_for_every_method(
    http: httpx.AsyncClient, method: str
) -> None:
    for path in ("/api", "/api/", "/api//", "/api/nowhere", "/api/a/b/c", "/api/me/", "/api/rooms/KAFANA/"):
        answer = await http.request(method, path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
        assert answer.headers["cache-control"] == "no-store"
        assert method == "HEAD" or answer.json()["detail"] == f"there is nothing at {path}"


@pytest.mark.parametrize("path", ["/api/nowhere", "/web/nowhere.js", "/web/%2e%2e/main.py"])
async def test_what_is_not_there_is_a_problem(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("path", ["/", "/nowhere", "/api/me", "/api/variants", "/healthz", "/web/js/main.js"])
async def test_head_is_answered_as_get_without_the_body(http: httpx.AsyncClient, path: str) -> None:
    got, head = await http.get(path), await http.head(path)
    assert head.content == b""
    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.headers["content-length"] == str(len(got.content))


async def chunks(size: int) -> AsyncIterator[bytes]:
    """A body whose length isn't said at its beginning."""
    for _ in range(size // 1000):
        yield b"x" * 1000


@pytest.mark.parametrize("body", [b'{"name": "' + b"x" * 70_000 + b'"}', chunks(70_000)])
async def test_a_body_that_is_too_big_is_a_problem(
    http: httpx.AsyncClient, body: bytes | AsyncIterator[bytes]
) -> None:
    answer = await http.post("/api/guests", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
    assert answer.json()["code"] == "too_big"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_body_may_come_in_pieces(http: httpx.AsyncClient) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"na'
        yield b'me": "Lija"}'

    answer = await http.post("/api/guests", content=pieces(), headers={"content-type": "application/json"})
    assert answer.json()["name"] == "Lija"


@pytest.mark.parametrize("body", [b"nope", b"\xff\xfe", b"[" * 60_000])
async def test_what_is_not_json_is_said_of_the_body(http: httpx.AsyncClient, body: bytes) -> None:
    answer = await http.post("/api/guests", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": "body", "sentence": "the body is not JSON"}]


async def test_the_server_is_alive_and_ready(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).status_code == 200
    assert (await http.get("/readyz")).status_code == 200


async def test_a_server_that_is_about_to_stop_is_alive_but_not_ready(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app) as state,
        httpx.AsyncClient(transport=transport, base_url="http://yamb") as client,
    ):
        before = [(await client.get(path)).status_code for path in ("/healthz", "/readyz")]
        assert state is not None
        await state["drain"]()
        alive, ready = [await client.get(path) for path in ("/healthz", "/readyz")]
    assert before == [200, 200]
    assert alive.status_code == 200
    assert (ready.status_code, ready.json()["code"]) == (503, "not_ready")


@pytest.mark.parametrize(("is_on", "status"), [(True, 200), (False, 404)])
async def test_metrics_are_shown_unless_they_are_turned_off(
    tmp_path: Path, *, is_on: bool, status: int
) -> None:
    app = create_app(Settings(data_dir=tmp_path, metrics=is_on))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://yamb") as client:
        answer = await client.get("/metrics")
    assert answer.status_code == status
    assert ("yamb_sockets_open 0.0" in answer.text) is is_on


async def test_a_guest_makes_a_room_and_is_welcomed_by_his_cookie(http: httpx.AsyncClient) -> None:
    me = (await http.post("/api/guests", json={"name": "Lija"})).json()
    code = (await http.post("/api/rooms", json={"variant": "papir"})).json()["code"]
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    address = f"ws://{http.base_url.netloc.decode()}/ws/rooms/{code}"
    async with connect(address, additional_headers={"cookie": cookie}) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": 2}))
        welcome = json.loads(await socket.recv())
    assert welcome["you"] == {"player": me["player"], "name": "Lija"}
    assert welcome["state"]["room"]["host"] == me["player"]


async def test_behind_tls_a_socket_is_opened_by_the_cookie_of_either_name(tmp_path: Path) -> None:
    """A browser may have its session from before, under the name that goes without TLS."""
    async with open_client(Settings(data_dir=tmp_path, cookie_secure=True)) as client:
        me = await client.post("/api/guests", json={"name": "Lija"})
        token = me.cookies["__Host-yamb_session"]
        bearer = {"authorization": f"Bearer {token}"}
        room = await client.post("/api/rooms", json={"variant": "papir"}, headers=bearer)
        address = f"{client.base_url}/ws/rooms/{room.json()['code']}".replace("http", "ws", 1)
        for cookie in (f"__Host-yamb_session={token}; yamb_session={'A' * 43}", f"yamb_session={token}"):
            async with connect(address, additional_headers={"cookie": cookie}) as socket:
                await socket.send(json.dumps({"type": "hello", "protocol": 2}))
                welcome = json.loads(await socket.recv())
            assert welcome["you"]["player"] == me.json()["player"]


@pytest.mark.parametrize(("is_secure", "name"), [(False, "yamb_session"), (True, "__Host-yamb_session")])
async def test_the_descriptions_name_the_cookie_that_is_given(
    tmp_path: Path, *, is_secure: bool, name: str
) -> None:
    app = create_app(Settings(data_dir=tmp_path, cookie_secure=is_secure))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://yamb") as client:
        rest = (await client.get("/api/openapi.json")).json()["components"]["securitySchemes"]
        sockets = (await client.get("/api/asyncapi.json")).json()["components"]["securitySchemes"]
    assert (rest["cookie"]["name"], sockets["session"]["name"]) == (name, name)


async def test_a_room_store_that_is_in_use_stops_the_start_with_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(data_dir=tmp_path)
    config = uvicorn.Config(create_app(settings), log_config=None)
    config.load()
    second = LifespanOn(config)
    async with listening(create_app(settings)):
        await second.startup()
    said = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert said[0].endswith("is in use by another process; several processes share rooms through Redis")
    assert "\n" not in said[0]
    assert second.should_exit


async def test_what_a_client_may_make_and_hold_is_what_the_settings_say(tmp_path: Path) -> None:
    few = Settings(data_dir=tmp_path, guests_per_address=2, rooms_per_player=1, sockets_per_player=1)
    async with open_client(few) as client:
        for name in ("Medo", "Lija"):
            (await client.post("/api/guests", json={"name": name})).raise_for_status()
        room = await client.post("/api/rooms", json={"variant": "papir"})
        refused = [
            await client.post("/api/guests", json={"name": "Zec"}),
            await client.post("/api/rooms", json={"variant": "papir"}),
        ]
        assert [answer.json()["code"] for answer in refused] == ["too_many_guests", "too_many_rooms"]
        assert all(3500 < int(answer.headers["retry-after"]) <= 3600 for answer in refused)

        address = f"{client.base_url}/ws/rooms/{room.json()['code']}".replace("http", "ws", 1)
        headers = {"cookie": f"yamb_session={client.cookies['yamb_session']}"}
        async with connect(address, additional_headers=headers) as first:
            await first.send('{"type": "hello", "protocol": 2}')
            assert json.loads(await first.recv())["type"] == "welcome"
            async with connect(address, additional_headers=headers) as second:
                await second.wait_closed()
                assert second.close_code == 4431
