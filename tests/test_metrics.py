"""What Prometheus is told, by whom it may be asked, and that the page of it is true."""

import re
import time
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from app.metrics import RoomCollector, make_metrics_router
from app.problems import install_problem_handlers
from app.rooms.hub import Hub
from app.rooms.local_store import LocalStore
from app.rooms.meters import By, Meters, Outcome, Resume
from app.rooms.store import Committed
from tests.servers import ROOT

# Four messages out, one in and one commit, on a computer that does other things too.
MOST_SECONDS_AN_ACTION = 20e-6


@pytest.fixture
def hub(tmp_path: Path) -> Hub:
    """A hub that nobody is at yet."""
    return Hub(LocalStore(tmp_path / "rooms.db"))


async def ask(hub: Hub, headers: dict[str, str] | None = None) -> httpx.Response:
    """The answer of `/metrics` for that hub."""
    app = FastAPI()
    install_problem_handlers(app)
    app.include_router(make_metrics_router(RoomCollector(hub, "local")))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://yamb") as client:
        return await client.get("/metrics", headers=headers)


async def samples(hub: Hub) -> list[Sample]:
    """Everything that Prometheus reads from it."""
    text = (await ask(hub)).text
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


async def value(hub: Hub, name: str, **labels: str) -> float:
    """The one value of that name and those labels."""
    (found,) = [s.value for s in await samples(hub) if s.name == name and s.labels == labels]
    return found


async def test_what_was_counted_is_told_with_its_labels(hub: Hub) -> None:
    meters = hub.meters
    meters.messages["act"] += 3
    meters.refusals["stale"] += 2
    meters.resumes[Resume.UPDATES] += 1
    meters.gaps += 4
    meters.commits[Outcome.CONFLICT].add(0.003)
    assert await value(hub, "yamb_messages_total", type="act") == 3
    assert await value(hub, "yamb_refusals_total", code="stale") == 2
    assert await value(hub, "yamb_resumes_total", kind="updates") == 1
    assert await value(hub, "yamb_gaps_total") == 4
    conflict = {"store": "local", "outcome": "conflict"}
    assert await value(hub, "yamb_commit_seconds_count", **conflict) == 1
    assert await value(hub, "yamb_commit_seconds_bucket", le="0.0025", **conflict) == 0
    assert await value(hub, "yamb_commit_seconds_bucket", le="0.005", **conflict) == 1
    assert await value(hub, "yamb_commit_seconds_bucket", le="+Inf", **conflict) == 1


async def test_close_codes_that_clients_make_up_are_one_line(hub: Hub) -> None:
    hub.meters.closes.update({(By.SERVER, 4429): 1, (By.CLIENT, 4999): 2, (By.CLIENT, 3001): 5})
    assert await value(hub, "yamb_sockets_closed_total", code="4429", by="server") == 1
    assert await value(hub, "yamb_sockets_closed_total", code="other", by="client") == 7


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
async def test_who_comes_through_a_proxy_finds_no_metrics(hub: Hub, header: str) -> None:
    answer = await ask(hub, {header: "203.0.113.7"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_every_metric_has_its_line_in_the_documentation(hub: Hub) -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    listed = set(re.findall(r"^\| `(yamb_\w+)`", page, re.MULTILINE))
    told = {re.sub(r"_(bucket|sum|count)$", "", sample.name) for sample in await _all_samples(hub)}
    assert listed == {name for name in told if name.startswith("yamb_")}


async def _all_samples(hub: Hub) -> list[Sample]:
    """Also of the metrics that have no line before something happened."""
    meters = hub.meters
    for counter in (meters.messages, meters.refusals, meters.recordings):
        counter["one"] += 1
    meters.resumes[Resume.FIRST] += 1
    meters.closes[By.SERVER, 1012] += 1
    return await samples(hub)


async def test_counting_an_action_costs_next_to_nothing() -> None:
    async def commit() -> Committed:
        return committed

    committed, meters, text = Committed(1), Meters(), '{"type":"update","version":1,"at":1790000000000}'
    rounds = 2000
    best = 1.0
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(rounds):
            meters.messages["act"] += 1
            await meters.commit(commit())
            meters.fan_out(text)
            for _ in range(4):
                meters.sent(text)
        best = min(best, (time.perf_counter() - started) / rounds)
    assert best < MOST_SECONDS_AN_ACTION
