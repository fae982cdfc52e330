"""`yamb replay`: a game told from its line or its record, and whatever else the file holds is one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cli import main
from app.rules.game import start
from app.rules.notation import format_game
from app.rules.plain import record_to_plain
from app.rules.presets import PAPIR
from app.rules.record import Record
from tests.games import play
from tests.servers import ROOT
from tests.test_verify import BROKEN

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


@pytest.fixture(scope="module")
def record() -> Record:
    return play(PAPIR, 2, seed=31)


def replay(file: Path, content: str | bytes, *options: str) -> int:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return main(["replay", *options, str(file)])


def only_line(capture: Capture) -> str:
    (line,) = capture.readouterr().out.splitlines()
    return str(line)


def test_a_line_is_told_turn_by_turn_with_the_sheets_so_far(file: Path, capsys: Capture) -> None:
    assert replay(file, "classic-5x4/2 66611 534.. down.ones 12345 free.straight 11111\n") == 0
    told = capsys.readouterr().out
    assert told.startswith(
        "classic-5x4, Seat 0, Seat 1\n"
        "\n"
        "1. Seat 0: rolls 66611, holds 11 and rolls 53411, writes 2 in ones of down\n"
    )
    assert "3. Seat 0: rolls 11111\n" in told
    assert "2. Seat 1: rolls 12345, writes 45 in straight of free\n" in told
    assert "\nones         2\n" in told
    assert "\ntotal 2\n" in told
    assert told.splitlines()[-1].startswith("Seat 0 is to move: classic-5x4/2 turn=3 roll=1:11111 2,_11/")


def test_a_whole_game_ends_with_the_standings(file: Path, capsys: Capture) -> None:
    golden = (ROOT / "tests" / "rules" / "golden" / "croatian.txt").read_text(encoding="utf-8")
    assert replay(file, golden.splitlines()[0]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == ["", "1. Seat 1 483", "2. Seat 0 368"]


def test_a_record_is_told_with_the_players_names(file: Path, record: Record, capsys: Capture) -> None:
    assert replay(file, json.dumps(record_to_plain(record))) == 0
    told = capsys.readouterr().out
    assert told.startswith("papir, Player 0, Player 1\n\n1. Player 0: rolls ")
    assert "\nPlayer 1\n" in told


@pytest.mark.parametrize("seats", [1, 2])
def test_the_line_of_a_record_is_that_of_its_game(file: Path, seats: int, capsys: Capture) -> None:
    record = play(PAPIR, seats, seed=32)
    assert replay(file, json.dumps(record_to_plain(record)), "--line") == 0
    line = only_line(capsys)
    assert line == format_game(start(record.variant, seats), record.log)
    assert replay(file, line, "--line") == 0
    assert only_line(capsys) == line


@pytest.mark.parametrize("options", [(), ("--line",)])
@pytest.mark.parametrize("name", [name for name in BROKEN if name != "a list"])
def test_a_file_that_is_no_game_is_one_line(
    file: Path, name: str, options: tuple[str, ...], capsys: Capture
) -> None:
    assert replay(file, BROKEN[name], *options) == 1
    line = only_line(capsys)
    assert line.startswith("wrong: ")
    assert len(line) < 500


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[]", "has no game in it"),
        ("[1]", "an object is expected"),
        ("classic-5x4/2\nclassic-5x4/2\n", "has 2 lines"),
        ("classic-5x4/2 66611 down.twos", "at character 21, 'down.twos': illegal, out_of_order"),
        ("paper/2", "at character 1, 'paper': one of classic-5x4"),
        ("classic-5x4/2 \x1b[2J", r"at character 15, '\x1b[2J'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(file: Path, content: str, sentence: str, capsys: Capture) -> None:
    assert replay(file, content) == 1
    assert sentence in only_line(capsys)


def test_a_record_that_is_not_honest_is_one_line(file: Path, record: Record, capsys: Capture) -> None:
    plain = json.loads(json.dumps(record_to_plain(record)))
    plain["log"][0]["dice"][0] = plain["log"][0]["dice"][0] % 6 + 1
    assert replay(file, json.dumps(plain)) == 1
    assert only_line(capsys).startswith("wrong: event 0")


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        assert main(["replay", str(path)]) == 1
        assert "can't be read" in only_line(capsys)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(), st.text().map(str.encode)))
def test_whatever_stands_in_a_file_is_one_line(file: Path, content: bytes, capsys: Capture) -> None:
    assert replay(file, content) == 1
    assert only_line(capsys).startswith("wrong: ")


def test_a_reader_who_stops_early_sees_no_traceback(file: Path) -> None:
    golden = (ROOT / "tests" / "rules" / "golden" / "papir.txt").read_text(encoding="utf-8")
    file.write_text(golden.splitlines()[0], encoding="utf-8")
    command = [sys.executable, "-m", "app.cli", "replay", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout
        assert program.stderr
        program.stdout.close()
        assert program.stderr.read() == b""
