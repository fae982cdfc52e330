"""`yamb export-games`: a line a game, each the record that `yamb verify` takes; one line for an error."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.cli import main
from app.config import Settings, variable_of
from app.db import Database
from app.rules.plain import record_to_plain
from app.rules.presets import PAPIR
from app.scores.exporting import export_games, instant_of_day
from app.scores.recording import make_record_game
from app.scores.repository import FinishedGame, Wanted, add_game
from tests.databases import empty_database_url
from tests.games import play
from tests.servers import ROOT

# The verbs configure logging for the process that they are run in.
pytestmark = pytest.mark.usefixtures("restored_logging")

__all__ = ["empty_database_url"]

NOON = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)
DAY = 86_400_000
FULL = Path("/dev/full")
GAMES = [
    play(seed=1, ended_at=NOON - DAY),
    play(PAPIR, seed=2, ended_at=NOON),
    play(seed=3, ended_at=NOON),
]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
async def recorded(database: Database) -> Database:
    for record in GAMES:
        await make_record_game(database)(record)
    return database


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        (Wanted(), ["g1", "g2", "g3"]),
        (Wanted("papir"), ["g2"]),
        (Wanted(None, NOON - NOON % DAY), ["g2", "g3"]),
        (Wanted("classic-5x4", NOON), ["g3"]),
        (Wanted("chess"), []),
    ],
)
async def test_the_games_that_are_wanted_come_a_line_each(
    recorded: Database, wanted: Wanted, games: list[str]
) -> None:
    out = io.BytesIO()

    assert await export_games(recorded, wanted, out.write) == len(games)

    lines = out.getvalue().splitlines()
    plain_by_id = {record.game_id: record_to_plain(record) | {"board": record.variant.id} for record in GAMES}
    assert [json.loads(line) for line in lines] == [plain_by_id[game] for game in games]


async def test_more_games_than_are_read_at_once_come_all_and_once(database: Database) -> None:
    ids = {f"g{number}" for number in range(250)}
    async with database.session() as session:
        for game in ids:
            await add_game(session, FinishedGame(game, "papir", 1, {"id": game}, []))
    lines: list[bytes] = []

    await export_games(database, Wanted(), lines.append)

    assert sorted(json.loads(line)["id"] for line in lines) == sorted(ids)


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "2026-11-31", "", "2026-11-30T12:00"])
def test_a_day_that_is_none_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="such as 2026-11-30"):
        instant_of_day(text)


@pytest.fixture
def here(
    recorded: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Path]:
    """A folder to work in, with the games in the database of the settings."""
    del recorded
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)
    monkeypatch.setenv("YAMB_DATABASE_URL", database_url)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    yield folder
    assert [path for path in folder.iterdir() if path.name.startswith(".")] == []


def yamb(*arguments: str) -> int:
    """The command line, beside the loop that the tests share."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(main, arguments).result()


def test_a_line_is_what_verify_takes(here: Path, capsys: Capture) -> None:
    assert yamb("export-games", "--variant", "papir", "--since", "2026-11-30") == 0
    (line,) = capsys.readouterr().out.splitlines()
    (here / "game.json").write_text(line)

    assert yamb("verify", "game.json") == 0
    assert capsys.readouterr().out.startswith("ok: ")


def test_a_file_is_written_whole_and_said(here: Path, capsys: Capture) -> None:
    (here / "games.jsonl").write_text("an older one")

    assert yamb("export-games", "--out", "games.jsonl") == 0

    assert capsys.readouterr().out == "3 games written to games.jsonl\n"
    assert len((here / "games.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "yesterday"), "2026-11-30"),
        (("--variant", "nope"), "no variant 'nope'"),
        (("--variant", "nope", "--out", "games.jsonl"), "no variant 'nope'"),
        (("--out", "missing/games.jsonl"), "No such file"),
        (("--out", "."), "directory"),
    ],
)
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_is_wrong_is_one_line(capsys: Capture, arguments: tuple[str, ...], said: str) -> None:
    assert yamb("export-games", *arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
    assert said in told.err


def yamb_into(output: int) -> tuple[int, bytes]:
    """The exit status of the program itself, and what it said beside its output."""
    done = subprocess.run(
        [sys.executable, "-m", "app.cli", "export-games"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=output,
        stderr=subprocess.PIPE,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no file here that is always full")
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_output_that_is_full_is_one_line() -> None:
    with FULL.open("wb") as full:
        assert yamb_into(full.fileno()) == (
            2,
            b"yamb: the output can't be written: No space left on device\n",
        )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_reader_who_stops_early_sees_no_traceback() -> None:
    for_nobody, output = os.pipe()
    os.close(for_nobody)

    assert yamb_into(output) == (0, b"")

    os.close(output)


@pytest.mark.parametrize("empty_database_url", ["sqlite"], indirect=True)
def test_a_schema_that_is_behind_is_one_line(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("YAMB_DATABASE_URL", empty_database_url)
    assert yamb("export-games") == 2
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert "yamb migrate" in told.err
