"""The proxy as docker-compose.yml has it, before two real servers: only addresses in its file are changed."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

import httpx
import pytest
from redis import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from devtools.programs import find_nginx
from tests.e2e.table_client import TableClient, make_guest, make_room
from tests.servers import HOST, ROOT, AppServer, RedisServer, Server

CONFIGURATION = ROOT / "deploy" / "nginx.conf"


class Proxy(Server):
    """Nginx before the servers at these ports."""

    def __init__(self, program: str, ports: Sequence[int]) -> None:
        super().__init__()
        self._program = program
        self._ports = ports

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def command(self) -> Sequence[str]:
        servers = "".join(f"server {HOST}:{port};" for port in self._ports)
        changes = {
            "http {": f"http {{ upstream servers {{ {servers} }}",
            "set $servers app:8000;": "set $servers servers;",
            # Each worker takes turns of its own.
            "worker_processes auto;": "worker_processes 1;",
            "listen 8080;": f"listen {HOST}:{self.port};",
        }
        text = CONFIGURATION.read_text().replace("/tmp/", f"{self.folder}/")  # noqa: S108 - a path in its text
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        written = self.folder / "nginx.conf"
        written.write_text(text)
        return [
            self._program,
            "-p",
            str(self.folder),
            "-c",
            str(written),
            "-e",
            "stderr",
            "-g",
            "daemon off;",
        ]


@pytest.fixture(scope="module")
def servers(redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[AppServer]]:
    """Two servers of the same rooms and players, that trust a proxy on this computer."""
    if not redis_server.is_running:
        redis_server.start()
    with Redis.from_url(redis_server.url) as client:
        client.flushdb()
    shared = tmp_path_factory.mktemp("shared") / "yamb.db"
    env: Mapping[str, str] = {
        "YAMB_REDIS_URL": redis_server.url,
        "YAMB_DATABASE_URL": f"sqlite+aiosqlite:///{shared}",
        "YAMB_TRUSTED_PROXIES": HOST,
        "YAMB_LOG_FORMAT": "json",
    }
    with AppServer(env) as one, AppServer(env) as other:
        yield [one, other]


@pytest.fixture(scope="module")
def proxy(servers: list[AppServer]) -> Iterator[Proxy]:
    """The proxy before them."""
    program = find_nginx()
    if program is None:
        pytest.skip("no nginx on this computer: install it or set NGINX to try the proxy")
    with Proxy(program, [server.port for server in servers]) as running:
        yield running


def test_the_proxy_hands_on_requests_and_their_ids(proxy: Proxy) -> None:
    answer = httpx.get(f"{proxy.base_url}/healthz")
    assert answer.json() == {"status": "alive"}
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])


def test_the_proxy_shows_nobody_the_metrics(proxy: Proxy, servers: list[AppServer]) -> None:
    assert httpx.get(f"{proxy.base_url}/metrics").status_code == 404
    forwarded = {"X-Forwarded-For": "203.0.113.7"}
    assert httpx.get(f"{servers[0].base_url}/metrics", headers=forwarded).status_code == 404
    assert httpx.get(f"{servers[0].base_url}/metrics").status_code == 200


async def test_pages_of_the_proxys_own_address_may_play_and_others_may_not(proxy: Proxy) -> None:
    cookie = await make_guest(proxy.base_url, "Lija")
    code = await make_room(proxy.base_url, cookie, "papir")
    address = proxy.base_url.replace("http", "ws", 1) + f"/ws/rooms/{code}"
    codes = {}
    for origin in (proxy.base_url, "https://evil.example"):
        headers = {"cookie": cookie, "origin": origin}
        async with connect(address, additional_headers=headers) as socket:
            try:
                await socket.send(json.dumps({"type": "hello", "protocol": 2}))
                codes[origin] = json.loads(await socket.recv())["type"]
            except ConnectionClosed:
                codes[origin] = socket.close_code
    assert codes == {proxy.base_url: "welcome", "https://evil.example": 4403}


async def test_a_table_is_played_through_the_proxy_on_both_servers_and_goes_on_when_one_is_stopped(
    proxy: Proxy, servers: list[AppServer]
) -> None:
    cookies = [await make_guest(proxy.base_url, name) for name in ("Lija", "Medo")]
    code = await make_room(proxy.base_url, cookies[0], "papir")
    async with (
        TableClient.connect(proxy.base_url, code, cookies[0]) as lija,
        TableClient.connect(proxy.base_url, code, cookies[1]) as medo,
    ):
        assert [metric(server, "yamb_sockets_open") for server in servers] == [1, 1]
        for player in (lija, medo):
            await player.must(type="join", text="x")
        for player in (lija, medo):
            await player.must(type="ready", ready=True)
        await lija.must(type="start")
        await lija.act(type="roll", hold=[])
        assert [metric(server, 'yamb_rooms{phase="playing"}') for server in servers] == [1, 1]
    stopped, _ = servers
    stopped.stop()
    async with TableClient.connect(proxy.base_url, code, cookies[0]) as again:
        assert again.state == lija.state
        await again.act(type="roll", hold=[0])
    stopped.start()


def metric(server: AppServer, line: str) -> float:
    """A number that a server tells Prometheus, by the beginning of its line."""
    text = httpx.get(f"{server.base_url}/metrics").text
    (value,) = re.findall(rf"^{re.escape(line)} (.+)$", text, re.MULTILINE)
    return float(value)


def statuses_of_wrong_passwords(proxy: Proxy, stranger: str, forwarded: Mapping[str, str]) -> list[int]:
    """What eleven wrong passwords get, sent from an address with headers; `{}` stands for a number."""
    wrong = {"user_name": "lija", "password": "a guess that is wrong"}
    with httpx.Client(transport=httpx.HTTPTransport(local_address=stranger)) as client:
        return [
            client.post(
                f"{proxy.base_url}/api/sessions",
                json=wrong,
                headers={name: value.format(number) for name, value in forwarded.items()},
            ).status_code
            for number in range(11)
        ]


@pytest.mark.parametrize(
    ("stranger", "header"),
    [
        (HOST, "X-Forwarded-For"),  # as where a gateway has an address of the proxy's own network
        ("127.0.0.21", "X-Forwarded-For"),
        ("127.0.0.22", "X-Real-IP"),
        ("127.0.0.23", "Forwarded"),
    ],
)
def test_nobody_gets_another_address_by_what_they_send_to_the_proxy(
    proxy: Proxy, stranger: str, header: str
) -> None:
    value = "for=198.51.100.{}" if header == "Forwarded" else "198.51.100.{}"
    assert statuses_of_wrong_passwords(proxy, stranger, {header: value}) == [401] * 10 + [429]


def test_two_addresses_behind_the_proxy_are_two(proxy: Proxy) -> None:
    assert statuses_of_wrong_passwords(proxy, "127.0.0.24", {})[-1] == 429
    assert statuses_of_wrong_passwords(proxy, "127.0.0.25", {})[:10] == [401] * 10
