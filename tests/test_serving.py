"""A server that comes up says where; what it serves is described, and nothing secret is in its logs."""

import json

import httpx

from app.accounts.identity import COOKIE
from tests.conftest import StartApp


def test_the_embedded_default_needs_nothing_else(start_app: StartApp) -> None:
    app = start_app()

    board = httpx.get(f"{app.base_url}/api/leaderboards/classic-5x4").json()
    ready = httpx.get(f"{app.base_url}/readyz").json()

    assert board["results"] == []
    assert ready == {"status": "ready"}
    assert f"Yamb is served, from source: open {app.base_url}" in app.output
    assert "other devices" not in app.output
    app.stop()
    assert "Traceback" not in app.output


def test_a_server_for_other_devices_says_how_to_reach_it(start_app: StartApp) -> None:
    app = start_app({"HOST": "0.0.0.0"})  # noqa: S104 - that is what is tried

    assert f"open {app.base_url}" in app.output


def test_a_guest_outlives_a_restart(start_app: StartApp) -> None:
    app = start_app()
    made = httpx.post(f"{app.base_url}/api/guests", json={"name": "Lija"})
    token = made.cookies[COOKIE]
    app.restart()

    me = httpx.get(f"{app.base_url}/api/me", headers={"Authorization": f"Bearer {token}"})

    assert me.json() == made.json()
    assert token not in app.output


def test_logs_can_be_read_by_machines(start_app: StartApp) -> None:
    app = start_app({"YAMB_LOG_FORMAT": "json"})
    app.stop()

    lines = [json.loads(line) for line in app.output.splitlines() if line.startswith("{")]
    assert lines
    assert all({"event", "level", "timestamp"} <= set(line) for line in lines)


def test_the_description_has_examples_and_problems(start_app: StartApp) -> None:
    app = start_app()

    described = httpx.get(f"{app.base_url}/api/openapi.json").json()

    for path in ("/api/leaderboards/{variant}", "/api/games/{game}"):
        responses = described["paths"][path]["get"]["responses"]
        for status in ("404", "422", "503"):
            assert list(responses[status]["content"]) == ["application/problem+json"]
        assert responses["200"]["content"]["application/json"]["example"]
