"""`yamb verify`: every tampering is found, and whatever the file holds is one line."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cli import main
from app.rules.plain import record_to_plain
from app.rules.presets import CLASSIC_5X4, PAPIR
from app.rules.record import Record
from app.scores.checking import check_file
from tests.games import play

NO_NOTE = "compared with no note from before the start"
Plain = dict[str, Any]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def record() -> Record:
    return play(PAPIR, 2, seed=21)


@pytest.fixture(scope="module")
def honest(record: Record) -> Plain:
    plain: Plain = json.loads(json.dumps(record_to_plain(record)))
    return plain


@pytest.fixture
def game(honest: Plain) -> Plain:
    """The honest record, to be tampered with."""
    return copy.deepcopy(honest)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


def verify(file: Path, plain: object) -> int:
    file.write_text(json.dumps(plain), encoding="utf-8")
    return main(["verify", str(file)])


def only_line(capture: Capture) -> str:
    (line,) = capture.readouterr().out.splitlines()
    return str(line)


def test_an_honest_game_is_verified(file: Path, record: Record, honest: Plain, capsys: Capture) -> None:
    assert verify(file, honest) == 0

    rolls = sum(event["type"] == "rolled" for event in honest["log"])
    totals = ", ".join(f"Player {sheet['seat']} {sheet['total']}" for sheet in honest["sheets"])
    expected = (
        f"ok: {rolls} rolls recomputed, {len(record.log)} events replayed, final totals {totals}; {NO_NOTE}"
    )
    assert only_line(capsys) == expected


@pytest.mark.parametrize("seats", [1, 8])
def test_tables_of_every_size_are_verified(file: Path, seats: int) -> None:
    assert verify(file, record_to_plain(play(CLASSIC_5X4, seats, seed=22))) == 0


def first(game: Plain, kind: str) -> Plain:
    found: Plain = next(event for event in game["log"] if event["type"] == kind)
    return found


def change_a_face(game: Plain) -> None:
    dice = first(game, "rolled")["dice"]
    dice[0] = dice[0] % 6 + 1


def change_a_score(game: Plain) -> None:
    first(game, "filled")["score"] += 1


def change_a_total(game: Plain) -> None:
    game["standings"][0]["total"] += 1


def change_a_sheet(game: Plain) -> None:
    cells = game["sheets"][0]["cells"]["down"]
    cells["ones"] += 1


def change_a_place(game: Plain) -> None:
    game["standings"][0]["place"] = 2


def remove_an_event(game: Plain) -> None:
    del game["log"][len(game["log"]) // 2]


def remove_the_last_event(game: Plain) -> None:
    del game["log"][-1]


def add_a_roll(game: Plain) -> None:
    game["log"].insert(1, copy.deepcopy(game["log"][0]))


def add_an_event_after_the_end(game: Plain) -> None:
    game["log"].append(copy.deepcopy(game["log"][0]))


def exchange_events(game: Plain) -> None:
    filled = [index for index, event in enumerate(game["log"]) if event["type"] == "filled"]
    one, two = filled[0], filled[2]
    game["log"][one], game["log"][two] = game["log"][two], game["log"][one]


def take_another_secret(game: Plain) -> None:
    game["proof"]["secret"] = "00" * 32


def take_another_secret_and_commitment(game: Plain) -> None:
    from_elsewhere = record_to_plain(play(PAPIR, 2, seed=23))["proof"]
    assert isinstance(from_elsewhere, dict)
    game["proof"] |= {name: from_elsewhere[name] for name in ("secret", "commitment")}


def change_a_text(game: Plain) -> None:
    game["proof"]["texts"][1] += "!"


def change_the_game_id(game: Plain) -> None:
    game["id"] = "g-other"


def change_who_moves(game: Plain) -> None:
    game["log"][0]["seat"] = 1


def change_a_seat(game: Plain) -> None:
    game["seats"][0]["seat"] = 1


def change_the_rules(game: Plain) -> None:
    game["variant"]["bonus_steps"][0]["award"] = 300


def claim_a_pass(game: Plain) -> None:
    game["log"].insert(0, {"type": "passed", "seat": 0})


TAMPERINGS = [
    change_a_face,
    change_a_score,
    change_a_total,
    change_a_sheet,
    change_a_place,
    remove_an_event,
    remove_the_last_event,
    add_a_roll,
    add_an_event_after_the_end,
    exchange_events,
    take_another_secret,
    take_another_secret_and_commitment,
    change_a_text,
    change_the_game_id,
    change_who_moves,
    change_a_seat,
    change_the_rules,
    claim_a_pass,
]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_found(
    file: Path, game: Plain, capsys: Capture, tamper: Callable[[Plain], None]
) -> None:
    tamper(game)

    assert verify(file, game) == 1
    assert only_line(capsys).startswith("wrong: ")


def test_every_changed_face_is_found(file: Path, capsys: Capture) -> None:
    honest = record_to_plain(play(CLASSIC_5X4, 1, seed=24))
    for index in range(0, len(honest["log"]), 9):  # type: ignore[arg-type]
        game: Plain = copy.deepcopy(honest)
        event = game["log"][index]
        if event["type"] == "rolled":
            event["dice"][-1] = event["dice"][-1] % 6 + 1
            assert verify(file, game) == 1
            assert only_line(capsys).startswith("wrong: event ")


BROKEN = {
    "nothing": b"",
    "no JSON": b"game over",
    "half of it": b'{"id": "g1", "log": [',
    "no text": b"\xff\xfe\x00",
    "a list": b"[]",
    "null": b"null",
    "another object": b'{"openapi": "3.1.0"}',
    "a problem": b'{"type": "about:blank", "status": 404}',
    "nested too deep": b"[" * 1_000_000,
    "nested too deep in an object": b'{"a":' * 1_000_000,
    "a number too long": b'{"id": ' + b"9" * 100_000 + b"}",
    "too big": b" " * (17 * 1024 * 1024),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_record_is_one_line(file: Path, capsys: Capture, name: str) -> None:
    file.write_bytes(BROKEN[name])

    assert main(["verify", str(file)]) == 1
    line = only_line(capsys)
    assert line.startswith("wrong: ")
    assert len(line) < 500


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["verify", str(path)]) == 1
        assert "can't be read" in only_line(capsys)


def places(plain: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in it."""
    inner = enumerate(plain) if isinstance(plain, list) else plain.items() if isinstance(plain, dict) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10),
    st.sampled_from([2**70, -(2**70)]),
    st.floats(),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.sampled_from(["\ud800", "x" * 70_000, "rolled", "passed", "down", "notification"]),
)


@pytest.fixture(scope="module")
def small() -> Plain:
    plain: Plain = json.loads(json.dumps(record_to_plain(play(CLASSIC_5X4, 1, seed=25))))
    return plain


@pytest.fixture(scope="module")
def ways(small: Plain) -> list[tuple[str | int, ...]]:
    """Every value of the small record; half of them outside of its long log."""
    found = list(places(small))
    outside = [way for way in found if way[0] != "log"]
    return found[:: len(found) // len(outside)] + outside


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=st.data())
def test_whatever_stands_in_a_record_is_one_line(
    file: Path, small: Plain, ways: list[tuple[str | int, ...]], chosen: st.DataObject
) -> None:
    game = copy.deepcopy(small)
    *way, last = chosen.draw(st.sampled_from(ways))
    holder: Any = game
    for key in way:
        holder = holder[key]
    holder[last] = chosen.draw(ANYTHING)
    file.write_text(json.dumps(game), encoding="utf-8")

    try:
        line = check_file(file)
    except ValueError as error:
        line = str(error)

    assert len(line.splitlines()) == 1


def test_a_name_that_breaks_the_line_is_shown_without_that(file: Path, small: Plain, capsys: Capture) -> None:
    game = copy.deepcopy(small)
    game["seats"][0]["name"] = "Li\nja\x1b[2J\u2028"

    assert verify(file, game) == 0
    assert "Li?ja?[2J? " in only_line(capsys)


def test_a_key_that_breaks_the_line_is_shown_without_that(file: Path, small: Plain, capsys: Capture) -> None:
    game = copy.deepcopy(small)
    game["log"][0]["type"] = "\x1b[2J\n\ud800"

    assert verify(file, game) == 1
    assert "\x1b" not in only_line(capsys)


def test_what_an_answer_says_beside_a_seat_is_passed_over(file: Path, game: Plain, capsys: Capture) -> None:
    game["seats"][0] |= {"tag": None, "user_name": "lija", "said_by_a_later_server": [1]}
    assert verify(file, game) == 0

    game["variant"]["said_by_a_later_server"] = 1
    capsys.readouterr()
    assert verify(file, game) == 1
    assert "variant.said_by_a_later_server" in only_line(capsys), "it may be a rule"


def test_the_wrong_field_is_named(file: Path, game: Plain, capsys: Capture) -> None:
    change_a_sheet(game)

    assert verify(file, game) == 1
    assert "sheets[0].cells.down.ones: " in only_line(capsys)


def test_each_line_of_many_games_is_checked_and_the_wrong_ones_are_named(
    file: Path, game: Plain, honest: Plain, capsys: Capture
) -> None:
    change_a_total(game)
    games = [json.dumps(one) for one in (honest, game, honest)]
    file.write_text("\n".join(games), encoding="utf-8")

    assert main(["verify", str(file)]) == 1
    assert only_line(capsys).startswith("wrong: line 2: standings[0].total: ")
    file.write_text("\n".join([games[0], "{", games[2]]), encoding="utf-8")
    assert main(["verify", str(file)]) == 1
    assert "line 2, is not JSON" in only_line(capsys)
    file.write_text("\n".join([games[0], games[2]]), encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert [line[:11] for line in capsys.readouterr().out.splitlines()] == ["ok: line 1:", "ok: line 2:"]


@pytest.fixture
def written(file: Path, honest: Plain) -> Path:
    """The honest record as a file."""
    file.write_text(json.dumps(honest), encoding="utf-8")
    return file


def verify_with(file: Path, plain: object, *noted: str) -> int:
    file.write_text(json.dumps(plain), encoding="utf-8")
    return main(["verify", str(file), *noted])


def test_what_was_noted_is_compared_and_the_rest_is_named(file: Path, honest: Plain, capsys: Capture) -> None:
    proof = honest["proof"]
    commitment = ("--commitment", proof["commitment"].upper())

    assert verify_with(file, honest, *commitment, "--text", f"1={proof['texts'][1]}") == 0
    assert only_line(capsys).endswith(
        "; as you noted: the commitment, the text of seat 1; not compared: the text of seat 0"
    )
    assert verify_with(file, honest, "--text", f"0={proof['texts'][0]}") == 0
    assert only_line(capsys).endswith("not compared: the commitment, the text of seat 1")


def test_dice_of_another_secret_than_the_noted_one_are_found(
    file: Path, honest: Plain, capsys: Capture
) -> None:
    """The record is honest in itself: a server that knew the texts chose its secret anew."""
    other = record_to_plain(play(PAPIR, 2, seed=23))

    assert verify(file, other) == 0
    capsys.readouterr()
    assert verify_with(file, other, "--commitment", honest["proof"]["commitment"]) == 1
    assert only_line(capsys) == "wrong: the commitment is not the one you noted"


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        ("--text 1=else", "the text of seat 1 is not the one you noted"),
        ("--text 7=a", "you noted a text of seat 7, but the game has 2 seats"),
        ("--text a", "--text: SEAT=TEXT is expected, with a seat from 0 to 7"),
        ("--text 8=a", "--text: SEAT=TEXT is expected, with a seat from 0 to 7"),
        ("--text 0=a --text 0=b", "--text: seat 0 has two texts"),
        ("--commitment abc", "--commitment: 64 hexadecimal digits are expected"),
    ],
)
def test_a_wrong_note_is_one_line(written: Path, capsys: Capture, noted: str, said: str) -> None:
    assert main(["verify", str(written), *noted.split()]) == 1
    assert only_line(capsys) == f"wrong: {said}"


def test_a_note_is_of_one_game(file: Path, honest: Plain, capsys: Capture) -> None:
    assert verify_with(file, [honest, honest], "--text", "0=a") == 1
    assert only_line(capsys) == "wrong: a note is of one game, and there are 2 in the file"


def test_a_text_of_a_bot_that_was_chosen_is_found(file: Path, capsys: Capture) -> None:
    def with_text(text: str) -> object:
        return record_to_plain(play(PAPIR, 2, seed=21, bot_text=text))

    assert verify(file, with_text("bot")) == 0
    capsys.readouterr()
    assert verify(file, with_text("ground")) == 1
    assert only_line(capsys) == "wrong: seat 1 is a bot's, and its text is not the bots' text"
