"""The protocol as programs read it: whole, true to the page for people, and to what a table really says."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator

from app.rooms.description import (
    CLIENT_MODELS,
    COMMAND_MODELS,
    SERVER_MODELS,
    asyncapi,
    make_router,
    protocol_schema,
)
from app.rooms.messages import PROTOCOL
from tests.rooms.kept_protocol import kept, shape
from tests.rooms.play import table_of
from tests.rooms.serving import Rooms
from tests.rooms.test_protocol_page import examples, section
from tests.servers import ROOT


def errors(union: str, message: str) -> list[str]:
    """What the schema finds wrong with a message of that union."""
    schema = {**protocol_schema(), "anyOf": [{"$ref": f"#/$defs/{union}"}]}
    return [error.message for error in Draft202012Validator(schema).iter_errors(json.loads(message))]


def references(part: Any) -> Iterator[str]:
    """Every `$ref` in a document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from references(inner)


def find(document: dict[str, Any], reference: str) -> Any:
    """What a reference stands for. Raises KeyError."""
    found: Any = document
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(protocol_schema())


@pytest.mark.parametrize("example", examples(section("From the client")))
def test_an_example_of_a_client_message_is_as_the_schema_says(example: str) -> None:
    assert errors("ClientMessage", example) == []


@pytest.mark.parametrize("example", examples(section("To the client")))
def test_an_example_of_a_server_message_is_as_the_schema_says(example: str) -> None:
    assert errors("ServerMessage", example) == []


@pytest.mark.parametrize(
    "message",
    [
        {"type": "start"},
        {"type": "start", "request": "a b"},
        {"type": "start", "request": "a", "more": 1},
        {"type": "begin", "request": "a"},
        {"type": "ready", "request": "a", "ready": 1},
        {"type": "holding", "seat": -1, "turn": 1, "roll": 1, "hold": []},
        {"type": "act", "request": "a", "seat": 0, "turn": 1, "roll": 0, "action": {"type": "win"}},
        {"type": "pong", "version": 1},
    ],
)
def test_what_is_no_message_of_a_client_is_none_to_the_schema(message: dict[str, Any]) -> None:
    assert errors("ClientMessage", json.dumps(message))


async def test_what_a_table_says_is_as_the_schema_says(rooms: Rooms) -> None:
    async with table_of(rooms) as (lija, medo):
        await medo.see((await lija.act("roll", hold=[]))["version"])
        await lija.send({"type": "holding", "seat": 0, "turn": 1, "roll": 1, "hold": [0]})
        await lija.send({"type": "ping", "version": 0})
        assert (await lija.command("start"))["type"] == "refused"
        frames = [*lija.frames, *medo.frames]
    assert {json.loads(frame)["type"] for frame in frames} >= {"welcome", "update", "ok", "refused", "pong"}
    assert [error for frame in frames for error in errors("ServerMessage", frame)] == []


@pytest.mark.parametrize("document", [protocol_schema(), asyncapi()], ids=["schema", "asyncapi"])
def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    found = list(references(document))
    assert len(found) > 100
    assert all(isinstance(find(document, one), dict) for one in found)


@pytest.mark.parametrize(
    ("operation", "models"),
    [
        ("receiveCommand", COMMAND_MODELS),
        ("receiveOther", tuple(model for model in CLIENT_MODELS if model not in COMMAND_MODELS)),
        ("send", SERVER_MODELS),
    ],
)
def test_every_message_is_in_the_operation_that_it_belongs_to(
    operation: str, models: tuple[type, ...]
) -> None:
    described = asyncapi()
    messages = [find(described, one["$ref"]) for one in described["operations"][operation]["messages"]]
    payloads = [find(described, message["$ref"])["payload"]["$ref"] for message in messages]
    assert [payload.rsplit("/", 1)[1] for payload in payloads] == [model.__name__ for model in models]
    assert all(message_of(described, message)["summary"] for message in messages)


def message_of(document: dict[str, Any], reference: dict[str, str]) -> dict[str, Any]:
    """The message of a channel, which is itself a reference."""
    found: dict[str, Any] = find(document, reference["$ref"])
    return found


def test_no_discriminator_of_openapi_is_left_over() -> None:
    assert '"propertyName"' not in json.dumps([asyncapi(), protocol_schema()])


@pytest.mark.parametrize("path", ["/api/protocol.schema.json", "/api/asyncapi.json"])
async def test_programs_find_the_descriptions(path: str) -> None:
    app = FastAPI()
    app.include_router(make_router())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://yamb") as client:
        answer = await client.get(path)
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == (asyncapi() if "asyncapi" in path else protocol_schema())
    assert f"`GET {path}`" in section("REST")


def test_the_client_speaks_the_same_protocol() -> None:
    client = (ROOT / "app/web/js/protocol.js").read_text()
    assert f"export const PROTOCOL = {PROTOCOL};" in client


def test_the_wire_has_the_shape_that_is_kept_under_its_number() -> None:
    """A page that was loaded before an upgrade must be able to tell that it no longer understands."""
    assert shape() == kept(), "the wire changed: raise PROTOCOL, then python -m tests.rooms.kept_protocol"
