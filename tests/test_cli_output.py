"""Where the command line writes to may be full, or know few characters; an argument may be no text."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.rules.plain import record_to_plain
from tests.command_line import RunCli
from tests.games import play
from tests.servers import ROOT
from tests.values import replace

FULL = Path("/dev/full")


@pytest.fixture(scope="module")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of an honest game of a player who writes Cyrillic."""
    record = play(seed=3)
    seats = tuple(replace(seat, name="Лија 🎲") for seat in record.seats)
    file = tmp_path_factory.mktemp("records") / "game.json"
    file.write_text(json.dumps(record_to_plain(replace(record, seats=seats))), encoding="utf-8")
    return file


def yamb(
    *arguments: str | bytes | Path, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("YAMB_")}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "app.cli", *arguments],
        cwd=ROOT,
        env=inherited | (env or {}),
        stderr=subprocess.PIPE,
        check=False,
        **options,
    )


@pytest.mark.parametrize("verb", ["verify", "replay"])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_name_that_a_terminal_can_not_show_is_no_fault_of_the_record(
    record_file: Path, verb: str, encoding: str
) -> None:
    done = yamb(verb, record_file, env={"PYTHONIOENCODING": encoding}, stdout=subprocess.PIPE)

    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u041b\u0438\u0458\u0430 \U0001f3b2" in done.stdout


@pytest.mark.skipif(not FULL.exists(), reason="there is no file here that is always full")
@pytest.mark.parametrize("verb", ["verify", "replay", "migrate"])
def test_an_output_that_is_full_is_one_line(record_file: Path, tmp_path: Path, verb: str) -> None:
    files = [] if verb == "migrate" else [record_file]
    with FULL.open("wb") as full:
        done = yamb(verb, *files, env={"YAMB_DATA_DIR": str(tmp_path)}, stdout=full)

    assert done.returncode == 2
    assert done.stderr == b"yamb: the output can't be written: No space left on device\n"


@pytest.mark.parametrize(
    "arguments",
    [("delete-player", b"\xff"), ("export-games", "--variant", b"\xff"), ("export-games", "--since", "")],
)
def test_an_argument_that_says_nothing_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, arguments: tuple[str | bytes, ...]
) -> None:
    monkeypatch.setenv("YAMB_DATA_DIR", str(tmp_path))
    run_cli("migrate")

    done = run_cli(*map(os.fsdecode, arguments))

    assert done.returncode in {1, 2}
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("yamb: ")
