"""What Prometheus is told, by whom it may be asked, and that the page of it is true."""

import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client import Histogram
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from ruamel.yaml import YAML

from app.connections import Connections, Reason
from app.database_metrics import DatabaseCollector
from app.db import Database
from app.metrics import ConnectionCollector, RoomCollector, make_metrics_router
from app.problems import install_problem_handlers
from app.request_metrics import make_request_seconds
from app.rooms.hub import Hub
from app.rooms.local_store import LocalStore
from app.rooms.meters import By, Meters, Outcome, Resume
from app.rooms.store import Commit, Committed
from app.store_metrics import StoreCollector
from tests.rooms.tables import NOW, lobby, played_out, started
from tests.servers import ROOT
from tests.values import replace

# Four messages out, one in and one commit.
MOST_CALLS_AN_ACTION = 12


@dataclass(frozen=True, slots=True)
class Read:
    """What the metrics are read from."""

    store: LocalStore
    hub: Hub
    connections: Connections
    database: Database
    seconds: Histogram


@pytest.fixture
async def read(tmp_path: Path) -> AsyncIterator[Read]:
    """An open store without rooms, and a hub that nobody is at."""
    store = LocalStore(tmp_path / "rooms.db")
    hub = Hub(store)
    await store.open(hub)
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'kept' / 'yamb.db'}")
    yield Read(store, hub, Connections(), database, make_request_seconds())
    await database.dispose()
    await store.close()


async def ask(read: Read, headers: dict[str, str] | None = None) -> httpx.Response:
    """The answer of `/metrics` for what it is read from."""
    app = FastAPI()
    install_problem_handlers(app)
    stored = StoreCollector(read.store, lambda: NOW + 5000)
    connected = ConnectionCollector(read.connections)
    kept = DatabaseCollector(read.database.ping)
    app.include_router(
        make_metrics_router(RoomCollector(read.hub, "local"), stored, connected, kept, read.seconds)
    )
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://yamb") as client:
        return await client.get("/metrics", headers=headers)


async def samples(read: Read) -> list[Sample]:
    """Everything that Prometheus reads from it."""
    text = (await ask(read)).text
    return [sample for family in text_string_to_metric_families(text) for sample in family.samples]


async def value(read: Read, name: str, **labels: str) -> float:
    """The one value of that name and those labels."""
    (found,) = [s.value for s in await samples(read) if s.name == name and s.labels == labels]
    return found


async def test_what_was_counted_is_told_with_its_labels(read: Read) -> None:
    meters = read.hub.meters
    meters.messages["act"] += 3
    meters.refusals["stale"] += 2
    meters.resumes[Resume.UPDATES] += 1
    meters.gaps += 4
    meters.commits[Outcome.CONFLICT].add(0.003)
    read.connections.refusals.add(Reason.HEAD_TIME)
    assert await value(read, "yamb_connections_refused_total", reason="head_time") == 1
    assert await value(read, "yamb_messages_total", type="act") == 3
    assert await value(read, "yamb_refusals_total", code="stale") == 2
    assert await value(read, "yamb_resumes_total", kind="updates") == 1
    assert await value(read, "yamb_gaps_total") == 4
    conflict = {"store": "local", "outcome": "conflict"}
    assert await value(read, "yamb_commit_seconds_count", **conflict) == 1
    assert await value(read, "yamb_commit_seconds_bucket", le="0.0025", **conflict) == 0
    assert await value(read, "yamb_commit_seconds_bucket", le="0.005", **conflict) == 1
    assert await value(read, "yamb_commit_seconds_bucket", le="+Inf", **conflict) == 1


async def test_close_codes_that_clients_make_up_are_one_line(read: Read) -> None:
    read.hub.meters.closes.update({(By.SERVER, 4429): 1, (By.CLIENT, 4999): 2, (By.CLIENT, 3001): 5})
    assert await value(read, "yamb_sockets_closed_total", code="4429", by="server") == 1
    assert await value(read, "yamb_sockets_closed_total", code="other", by="client") == 7


async def test_rooms_are_counted_by_phase_and_finished_games_by_how_long_they_wait(read: Read) -> None:
    await read.store.create(lobby())
    assert await value(read, "yamb_rooms", phase="lobby") == 1
    finished = replace(played_out(started()), ended_at=NOW)
    await read.store.commit(Commit(finished, 0, "r", b"{}", is_finished=True))
    assert await value(read, "yamb_rooms", phase="lobby") == 0
    assert await value(read, "yamb_rooms", phase="finished") == 1
    assert await value(read, "yamb_unrecorded_games") == 1
    assert await value(read, "yamb_unrecorded_oldest_seconds") == 5
    await read.store.mark_recorded(finished.code, finished.game_id)
    assert await value(read, "yamb_unrecorded_games") == 0
    assert await value(read, "yamb_unrecorded_oldest_seconds") == 0


async def test_of_a_store_that_is_away_only_that_is_told(read: Read) -> None:
    assert await value(read, "yamb_store_up") == 1
    await read.store.close()
    assert await value(read, "yamb_store_up") == 0
    assert [sample for sample in await samples(read) if sample.name == "yamb_rooms"] == []


async def test_whether_the_database_answers_is_told_anew_each_time(read: Read, tmp_path: Path) -> None:
    assert await value(read, "yamb_database_up") == 0
    (tmp_path / "kept").mkdir()
    assert await value(read, "yamb_database_up") == 1


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
async def test_who_comes_through_a_proxy_finds_no_metrics(read: Read, header: str) -> None:
    answer = await ask(read, {header: "203.0.113.7"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_every_metric_has_its_line_in_the_documentation(read: Read) -> None:
    page = (ROOT / "docs" / "operating.md").read_text()
    listed = set(re.findall(r"^\| `(yamb_\w+)`", page, re.MULTILINE))
    told = {re.sub(r"_(bucket|sum|count)$", "", sample.name) for sample in await _all_samples(read)}
    assert listed == {name for name in told if name.startswith("yamb_")}


async def test_every_alert_asks_for_numbers_that_there_are(read: Read) -> None:
    loaded = YAML(typ="safe").load(ROOT / "deploy" / "alerts.yml")
    asked = [rule["expr"] for group in loaded["groups"] for rule in group["rules"]]
    told = {sample.name: sample.labels for sample in await _all_samples(read)}
    for expression in asked:
        (name,) = set(re.findall(r"\b(?:yamb_\w+|up)\b", expression))
        labels = re.findall(r"(\w+)(?:=~?|!=|!~)\"", expression)
        assert name == "up" or set(labels) <= told[name].keys()


async def _all_samples(read: Read) -> list[Sample]:
    """Also of the metrics that have no line before something happened."""
    meters = read.hub.meters
    for counter in (meters.messages, meters.refusals, meters.recordings):
        counter["one"] += 1
    read.connections.refusals.add(Reason.FLOOD)
    read.seconds.labels("/api/rooms", "2xx").observe(0.01)
    meters.resumes[Resume.FIRST] += 1
    meters.closes[By.SERVER, 1012] += 1
    return await samples(read)


def test_counting_an_action_costs_next_to_nothing() -> None:
    """In calls, which are the same on every machine: an action makes hundreds without."""
    committed, meters, text = Committed(1), Meters(), '{"type":"update","version":1,"at":1790000000000}'
    calls = Counter[str]()

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        calls[event] += 1

    began = time.perf_counter()
    sys.setprofile(count)
    try:
        meters.messages["act"] += 1
        meters.committed(committed, began)
        meters.fan_out(text)
        for _ in range(4):
            meters.sent(text)
    finally:
        sys.setprofile(None)
    assert calls["call"] + calls["c_call"] <= MOST_CALLS_AN_ACTION, calls
