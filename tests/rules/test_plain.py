"""Plain values: round trips, the shapes of the protocol, and strict reading."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.events import Announced, Event, Filled, Passed, Rolled
from app.rules.game import standings, start
from app.rules.plain import (
    NotPlain,
    Plain,
    cell_from_plain,
    cell_to_plain,
    event_from_plain,
    event_to_plain,
    game_from_plain,
    game_to_plain,
    readable,
    record_from_plain,
    record_to_plain,
    sheet_to_plain,
    sheets_to_plain,
    standings_to_plain,
    variant_from_plain,
    variant_to_plain,
)
from app.rules.presets import CLASSIC_5X4, PAPIR, PRESETS
from app.rules.state import Game
from app.rules.variant import Variant
from tests.rules.games import honest_record, in_haste, steps
from tests.rules.positions import cell, position, sheet_of
from tests.rules.variants import variants


def _through_json(plain: object) -> Plain:
    read = json.loads(json.dumps(plain, allow_nan=False))
    assert read == plain
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize("variant", PRESETS, ids=lambda variant: variant.id)
def test_a_preset_reads_back_as_itself(variant: Variant) -> None:
    assert variant_from_plain(_through_json(variant_to_plain(variant))) == variant


@settings(max_examples=80, deadline=None)
@given(variants())
def test_any_variant_reads_back_as_itself(variant: Variant) -> None:
    assert variant_from_plain(_through_json(variant_to_plain(variant))) == variant


def test_a_variant_looks_as_the_protocol_shows_it() -> None:
    plain = variant_to_plain(PAPIR)
    assert {name: plain[name] for name in ("id", "dice", "rolls", "max_hold", "auto_fill", "turns")} == {
        "id": "papir",
        "dice": 6,
        "rolls": 3,
        "max_hold": 6,
        "auto_fill": False,
        "turns": 117,
    }
    assert plain["rows"][8:10] == [  # type: ignore[index] # a list
        {"row": "straight", "section": "lower", "straight": {"by_roll": [66, 56, 46], "shortest": 5}},
        {"row": "triling", "section": "lower", "bonus": 30},
    ]
    assert plain["columns"][3:7] == [  # type: ignore[index] # a list
        {"column": "announced", "playable": True, "window": [1]},
        {"column": "hand", "playable": True},
        {"column": "notification", "playable": True, "reach": "next", "duty": "must"},
        {"column": "from_middle", "playable": True, "split": "max"},
    ]
    assert plain["bonus_steps"] == [{"at_least": 60, "award": 30}]
    assert plain["middle"] == {"formula": "times_ones", "floor": False}


EVENTS: tuple[tuple[Event, Plain], ...] = (
    (
        Rolled(1, 2, (6, 6, 1, 3, 6), (0, 1)),
        {"type": "rolled", "seat": 1, "roll": 2, "dice": [6, 6, 1, 3, 6], "held": [0, 1]},
    ),
    (
        Announced(0, cell("announced sixes")),
        {"type": "announced", "seat": 0, "column": "announced", "row": "sixes"},
    ),
    (
        Filled(0, cell("down ones"), 3),
        {"type": "filled", "seat": 0, "column": "down", "row": "ones", "score": 3},
    ),
    (Passed(7), {"type": "passed", "seat": 7}),
)


@pytest.mark.parametrize(("event", "plain"), EVENTS)
def test_an_event_looks_as_the_protocol_shows_it_and_reads_back(event: Event, plain: Plain) -> None:
    assert event_to_plain(event) == plain
    assert event_from_plain(plain) == event


def test_a_cell_reads_back_as_itself() -> None:
    assert cell_from_plain(cell_to_plain(cell("free full"))) == cell("free full")


@settings(max_examples=15, deadline=None)
@given(variant=variants(), seats=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_every_state_of_a_game_reads_back_as_itself(variant: Variant, seats: int, seed: int) -> None:
    for number, step in enumerate(steps(variant, seats, seed)):
        if number % 10 == 0:
            game = step.after
            assert game_from_plain(game.variant, _through_json(game_to_plain(game))) == game


def test_a_record_reads_back_as_itself() -> None:
    record = honest_record(PAPIR, 2, seed=5, choose=in_haste)
    assert record_from_plain(_through_json(record_to_plain(record))) == record


def test_a_sheet_shows_its_filled_cells_and_the_sums_of_their_columns() -> None:
    layout = start(CLASSIC_5X4, 1).layout
    sheet = sheet_of(layout, {cell("down ones"): 3, cell("free max"): 25})
    assert sheet_to_plain(layout, sheet) == {
        "total": 3,
        "cells": {"down": {"ones": 3}, "free": {"max": 25}},
        "sums": {
            "down": {"upper": 3, "bonus": 0, "middle": None, "lower": 0, "total": 3},
            "free": {"upper": 0, "bonus": 0, "middle": None, "lower": 0, "total": 0},
        },
    }


def test_the_maximum_column_is_shown_with_what_it_holds() -> None:
    layout = start(PAPIR, 2).layout
    sheet = sheet_of(layout, {cell("down ones"): 3, cell("free ones"): 4})
    plain = sheet_to_plain(layout, sheet)
    assert plain["total"] == 11
    assert plain["cells"] == {"down": {"ones": 3}, "free": {"ones": 4}, "maximum": {"ones": 4}}


def test_sheets_and_standings_name_their_seats() -> None:
    game = position(CLASSIC_5X4, None, [])
    assert [plain["seat"] for plain in sheets_to_plain(game)] == [0, 1]
    assert sheets_to_plain(game)[0] == {"seat": 0, "total": 0, "cells": {}, "sums": {}}
    assert standings_to_plain(standings(game)) == [
        {"seat": 0, "place": 1, "total": 0},
        {"seat": 1, "place": 1, "total": 0},
    ]


# --- Strict reading

Read = Callable[[Plain], object]


def _game() -> Game:
    return position(
        PAPIR, None, None, dice=(1, 2, 3, 4, 5, 6), announced="announced sixes", bound={1: [("sixes", 0)]}
    )


def _read_game(plain: Plain) -> object:
    return game_from_plain(PAPIR, plain)


def _record() -> Plain:
    plain = record_to_plain(honest_record(PAPIR, 2, seed=5, choose=in_haste))
    log = plain["log"]
    assert isinstance(log, list)
    return {**plain, "log": log[:8], "sheets": [], "standings": []}


DOCUMENTS: dict[str, tuple[Read, Plain]] = {
    "classic": (variant_from_plain, variant_to_plain(CLASSIC_5X4)),
    "papir": (variant_from_plain, variant_to_plain(PAPIR)),
    "game": (_read_game, game_to_plain(_game())),
    "record": (record_from_plain, _record()),
    **{f"event {plain['type']}": (event_from_plain, plain) for _, plain in EVENTS},
    "cell": (cell_from_plain, cell_to_plain(cell("down ones"))),
}


def _deep(levels: int = 100_000) -> list[object]:
    deep: list[object] = []
    for _ in range(levels):
        deep = [deep]
    return deep


RUBBISH: tuple[object, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1.0,
    2**63,
    10**5000,
    float("nan"),
    float("inf"),
    "",
    "ones",
    "x" * 100_000,
    "\ud800",
    [],
    [[]],
    [None],
    [True] * 3,
    [1.0, 2.0, 3.0],
    {},
    {"a": {}},
    _deep(),
    {"row": _deep()},
)

Path = tuple[str | int, ...]


def _paths(plain: object, path: Path = ()) -> Iterator[Path]:
    """Where a value stands in a document, at every depth."""
    if path:
        yield path
    if isinstance(plain, dict):
        for name, value in plain.items():
            yield from _paths(value, (*path, name))
    elif isinstance(plain, list):
        for place, value in enumerate(plain):
            yield from _paths(value, (*path, place))


def _holder(document: object, path: Path) -> tuple[dict[str | int, object], str | int]:
    """What holds the value, as if it were an object, and its name there."""
    for name in path[:-1]:
        document = document[name]  # type: ignore[index] # an object or a list
    return document, path[-1]  # type: ignore[return-value] # lists are indexed alike


def _read_or_refuse(read: Read, document: object) -> None:
    sentence = "the document"
    try:
        readable(read, document, sentence)
    except NotPlain as refused:
        sentence = str(refused)
    assert sentence.startswith("the document")
    assert len(sentence) < 300


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_with_rubbish_anywhere_is_read_or_refused_with_a_sentence(name: str) -> None:
    read, plain = DOCUMENTS[name]
    readable(read, plain, "the document")
    document = deepcopy(plain)
    for path in _paths(plain):
        holder, last = _holder(document, path)
        right = holder[last]
        for rubbish in RUBBISH:
            holder[last] = rubbish
            _read_or_refuse(read, document)
        holder[last] = right
    assert document == plain


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_lacks_something_is_read_or_refused_with_a_sentence(name: str) -> None:
    read, plain = DOCUMENTS[name]
    for path in _paths(plain):
        document = deepcopy(plain)
        holder, last = _holder(document, path)
        del holder[last]
        _read_or_refuse(read, document)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_no_object_is_refused(name: str) -> None:
    for rubbish in RUBBISH:
        if not isinstance(rubbish, dict):
            with pytest.raises(NotPlain, match="an object is expected"):
                readable(DOCUMENTS[name][0], rubbish, name)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(DOCUMENTS)), value=JSON)
def test_a_document_with_any_json_anywhere_is_read_or_refused_with_a_sentence(
    data: st.DataObject, name: str, value: object
) -> None:
    read, plain = DOCUMENTS[name]
    document = deepcopy(plain)
    holder, last = _holder(document, data.draw(st.sampled_from(list(_paths(plain)))))
    holder[last] = value
    _read_or_refuse(read, document)


@pytest.mark.parametrize(
    ("name", "path", "value", "sentence"),
    [
        ("papir", ("dice",), "6", "dice: a whole number is expected"),
        ("papir", ("dice",), True, "dice: a whole number is expected"),
        ("papir", ("dice",), 6.0, "dice: a whole number is expected"),
        ("papir", ("dice",), 2**53, "dice: the number is too large"),
        ("papir", ("dice",), -(2**53), "dice: the number is too large"),
        ("papir", ("dice",), 7, "dice: 5 or 6"),
        ("papir", ("last_cell_rolls",), 10**9, "last_cell_rolls: 3 or 5"),
        ("papir", ("auto_fill",), 0, "auto_fill: true or false is expected"),
        ("papir", ("rows", 0, "row"), "aces", "row: one of ones, twos,"),
        ("papir", ("rows", 8, "straight", "by_roll"), [66, 56], "by_roll: 3 numbers are expected"),
        ("papir", ("columns",), [], "columns: at least one column beside final and maximum"),
        ("papir", ("columns",), {}, "columns: a list is expected"),
        ("papir", ("columns", 0), "down", "columns: an object is expected"),
        (
            "record",
            ("log", 0, "type"),
            "thrown",
            "type: one of rolled, announced, filled, passed, undone is expected",
        ),
        ("record", ("proof", "secret"), "zz", "secret: hexadecimal digits are expected"),
        ("record", ("proof", "texts"), ["one"], "texts: one for each seat is expected"),
        ("record", ("seats", 0, "name"), "\ud800", "name: a text without lone surrogates is expected"),
        ("game", ("sheets", 0, 0), True, "sheets: scores are whole numbers or null"),
        ("game", ("sheets",), [], "sheets, pending: one each for 1 to 8 seats"),
        ("game", ("sheets", 0), [None], "sheets: lists of 130 cells are expected"),
        ("game", ("pending",), [[]], "sheets, pending: one each for 1 to 8 seats"),
        ("game", ("pending", 0), None, "pending: a list for each seat is expected"),
        ("game", ("announced",), "sixes", "announced: an object is expected"),
    ],
)
def test_a_refusal_names_the_field_and_what_is_expected(
    name: str, path: Path, value: object, sentence: str
) -> None:
    read, plain = DOCUMENTS[name]
    document = deepcopy(plain)
    holder, last = _holder(document, path)
    holder[last] = value
    with pytest.raises(NotPlain) as refused:
        readable(read, document, name)
    assert str(refused.value).startswith(f"{name}: {sentence}")


def test_a_missing_field_is_named() -> None:
    with pytest.raises(NotPlain, match=r"^variant: middle is missing$"):
        readable(variant_from_plain, {"id": "x"}, "variant")


def test_what_nobody_asked_for_is_not_read() -> None:
    document = {**variant_to_plain(PAPIR), "shade": "green", "turns": 3}
    assert variant_from_plain(document) == PAPIR
