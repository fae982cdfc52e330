"""The files for Prometheus and Grafana ask for what a server really tells, and for all of it."""

import json
import re
from itertools import combinations
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from ruamel.yaml import YAML

from tests.servers import ROOT, AppServer

ASKED = re.compile(r"\b(?:yamb|process)_\w+")
SERIES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("_total",), "gauge": ("",)}


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """The kind of each metric that a server tells of, also of those that have counted nothing yet."""
    with AppServer() as app:
        text = httpx.get(f"{app.base_url}/metrics").text
    return {family.name: family.type for family in text_string_to_metric_families(text)}


@pytest.fixture(scope="module")
def dashboard() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "deploy" / "dashboard.json").read_text())
    return loaded


@pytest.fixture(scope="module")
def rules() -> list[dict[str, Any]]:
    loaded = YAML(typ="safe").load(ROOT / "deploy" / "alerts.yml")
    return [rule for group in loaded["groups"] for rule in group["rules"]]


def series(told: dict[str, str]) -> set[str]:
    """The names that can be asked for."""
    return {f"{name}{ending}" for name, kind in told.items() for ending in SERIES[kind]}


def asked_by(dashboard: dict[str, Any]) -> str:
    """All of its questions."""
    return " ".join(target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", []))


def test_every_alert_asks_for_what_is_told(told: dict[str, str], rules: list[dict[str, Any]]) -> None:
    asked = {name for rule in rules for name in ASKED.findall(rule["expr"])}
    assert asked
    assert asked - series(told) == set()


def test_every_panel_asks_for_what_is_told(told: dict[str, str], dashboard: dict[str, Any]) -> None:
    assert set(ASKED.findall(asked_by(dashboard))) - series(told) == set()


def test_every_metric_of_ours_is_in_the_dashboard(told: dict[str, str], dashboard: dict[str, Any]) -> None:
    shown = asked_by(dashboard)
    assert [name for name in told if name.startswith("yamb_") and name not in shown] == []


def test_each_panel_has_a_place_of_its_own(dashboard: dict[str, Any]) -> None:
    places = [panel["gridPos"] for panel in dashboard["panels"]]
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(places)
    assert [(one, other) for one, other in combinations(places, 2) if overlap(one, other)] == []


def overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "w"), ("y", "h"))
    )


def test_servers_that_vanish_are_missed(rules: list[dict[str, Any]]) -> None:
    """`up` of one that is no longer looked up is no 0: it isn't there."""
    expressions = {rule["alert"]: rule["expr"] for rule in rules}
    assert "max_over_time(count(" in expressions["YambServerGone"]
    assert expressions["YambNoServer"].startswith("absent(")


def test_the_room_store_and_the_database_have_an_alert_each(rules: list[dict[str, Any]]) -> None:
    asked = {rule["expr"] for rule in rules}
    assert {"yamb_store_up == 0", "yamb_database_up == 0"} <= asked


def test_each_alert_is_told_once_and_says_what_is_wrong(rules: list[dict[str, Any]]) -> None:
    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert [rule["alert"] for rule in rules if not rule["annotations"]["summary"]] == []


def test_the_tests_of_the_alerts_name_alerts_that_there_are(rules: list[dict[str, Any]]) -> None:
    tests = YAML(typ="safe").load(ROOT / "deploy" / "alerts.test.yml")["tests"]
    summaries = {rule["alert"]: rule["annotations"]["summary"] for rule in rules}
    for case in (case for test in tests for case in test["alert_rule_test"]):
        expected = [each["exp_annotations"]["summary"] for each in case["exp_alerts"]]
        assert set(expected) <= {summaries[case["alertname"]]}
