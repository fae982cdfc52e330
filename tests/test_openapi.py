"""The OpenAPI description has a true example for every answer, and the words of the protocol."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.config import Settings
from app.main import create_app
from app.problems import MEDIA_TYPE
from app.public_reads import is_public_path
from app.rooms.description import protocol_schema
from app.rules.variant import ColumnKind, Row
from tests.rooms.test_description import references

Json = dict[str, Any]

DESCRIPTION = create_app(Settings(data_dir=Path("unused"))).openapi()
ANSWERS = [
    pytest.param(response, status, id=f"{operation['operationId']}-{status}")
    for operations in DESCRIPTION["paths"].values()
    for operation in operations.values()
    for status, response in operation["responses"].items()
]
# What REST speaks of and the socket doesn't.
OWN_WORDS = {
    *(
        "all",
        "leaderboard",
        "period",
        "month",
        "day",
        "mode",
        "limit",
        "cursor",
        "next",
        "previous",
        "around",
    ),
    *("tag", "since", "base", "best", "average", "distribution", "crossed", "out", "announcements", "made"),
    *("succeeded", "wins", "games", "from", "results", "status", "title", "detail", "errors", "field"),
    *("sentence", "log", "started", "reason", "board", "sheets", "texts", "variants"),
    *("account", "password", "new", "recovery", "sessions", "until", "user"),
    *("panels", "attainable", "share", "perfect"),
    *("steps",),
}


def examples_of(content: Json) -> list[Any]:
    named = [example["value"] for example in content.get("examples", {}).values()]
    return [content["example"], *named] if "example" in content else named


def names_in(part: Any) -> Iterator[str]:
    """The names of all fields of the schemas in a document."""
    if isinstance(part, dict):
        yield from part.get("properties", {})
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from names_in(inner)


def keys_in(value: Any) -> Iterator[str]:
    """The names in a JSON value."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


@pytest.mark.parametrize(("response", "status"), ANSWERS)
def test_every_answer_has_examples_that_are_as_its_schema_says(response: Json, status: str) -> None:
    if status in {"204", "304"}:
        assert "content" not in response
        return
    for content in response["content"].values():
        examples = examples_of(content)
        assert examples
        schema = {**content.get("schema", {}), "components": DESCRIPTION["components"]}
        for example in examples:
            Draft202012Validator(schema).validate(example)


@pytest.mark.parametrize(("response", "status"), ANSWERS)
def test_every_answer_that_is_no_success_is_a_problem_with_its_code(response: Json, status: str) -> None:
    if status < "400":
        assert MEDIA_TYPE not in response.get("content", {})
        return
    assert set(response["content"]) == {MEDIA_TYPE}
    for code, example in response["content"][MEDIA_TYPE]["examples"].items():
        assert (example["value"]["code"], str(example["value"]["status"])) == (code, status)
        assert code != HTTPStatus(int(status)).name.lower() or code in {"bad_request", "too_many_requests"}
        assert "errors" in example["value"] or status != "422" or code == "unknown_variant"


def test_operations_have_names_of_their_own_and_say_what_they_do() -> None:
    operations = [each for operations in DESCRIPTION["paths"].values() for each in operations.values()]
    names = [each["operationId"] for each in operations]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z_]+", name) for name in names)
    assert all(each["description"] for each in operations)


def test_every_reference_leads_somewhere() -> None:
    known = {f"#/components/schemas/{name}" for name in DESCRIPTION["components"]["schemas"]}
    assert set(references(DESCRIPTION)) <= known


def test_what_changes_anything_says_whom_it_refuses() -> None:
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            statuses = operation["responses"].keys()
            assert ("304" in statuses) is (method == "get" and is_public_path(path))
            assert ("413" in statuses) is ("requestBody" in operation)
            assert ("403" in statuses) is (method != "get")


def test_names_are_in_snake_case_and_of_the_words_of_the_protocol() -> None:
    parameters = {
        each["name"]
        for operations in DESCRIPTION["paths"].values()
        for operation in operations.values()
        for each in operation.get("parameters", [])
        if each["in"] != "header"
    }
    shown = {
        key
        for operations in DESCRIPTION["paths"].values()
        for operation in operations.values()
        for response in operation["responses"].values()
        for content in response.get("content", {}).values()
        for example in examples_of(content)
        for key in keys_in(example)
    }
    names = {*names_in(DESCRIPTION), *parameters, *shown}
    protocol = {word for name in names_in(protocol_schema()) for word in name.split("_")}
    protocol |= {word for name in (*Row, *ColumnKind) for word in name.split("_")}

    assert [name for name in names if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)] == []
    assert {word for name in names for word in name.split("_")} - protocol - OWN_WORDS == set()
