"""docs/protocol.md against the code: every example parses, and every name and code is in both."""

import json
import re
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter

from app import allowance
from app.rooms import messages, server_messages
from app.rooms.closing import CloseCode
from app.rooms.limits import Limits
from app.rooms.messages import Strict, read_message
from app.rooms.parts import OwnPart, ResultPart
from app.rooms.refusals import RETRIABLE, RefusalCode
from app.rooms.server_messages import ServerMessage
from app.rules.actions import Reason
from app.rules.own_dice.actions import SheetReason

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs/protocol.md").read_text()
SERVER_MESSAGE: TypeAdapter[BaseModel] = TypeAdapter(ServerMessage)
_RESULT = re.search(r"- `result`: `(\{.*\})`", PAGE)


def section(title: str) -> str:
    """The text under a heading of the second level."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def examples(text: str) -> list[str]:
    """The JSON texts of the fenced blocks: a block is one, or has one a line."""
    blocks: list[str] = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return [example for block in blocks for example in _examples_in(block)]


def _examples_in(block: str) -> list[str]:
    try:
        json.loads(block)
    except ValueError:
        return block.strip().splitlines()
    return [block]


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first column has that heading."""
    table = text.split(f"| {heading} |")[1].split("\n\n", maxsplit=1)[0]
    lines = table.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def fields_of(model: type[BaseModel]) -> set[str]:
    """The fields as the page writes them: those that may be left out with a question mark."""
    fields = model.model_fields.items()
    return {name if field.is_required() else f"{name}?" for name, field in fields if name != "type"}


def models_of(union: Any) -> dict[str, type[BaseModel]]:
    """The members of an annotated union by each of their types."""
    members = get_args(get_args(union)[0])
    return {name: member for member in members for name in get_args(member.model_fields["type"].annotation)}


CLIENT = {
    name: member
    for member in get_args(messages.ClientMessage)
    for name in get_args(member.model_fields["type"].annotation)
}


@pytest.mark.parametrize("example", examples(section("From the client")))
def test_an_example_of_a_client_message_parses(example: str) -> None:
    assert read_message(example).type == json.loads(example)["type"]


@pytest.mark.parametrize("example", examples(section("To the client")))
def test_an_example_of_a_server_message_parses(example: str) -> None:
    SERVER_MESSAGE.validate_json(example)


def test_the_example_of_a_result_parses() -> None:
    assert _RESULT is not None
    ResultPart.model_validate_json(_RESULT[1])


def test_every_kind_of_message_has_an_example() -> None:
    shown = {json.loads(example)["type"] for example in examples(PAGE.split("\n## REST\n")[0])}
    assert shown == set(CLIENT) | set(models_of(ServerMessage))


def test_the_page_lists_the_messages_from_the_client_with_their_fields() -> None:
    listed = {row[0].strip("`"): row[1] for row in rows(section("From the client"), "type")}
    assert {name: written_fields(cell) for name, cell in listed.items()} == {
        name: fields_of(model) for name, model in CLIENT.items()
    }


def test_the_page_lists_the_messages_to_the_client() -> None:
    listed = {row[0].strip("`"): row[1] for row in rows(section("To the client"), "type")}
    assert set(listed) == set(models_of(ServerMessage))
    del listed["update"]  # its parts are listed with the state
    for name, cell in listed.items():
        assert written_fields(cell) == fields_of(models_of(ServerMessage)[name])


def test_the_page_lists_the_actions_with_their_fields() -> None:
    actions = models_of(messages.ActMessage.__annotations__["action"])
    listed = {row[0].strip("`"): row[1] for row in rows(section("From the client"), "action")}
    assert set(listed) == set(actions)
    for name, cell in listed.items():
        assert written_fields(cell.split(":")[0]) == fields_of(actions[name])


def test_the_page_lists_the_actions_on_a_sheet_with_their_fields() -> None:
    actions = models_of(messages.SheetMessage.__annotations__["action"])
    listed = {row[0].strip("`"): row[1] for row in rows(section("From the client"), "sheet action")}
    assert set(listed) == set(actions)
    for name, cell in listed.items():
        assert written_fields(cell) == fields_of(actions[name])


def test_the_page_lists_the_reasons_of_sheets() -> None:
    assert {row[0].strip("`") for row in rows(section("Refusals"), "sheet code")} == set(SheetReason)


def test_the_example_of_what_can_be_written_parses() -> None:
    example = re.search(r"- `own`, [^:]*: `(\{.*?\})`:", PAGE)
    assert example is not None
    OwnPart.model_validate_json(example[1])


def test_the_page_lists_the_events_with_their_fields() -> None:
    table = section("To the client").split("### Events")[1]
    listed = {
        name: written_fields(row[1]) for row in rows(table, "type") for name in re.findall(r"`(\w+)`", row[0])
    }
    events = models_of(server_messages.EventPart)
    assert listed == {name: fields_of(model) for name, model in events.items()}


def test_the_page_lists_the_reasons_of_legality() -> None:
    table = section("Refusals").split("The room:")[0]
    assert {row[0].strip("`") for row in rows(table, "code")} == set(Reason)


def test_the_page_lists_the_refusals_of_the_room_and_which_may_succeed_later() -> None:
    table = section("Refusals").split("The room:")[1]
    listed: dict[StrEnum, bool] = {
        RefusalCode(row[0].strip("`")): row[1] == "yes" for row in rows(table, "code")
    }
    assert listed == {code: code in RETRIABLE for code in RefusalCode}


def test_the_page_lists_the_close_codes() -> None:
    listed = {int(code) for row in rows(section("Close codes"), "code") for code in row[0].split(",")}
    assert listed == {1000, 1001, 1009} | set(CloseCode)


def test_the_page_tells_how_much_may_be_asked_for() -> None:
    limits = Limits()
    listed = {row[0]: (float(row[1]), float(row[2])) for row in rows(section("How much"), "limit")}
    assert listed == {
        "messages of a socket": (limits.messages_per_second, limits.messages_burst),
        "messages of a player": (limits.player_messages_per_second, limits.player_messages_burst),
        "messages beyond those, of a player": (limits.breaches_per_second, limits.breaches_burst),
        "holdings of a player": (limits.holdings_per_second, limits.holdings_burst),
        "things said by a player": (limits.says_per_second, limits.says_burst),
    }
    below = {row[0]: (int(row[1]), int(row[2])) for row in rows(section("How much"), "limit of a socket")}
    assert below == {
        "bytes": (allowance.BYTES_PER_SECOND, allowance.BYTES_AT_ONCE),
        "steps": (allowance.STEPS_PER_SECOND, allowance.STEPS_AT_ONCE),
    }


@pytest.mark.parametrize("model", [*CLIENT.values(), *models_of(ServerMessage).values()])
def test_no_message_lets_an_unknown_field_in(model: type[BaseModel]) -> None:
    assert issubclass(model, Strict)
    assert model.model_config["extra"] == "forbid"


def written_fields(cell: str) -> set[str]:
    """Fields as a cell of a table names them."""
    return {name + mark for name, mark in re.findall(r"`(\w+)`(\??)", cell)}
