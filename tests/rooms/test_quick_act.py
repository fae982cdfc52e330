"""An action read quickly is what the message types read; what they refuse isn't taken."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms.message_commands import command_of
from app.rooms.messages import ActMessage, read_message
from app.rooms.quick_act import read_act
from app.rules.variant import ColumnKind, Row

_LARGEST = 2**31 - 1
_COUNTS = st.integers(0, _LARGEST)
_CELLS = {"column": st.sampled_from(list(ColumnKind)), "row": st.sampled_from(list(Row))}
_ACTIONS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("roll"), "hold": st.lists(st.integers(-_LARGEST, _LARGEST), max_size=6)}
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["fill", "announce"]), **_CELLS}),
    st.just({"type": "undo"}),
)
_ACTS = st.fixed_dictionaries(
    {
        "request": st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True),
        "seat": _COUNTS,
        "turn": _COUNTS,
        "roll": _COUNTS,
        "action": _ACTIONS,
    }
)
ACT = {
    "type": "act",
    "request": "a",
    "seat": 0,
    "turn": 1,
    "roll": 1,
    "action": {"type": "roll", "hold": [1]},
}
# In place of a value, as JSON.
_ODD = (
    "0", "-0", "1.0", "1e0", "1E2", "0.5", "01", "-1", "2147483648", "-2147483648", "9" * 40, "true", "null",
    "NaN", "Infinity", '"1"', '""', '"a"', '"a\\n"', '"\\u0061"', '"\\ud800"',
    '"č"', '"act"', '"undo"', '"UNDO"',
    '"' + "a" * 65 + '"', '"down"', '"Down"', '" down"', '"ones"', "[]", "[true]", "[1.0]", '["1"]', "[[1]]",
    "[0,0,0,0,0,0,0]", "[1,]", "[5,1]", "{}", '{"type":"undo"}', '{"type":"undo","hold":[]}',
    '{"type":"undo","type":"roll","hold":[]}', '{"type":"roll","hold":[],"type":"undo"}',
    '{"hold":[],"type":"roll"}', '{"hold":[]}', '{"type":"roll"}', '{"type":"roll","hold":[1],"hold":[2]}',
    '{"type":"fill","column":"down","row":"ones"}', '{"type":"fill","column":"ones","row":"down"}',
    '{"type":"fill","column":0,"row":0}', '{"type":"fill","column":"down"}', '["roll",[]]',
)  # fmt: skip
_NAMES = (
    "type",
    "request",
    "seat",
    "turn",
    "roll",
    "action",
    "hold",
    "seat\\u0000",
    "\\u0073eat",
    "Seat",
    "dice",
)


def agree(text: str) -> bool:
    """Whether it was taken: as what the message types read."""
    act = read_act(text)
    if act is None:
        return False
    message = read_message(text)
    assert isinstance(message, ActMessage)
    assert (act.type, act.request, act.command()) == (message.type, message.request, command_of(message))
    assert [type(part) for part in _leaves(act.command())] == [
        type(part) for part in _leaves(command_of(message))
    ]
    return True


def _leaves(command: Any) -> list[Any]:
    action = command.action
    cell = getattr(action, "cell", ())
    return [command.seat, command.turn, command.roll, action, cell, *cell, *getattr(action, "hold", ())]


@given(_ACTS, st.sampled_from([(",", ":"), (", ", ": ")]))
def test_an_action_is_the_command_that_the_message_types_read(
    act: dict[str, Any], separators: tuple[str, str]
) -> None:
    text = json.dumps({"type": "act"} | act, separators=separators)
    assert agree(text) == (separators == (",", ":"))


@given(
    st.permutations(list(ACT.items())[1:]),
    st.lists(
        st.tuples(st.sampled_from(_NAMES), st.sampled_from(_ODD), st.booleans()), min_size=1, max_size=2
    ),
    st.sampled_from(["", "", "", " ", "\n", "\ufeff", "{}", ",", "\u00a0", "\0"]),
)
def test_nothing_is_taken_that_the_message_types_refuse(
    fields: list[tuple[str, Any]], odd: list[tuple[str, str, bool]], after: str
) -> None:
    told = [(name, json.dumps(value, separators=(",", ":"))) for name, value in fields]
    for name, value, is_instead in odd:
        if is_instead:
            told = [(name, value) if was == name else (was, had) for was, had in told]
        else:
            told.append((name, value))
    agree('{"type":"act",' + ",".join(f'"{name}":{value}' for name, value in told) + "}" + after)


@pytest.mark.parametrize("name", ["request", "seat", "turn", "roll", "action", "more"])
@pytest.mark.parametrize("value", _ODD)
def test_an_odd_value_is_read_the_same_or_not_at_all(name: str, value: str) -> None:
    told = {each: json.dumps(had, separators=(",", ":")) for each, had in ACT.items()} | {name: value}
    agree("{" + ",".join(f'"{each}":{had}' for each, had in told.items()) + "}")


def test_a_field_that_is_missing_is_left_to_the_message_types() -> None:
    for name in list(ACT)[1:]:
        assert read_act(json.dumps({each: ACT[each] for each in ACT if each != name})) is None
