"""The command line: one line for whatever is missing or wrong, and no traceback.

Most is called in this process; a few tests start the program itself, as a person does.
"""

import asyncio
import secrets
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from app.accounts.repository import Account, add_account, add_player
from app.cli import main
from app.config import Settings, variable_of
from app.db import Database
from app.schema import migrate
from tests.command_line import RunCli
from tests.patience import PATIENCE_SECONDS
from tests.postgres import NEEDS_PASSWORD, Databases
from tests.servers import HOST, ROOT, free_port

# The verbs configure logging for the process that they are run in.
pytestmark = pytest.mark.usefixtures("restored_logging")

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)
    monkeypatch.setenv("YAMB_DATA_DIR", str(tmp_path / "var"))
    monkeypatch.setenv("YAMB_PORT", "0")


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The program itself, as a person starts it."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "app.cli", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


def test_the_program_ends_with_the_status_and_with_one_line(tmp_path: Path) -> None:
    made, checked = start("migrate"), start("migrate", "--check")
    assert (made.returncode, made.stderr) == (checked.returncode, checked.stderr) == (0, "")
    (tmp_path / "var" / "yamb.db").write_text("no database at all, " * 20)

    ended = start("serve")

    assert (ended.returncode, ended.stdout) == (2, "")
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_migrate_makes_the_tables_and_check_agrees(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, kind: str
) -> None:
    if kind == "postgres":
        monkeypatch.setenv("YAMB_DATABASE_URL", request.getfixturevalue("postgres_url"))

    before, made, after = run_cli("migrate", "--check"), run_cli("migrate"), run_cli("migrate", "--check")

    assert (before.returncode, made.returncode, after.returncode) == (1, 0, 0)
    assert before.stdout.splitlines()[-1].endswith("run `yamb migrate`")
    assert (before.stderr, made.stderr, after.stderr) == ("", "", "")


def missing_database() -> str:
    return f"postgresql+asyncpg://yamb:geheim@{HOST}:{free_port()}/yamb"


@pytest.mark.parametrize("verb", ["migrate", "export-games"])
def test_a_database_that_is_not_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, verb: str
) -> None:
    monkeypatch.setenv("YAMB_DATABASE_URL", missing_database())

    ended = run_cli(verb)

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "YAMB_DATABASE_URL" in ended.stderr
    assert "geheim" not in ended.stderr


REFUSED_BY_DATABASES = [
    ("postgresql+asyncpg://postgres@{place}/not_there", "not_there"),
    ("postgresql+asyncpg://nobody@{place}/postgres", "nobody"),
    (f"postgresql+asyncpg://{NEEDS_PASSWORD}:geheim@{{place}}/postgres", "password authentication failed"),
    ("postgresql+asyncpg://postgres@{place}/postgres?ssl=require", "SSL"),
    ("postgresql+asyncpg://postgres@{place}/postgres?ssl=verify-full", "root certificate"),
    ("postgresql+asyncpg:///yamb?host={folder}", "No such file"),
    ("sqlite:///{folder}", "unable to open"),
    ("sqlite:///{folder}/missing/yamb.db", "No such file"),
]


@pytest.mark.parametrize(("form", "said"), REFUSED_BY_DATABASES)
def test_a_database_that_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    postgres_server: Databases,
    run_cli: RunCli,
    *,
    form: str,
    said: str,
) -> None:
    place = urlsplit(postgres_server.url("")).netloc.rpartition("@")[2]
    monkeypatch.setenv("YAMB_DATABASE_URL", form.format(place=place, folder=tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert said in ended.stderr
    assert "YAMB_DATABASE_URL" in ended.stderr
    assert "geheim" not in ended.stderr


def test_a_schema_that_is_behind_is_one_line(
    monkeypatch: pytest.MonkeyPatch, postgres_url: str, run_cli: RunCli
) -> None:
    monkeypatch.setenv("YAMB_DATABASE_URL", postgres_url)

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "yamb migrate" in ended.stderr


def test_a_redis_that_is_in_no_cluster_is_one_line(
    monkeypatch: pytest.MonkeyPatch, redis_url: str, run_cli: RunCli
) -> None:
    monkeypatch.setenv("YAMB_REDIS_URL", redis_url.replace("redis://", "redis+cluster://"))

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "YAMB_REDIS_URL" in ended.stderr


def test_a_redis_that_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, redis_url: str, run_cli: RunCli
) -> None:
    monkeypatch.setenv("YAMB_REDIS_URL", redis_url.replace("://", "://:geheim@"))

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "YAMB_REDIS_URL" in ended.stderr
    assert "geheim" not in ended.stderr


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("rediss://{place}/0?ssl_ca_certs={folder}/none.pem", "No such file"),
        ("unix://{folder}/none.sock", "{folder}/none.sock"),
        ("redis://{place}/4096", "out of range"),
    ],
)
def test_an_address_where_no_redis_is_to_be_used_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, redis_url: str, run_cli: RunCli, *, form: str, said: str
) -> None:
    parts = {"place": urlsplit(redis_url).netloc, "folder": str(tmp_path)}
    monkeypatch.setenv("YAMB_REDIS_URL", form.format(**parts))

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert said.format(**parts) in ended.stderr.partition("(")[2]
    assert "YAMB_REDIS_URL" in ended.stderr
    assert "geheim" not in ended.stderr


@pytest.mark.parametrize("verb", ["serve", "migrate"])
def test_a_file_that_is_no_database_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run_cli: RunCli, verb: str
) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, " * 20)
    monkeypatch.setenv("YAMB_DATABASE_URL", f"sqlite:///{tmp_path / 'notes.txt'}")

    ended = run_cli(verb)

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1


def test_rooms_that_cannot_be_read_stop_the_start(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "rooms.db").write_text("no rooms at all, " * 20)

    ended = start("serve")

    assert ended.returncode == 2
    assert "rooms.db can't be used for rooms" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_port_that_is_taken_is_one_line(monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> None:
    with socket.create_server((HOST, 0)) as taken:
        monkeypatch.setenv("YAMB_PORT", str(taken.getsockname()[1]))
        ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "YAMB_PORT" in ended.stderr


@pytest.mark.parametrize("folder", ["file", "file/var"])
def test_a_folder_that_cannot_be_made_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run_cli: RunCli, folder: str
) -> None:
    (tmp_path / "file").write_text("a file, no folder")
    monkeypatch.setenv("YAMB_DATA_DIR", str(tmp_path / folder))

    ended = run_cli("serve")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "YAMB_DATA_DIR" in ended.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("YAMB_PORT", "eight"),
        ("YAMB_DATABASE_URL", "postgresql://db/yamb?foo=bar"),
        ("YAMB_DATABASE_URL", "postgresql://yamb:ge@heim@db/yamb"),
        ("YAMB_REDIS_URL", "redis://redis?foo=bar"),
    ],
)
def test_a_wrong_setting_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    for verb in ("serve", "migrate"):
        assert main([verb]) == 2
        said = capsys.readouterr().err
        assert len(said.splitlines()) == 1
        assert name in said
        assert "heim" not in said


@pytest.mark.parametrize(
    "verb", ["serve", "migrate", "recount", "backup", "verify", "replay", "export-games", "delete-player"]
)
def test_every_verb_has_help_with_an_example(capsys: Capture, verb: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])

    assert ended.value.code == 0
    assert "example:" in capsys.readouterr().out


def test_without_the_rights_to_change_the_schema_it_is_one_line(
    monkeypatch: pytest.MonkeyPatch, postgres_url: str, run_cli: RunCli
) -> None:
    user = f"reader_{secrets.token_hex(4)}"
    database = Database(postgres_url)

    async def make_reader() -> None:
        async with database.session() as session:
            await session.execute(text(f"CREATE USER {user}"))
        await database.dispose()

    asyncio.run(make_reader())
    monkeypatch.setenv("YAMB_DATABASE_URL", postgres_url.replace("postgres@", f"{user}@"))

    ended = run_cli("migrate")

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "the database refuses that: " in ended.stderr
    assert "permission denied" in ended.stderr


def add_players(path: Path) -> None:
    """A guest, and an account whose user name is the id of the guest's, beside another."""
    path.parent.mkdir(exist_ok=True)
    url = f"sqlite+aiosqlite:///{path}"

    async def add() -> None:
        database = Database(url)
        await migrate(database)
        async with database.session() as session:
            for player, user_name in (("pguest", None), ("plija", "lija"), ("pmedo", "pguest")):
                await add_player(session, player, "Lija", 1)
                if user_name is not None:
                    account = Account(player, user_name, "hash", b"hash", 1)
                    await add_account(session, account, user_name)
        await database.dispose()

    asyncio.run(add())


def test_a_player_is_deleted_by_id_or_user_name(tmp_path: Path, capsys: Capture) -> None:
    add_players(tmp_path / "var" / "yamb.db")

    assert main(["delete-player", "Lija"]) == 0
    assert capsys.readouterr().out == "plija is deleted: the name is gone, the games stay\n"
    for named in ("lija", "plija", "nobody", "\x1b[2J"):
        assert main(["delete-player", named]) == 1
        said = capsys.readouterr().err
        assert said.startswith("yamb: no player has the id or user name")
        assert len(said.splitlines()) == 1
        assert "\x1b" not in said
    assert main(["delete-player", "pguest"]) == 1
    assert "name that id" in capsys.readouterr().err
    assert main(["delete-player", "pmedo"]) == 0
    assert main(["delete-player", "pguest"]) == 0


def test_players_are_deleted_from_a_schema_that_is_known(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "var").mkdir()
    assert main(["delete-player", "lija"]) == 2
    assert "yamb migrate" in capsys.readouterr().err
