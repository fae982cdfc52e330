"""What is told of REST requests: by route and class of status, never what a client wrote into an address."""

import json
from collections.abc import Iterator

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.e2e.table_client import make_guest
from tests.faults.waiting import becomes
from tests.patience import PATIENCE_SECONDS
from tests.servers import AppServer

SECRET = "never-to-be-told"
UNLIMITED = {"YAMB_MISSES_PER_ADDRESS": "0", "YAMB_SHARE_PER_ADDRESS": "0"}


@pytest.fixture(scope="module")
def app() -> Iterator[AppServer]:
    """A server that tells all it can, without bounds for one address."""
    with AppServer({"YAMB_LOG_FORMAT": "json", "YAMB_LOG_LEVEL": "debug", **UNLIMITED}) as server:
        yield server


def request_samples(app: AppServer) -> list[Sample]:
    text = httpx.get(f"{app.base_url}/metrics").text
    families = text_string_to_metric_families(text)
    return [
        s for family in families for s in family.samples if s.name.startswith("yamb_http_request_seconds")
    ]


def requests(app: AppServer) -> dict[tuple[str, str], float]:
    """How many there were, by route and class of status."""
    counted = [sample for sample in request_samples(app) if sample.name.endswith("_count")]
    return {(sample.labels["route"], sample.labels["status"]): sample.value for sample in counted}


@pytest.mark.parametrize(
    ("method", "path", "counted"),
    [
        ("GET", "/api/variants", ("/api/variants", "2xx")),
        ("HEAD", "/api/variants", ("/api/variants", "2xx")),
        ("GET", "/api/rooms/KAFANA", ("/api/rooms/{code}", "4xx")),
        ("DELETE", "/api/leaderboards/papir", ("/api/leaderboards/{variant}", "4xx")),
        ("GET", "/rooms/KAFANA", ("/rooms/{code}", "2xx")),
        ("GET", "/api/nothing", ("other", "4xx")),
        ("GET", "/web/nothing.js", ("other", "4xx")),
    ],
)
def test_a_request_counts_for_its_route(
    app: AppServer, method: str, path: str, counted: tuple[str, str]
) -> None:
    before = requests(app).get(counted, 0)
    httpx.request(method, f"{app.base_url}{path}")
    assert requests(app)[counted] == before + 1


def test_a_flood_of_made_up_addresses_makes_no_new_numbers(app: AppServer) -> None:
    def ask_for(name: str) -> None:
        for path in ("", "api/", "api/rooms/", "api/games/", "api/players/", "web/", "rooms/", "players/"):
            client.get(f"/{path}{SECRET}{name}", params={"x": name})

    with httpx.Client(base_url=app.base_url) as client:
        ask_for("first")
        before = {(s.name, *s.labels.items()) for s in request_samples(app)}
        for number in range(50):
            ask_for(str(number))
    after = {(s.name, *s.labels.items()) for s in request_samples(app)}
    assert before | {x for x in after if ("route", "/metrics") in x} == after
    assert SECRET not in str(after)


async def test_at_debug_each_request_is_a_line_without_what_its_client_wrote(app: AppServer) -> None:
    cookie = await make_guest(app.base_url, "Lija")
    path = f"/api/games/{SECRET}"
    headers = {"Cookie": cookie, "X-Request-ID": "mine", "X-Forwarded-For": "198.51.100.9"}
    async with httpx.AsyncClient(base_url=app.base_url) as client:
        await client.get(path, params={"token": SECRET}, headers=headers)
    assert await becomes(lambda: '"mine"' in app.output, PATIENCE_SECONDS)
    lines = [json.loads(line) for line in app.output.splitlines() if '"mine"' in line]
    (line,) = [line for line in lines if line["event"] == "request answered"]
    assert (line["level"], line["method"], line["route"]) == ("debug", "GET", "/api/games/{game}")
    assert 400 <= line["status"] < 500
    assert line["seconds"] > 0
    for hidden in (SECRET, "198.51.100.9", cookie.partition("=")[2]):
        assert hidden not in app.output


def test_at_info_requests_leave_no_lines() -> None:
    with AppServer({"YAMB_LOG_FORMAT": "json"}) as server:
        httpx.get(f"{server.base_url}/api/variants")
        assert "request answered" not in server.output
