"""Bad input: what is not a message of the protocol is malformed, and the field is named."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms.commands import (
    Act,
    AddBot,
    ChangeSettings,
    Choice,
    Choose,
    Command,
    Join,
    Keep,
    Kick,
    Leave,
    MarkReady,
    Rematch,
    Return,
    SetChat,
    Start,
)
from app.rooms.message_commands import command_of
from app.rooms.messages import CommandMessage, Malformed, SayMessage, read_message
from app.rooms.room import Pace
from app.rules.actions import Announce, Fill, Roll
from app.rules.variant import Cell, ColumnKind, Row

ACT = {"type": "act", "request": "a", "seat": 0, "turn": 1, "roll": 0, "action": {"type": "roll", "hold": []}}
JOIN = {"type": "join", "request": "a", "text": "x"}
SETTINGS = {"type": "settings", "request": "a", "variant": "papir", "max_seats": 4}
SAY = {"type": "say", "request": "a", "text": "Well rolled!"}
EMOTE = {"type": "emote", "request": "a", "emote": "thanks"}
CHOOSE = {"type": "choose", "request": "a", "seat": 1, "turn": 14, "choice": "bot"}
KICK = {"type": "kick", "request": "a", "seat": 2}
REMATCH = {"type": "rematch", "request": "a", "game": "g7d1"}
READY = {"type": "ready", "request": "a", "ready": True}
HOLDING = {"type": "holding", "seat": 0, "turn": 1, "roll": 1, "hold": [0]}


def rolling(hold: Any) -> dict[str, Any]:
    """A roll with that hold."""
    return ACT | {"action": {"type": "roll", "hold": hold}}


def filling(**fields: Any) -> dict[str, Any]:
    """A fill with these fields."""
    return ACT | {"action": {"type": "fill", **fields}}


WRONG: list[tuple[Any, str]] = [
    (None, ""),
    ([], ""),
    ([JOIN], ""),
    ("join", ""),
    (7, ""),
    (True, ""),
    ({}, "type"),
    ({"type": "dance"}, "type"),
    ({"type": None}, "type"),
    ({"type": ["join"]}, "type"),
    (JOIN | {"colour": "red"}, "colour"),
    (SETTINGS | {"columns": "down"}, "columns"),
    (SETTINGS | {"columns": {"down": True}}, "columns"),
    (SETTINGS | {"columns": ["down"] * 500}, "columns"),
    (SETTINGS | {"columns": [7]}, "columns.0"),
    (SETTINGS | {"columns": [""]}, "columns.0"),
    (SETTINGS | {"columns": ["x" * 1000]}, "columns.0"),
    ({"type": "join", "request": "a"}, "text"),
    (JOIN | {"text": ""}, "text"),
    (JOIN | {"text": " \t "}, "text"),
    (JOIN | {"text": "x" * 65}, "text"),
    (JOIN | {"text": "x" * 5000}, "text"),
    (JOIN | {"text": "a\u0000b"}, "text"),
    (JOIN | {"text": "a\nb"}, "text"),
    (JOIN | {"text": "\u202ereversed"}, "text"),
    (JOIN | {"text": 7}, "text"),
    (JOIN | {"text": None}, "text"),
    (JOIN | {"text": ["x"]}, "text"),
    (JOIN | {"request": ""}, "request"),
    (JOIN | {"request": "a" * 65}, "request"),
    (JOIN | {"request": "a b"}, "request"),
    (JOIN | {"request": "a\n"}, "request"),
    (JOIN | {"request": "č"}, "request"),
    (JOIN | {"request": 7}, "request"),
    ({"type": "ready", "request": "a", "ready": 1}, "ready"),
    ({"type": "ready", "request": "a", "ready": "true"}, "ready"),
    ({"type": "ready", "request": "a", "ready": None}, "ready"),
    (SETTINGS | {"max_seats": 0}, "max_seats"),
    (SETTINGS | {"max_seats": 9}, "max_seats"),
    (SETTINGS | {"max_seats": 4.0}, "max_seats"),
    (SETTINGS | {"max_seats": "4"}, "max_seats"),
    (SETTINGS | {"variant": 5}, "variant"),
    (SETTINGS | {"variant": "x" * 65}, "variant"),
    (ACT | {"seat": "0"}, "seat"),
    (ACT | {"seat": True}, "seat"),
    (ACT | {"seat": -1}, "seat"),
    (ACT | {"seat": 0.5}, "seat"),
    (ACT | {"turn": None}, "turn"),
    (ACT | {"turn": 10**30}, "turn"),
    (ACT | {"roll": [0]}, "roll"),
    (ACT | {"dice": [6, 6, 6, 6, 6]}, "dice"),
    (ACT | {"action": None}, "action"),
    (ACT | {"action": []}, "action"),
    (ACT | {"action": {}}, "action.type"),
    (ACT | {"action": {"type": "pass"}}, "action.type"),
    (rolling(None), "action.hold"),
    (rolling("01"), "action.hold"),
    (rolling({}), "action.hold"),
    (rolling(["0"]), "action.hold.0"),
    (rolling([0, True]), "action.hold.1"),
    (rolling([0, 1.5]), "action.hold.1"),
    (rolling([0, 1, 2, 3, 4, 5, 0]), "action.hold"),
    (ACT | {"action": {"type": "roll", "hold": [], "drawn": [6] * 5}}, "action.drawn"),
    (ACT | {"action": {"type": "roll", "hold": [], "column": "down"}}, "action.column"),
    (filling(column="down"), "action.row"),
    (filling(column="down", row="sevens"), "action.row"),
    (filling(column="sideways", row="ones"), "action.column"),
    (filling(column="down", row="ones", score=99), "action.score"),
    (HOLDING | {"request": "a"}, "request"),
    (HOLDING | {"hold": [0] * 7}, "hold"),
    (READY | {"text": ""}, "text"),
    (READY | {"text": "x" * 65}, "text"),
    (READY | {"text": 7}, "text"),
    (SETTINGS | {"pace": "slow"}, "pace"),
    (SETTINGS | {"pace": 40}, "pace"),
    (SETTINGS | {"chat": "on"}, "chat"),
    (KICK | {"seat": -1}, "seat"),
    (KICK | {"seat": None}, "seat"),
    (KICK | {"player": "p1"}, "player"),
    ({"type": "add_bot", "request": "a", "name": "Bot"}, "name"),
    ({"type": "return", "request": "a", "seat": "1"}, "seat"),
    (CHOOSE | {"choice": "skip"}, "choice"),
    (CHOOSE | {"turn": True}, "turn"),
    (REMATCH | {"game": ""}, "game"),
    (REMATCH | {"game": None}, "game"),
    (REMATCH | {"next_secret": "00"}, "next_secret"),
    ({"type": "chat", "request": "a", "on": 1}, "on"),
    (SAY | {"text": ""}, "text"),
    (SAY | {"text": "   "}, "text"),
    (SAY | {"text": "\u200d"}, "text"),
    (SAY | {"text": "x" * 201}, "text"),
    (SAY | {"text": "one\ntwo"}, "text"),
    (SAY | {"text": "a\u0000b"}, "text"),
    (SAY | {"text": "\u202ereversed"}, "text"),
    (SAY | {"text": ["x"]}, "text"),
    (EMOTE | {"emote": "dance"}, "emote"),
    ({"type": "emote", "emote": "bye"}, "request"),
    ({"type": "presence"}, "away"),
    ({"type": "presence", "away": "yes"}, "away"),
    ({"type": "ping", "version": 1, "away": 1}, "away"),
    ({"type": "call_out", "request": "a", "seat": 0, "turn": 1, "reason": "gone"}, "type"),
    ({"type": "bot_act", "request": "a", "seat": 0, "turn": 1, "roll": 0, "action": {}}, "type"),
    ({"type": "pass_host", "request": "a", "to": "p1"}, "type"),
    ({"type": "postpone", "request": "a", "ms": 10000}, "type"),
    ({"type": "ping"}, "version"),
    ({"type": "ping", "version": -1}, "version"),
    ({"type": "ping", "version": "1"}, "version"),
    ({"type": "hello", "protocol": 1}, "protocol"),
    ({"type": "hello", "protocol": "1"}, "protocol"),
    ({"type": "hello", "protocol": True}, "protocol"),
    ({"type": "hello", "protocol": 2.0}, "protocol"),
    ({"type": "hello", "protocol": 2, "epoch": ""}, "epoch"),
    ({"type": "hello", "protocol": 2, "token": "secret"}, "token"),
]


@pytest.mark.parametrize(
    ("message", "field"), WRONG, ids=[f"{at}-{wrong[1]}" for at, wrong in enumerate(WRONG)]
)
def test_a_message_that_is_none_names_its_wrong_field(message: Any, field: str) -> None:
    with pytest.raises(Malformed) as error:
        read_message(json.dumps(message))
    assert error.value.field == field
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nonsense",
        "{",
        '{"type": "join"',
        '{"type": "join", "request": "a", "text": "x"} {}',
        '{"type": "ping", "version": NaN}',
        '{"type": "ping", "version": Infinity}',
        '{"type": "ping", "version": 1e2}',
        '{"type": "join", "request": "a", "text": "\\ud800"}',
        '{"type": "ping", "version": ' + "9" * 8000 + "}",
        "[" * 4000 + "]" * 4000,
        '{"type": "act", "action": ' + '{"a":' * 1300 + "1" + "}" * 1300 + "}",
        "\u0000",
    ],
)
def test_a_text_that_is_no_json_of_the_protocol_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read_message(text)


@given(st.text())
def test_no_text_is_more_than_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read_message(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)


@given(
    st.sampled_from(
        [
            ACT,
            JOIN,
            SETTINGS,
            HOLDING,
            SAY,
            EMOTE,
            CHOOSE,
            REMATCH,
            READY,
            rolling([0]),
            filling(column="down", row="ones"),
        ]
    ),
    st.data(),
)
def test_a_message_with_one_field_replaced_is_read_or_malformed(message: dict[str, Any], data: Any) -> None:
    field = data.draw(st.sampled_from(sorted(message)))
    changed = json.dumps(message | {field: data.draw(_JSON)})
    with suppress(Malformed):
        read_message(changed)


COMMANDS: list[tuple[dict[str, Any], Command]] = [
    (JOIN | {"text": "седам рода 七"}, Join("седам рода 七")),
    ({"type": "leave", "request": "a"}, Leave()),
    ({"type": "ready", "request": "a", "ready": False}, MarkReady(ready=False)),
    (SETTINGS, ChangeSettings("papir", 4)),
    (SETTINGS | {"columns": None}, ChangeSettings("papir", 4)),
    (SETTINGS | {"columns": ["free", "down"]}, ChangeSettings("papir", 4, ("free", "down"))),
    (SETTINGS | {"columns": []}, ChangeSettings("papir", 4, ())),
    ({"type": "start", "request": "a"}, Start()),
    ({"type": "leave", "request": "a", "seat": 2}, Leave(2)),
    (READY | {"text": "storks"}, MarkReady(ready=True, text="storks")),
    (SETTINGS | {"pace": "brisk", "chat": False}, ChangeSettings("papir", 4, pace=Pace.BRISK, chat=False)),
    ({"type": "add_bot", "request": "a"}, AddBot()),
    (KICK, Kick(2)),
    ({"type": "return", "request": "a"}, Return()),
    ({"type": "return", "request": "a", "seat": 1}, Return(1)),
    (CHOOSE, Choose(1, 14, Choice.BOT)),
    (CHOOSE | {"choice": "wait"}, Choose(1, 14, Choice.WAIT)),
    (REMATCH, Rematch("g7d1")),
    ({"type": "chat", "request": "a", "on": False}, SetChat(on=False)),
    ({"type": "keep", "request": "a", "keep": True}, Keep(on=True)),
    (rolling([3, 0]), Act(0, 1, 0, Roll((0, 3)))),
    (filling(column="free", row="max"), Act(0, 1, 0, Fill(Cell(ColumnKind.FREE, Row.MAX)))),
    (
        ACT | {"action": {"type": "announce", "column": "announced", "row": "yamb"}},
        Act(0, 1, 0, Announce(Cell(ColumnKind.ANNOUNCED, Row.YAMB))),
    ),
]


@pytest.mark.parametrize(("message", "command"), COMMANDS)
def test_a_command_is_read_as_what_the_player_asks(message: dict[str, Any], command: Command) -> None:
    read = read_message(json.dumps(message))
    assert isinstance(read, CommandMessage)
    assert command_of(read) == command


@pytest.mark.parametrize("hold", [[9], [-1], [0, 0], [5, 5, 5, 5, 5, 5]])
def test_a_die_that_does_not_exist_is_left_to_the_rules(hold: list[int]) -> None:
    read_message(json.dumps(rolling(hold)))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("  Well rolled!  ", "Well rolled!"),
        ("Браво, 好, ţ, 🎲", "Браво, 好, ţ, 🎲"),
        ("a\u00a0b", "a\u00a0b"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("<b>not bold</b>", "<b>not bold</b>"),
        ("x" * 200 + "   ", "x" * 200),
    ],
)
def test_what_is_said_is_read_without_the_space_around_it(said: str, text: str) -> None:
    read = read_message(json.dumps(SAY | {"text": said}))
    assert isinstance(read, SayMessage)
    assert read.text == text
