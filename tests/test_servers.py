"""The servers of the tests: they answer, they keep what they promise to, and they never outlive the run."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest
from playwright.async_api import Browser
from redis import Redis

from tests.conftest import StartApp
from tests.ending import END_SECONDS
from tests.network import is_local
from tests.patience import PATIENCE_SECONDS
from tests.servers import ROOT, AppServer, RedisServer, Server, answers, free_port, is_silent_soon

A_RUN_WITH_SERVERS = """
import threading
from pathlib import Path

def test_waits(postgres_url, redis_server, browser):
    ports = [postgres_url.split(":")[-1].split("/")[0], str(redis_server.port)]
    Path("ports.new").write_text(" ".join(ports))
    Path("ports.new").rename("ports")
    threading.Event().wait(50)
"""
A_RUN_WITHOUT_SERVERS = """
import threading
from pathlib import Path

def test_waits():
    Path("ports").touch()
    threading.Event().wait(50)
"""
TWO_SKIPS = {
    "test_skips.py": "import pytest\n\ndef test_is(): pass\n\ndef test_skips(): pytest.skip('no server')\n",
    "test_skips_all.py": "import pytest\n\npytest.skip('no server', allow_module_level=True)\n",
}
LEFT_OUT = "Left out: no server (2 times)."
TWO_FAILURES = {
    "test_fails.py": "def test_fails(): assert 1 == 2\n\ndef test_passes(): pass\n",
    "test_warns.py": "import warnings\n\ndef test_warns(): warnings.warn('old', DeprecationWarning)\n",
}

A_RUN_THAT_DOES_NOT_END = """
import threading
import pytest

@pytest.fixture(scope="session")
def left():
    yield
    threading.Event().wait()

def test_passes(left): pass
"""


class BrokenServer(Server):
    """A program that says why it ends at once."""

    def command(self) -> list[str]:
        return [sys.executable, "-c", "raise SystemExit('a reason to read')"]


async def statement_result(url: str, statement: str) -> object:
    """What PostgreSQL answers, first column of the first row."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_postgres_answers_in_utc(postgres_url: str) -> None:
    assert await statement_result(postgres_url, "SHOW timezone") == "UTC"


@pytest.mark.parametrize("turn", [1, 2])
async def test_every_test_gets_an_empty_database(postgres_url: str, turn: int) -> None:
    assert (
        await statement_result(postgres_url, "SELECT count(*) FROM pg_tables WHERE schemaname='public'") == 0
    )
    await statement_result(postgres_url, f"CREATE TABLE left_by_{turn} (id int)")


def test_redis_keeps_its_data_over_a_crash(redis_server: RedisServer, redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        # Else Redis puts a write off while the disk is busy with the one before.
        client.config_set("appendfsync", "always")
        client.set("room", "kept")
    redis_server.kill()
    assert not answers(redis_server.port)
    redis_server.start()
    with Redis.from_url(redis_url) as client:
        assert client.get("room") == b"kept"


@pytest.mark.parametrize("turn", [1, 2])
def test_every_test_gets_an_empty_redis(redis_url: str, turn: int) -> None:
    with Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set(f"left by {turn}", 1)


def test_a_redis_left_dead_is_started_for_the_next_test(
    redis_server: RedisServer, request: pytest.FixtureRequest
) -> None:
    redis_server.kill()
    assert answers(int(request.getfixturevalue("redis_url").rsplit(":", 1)[1].split("/")[0]))


async def test_the_browser_shows_a_page(browser: Browser) -> None:
    page = await browser.new_page()
    await page.set_content("<h1>Yamb</h1>")
    assert await page.inner_text("h1") == "Yamb"
    await page.close()


def test_a_server_that_does_not_start_shows_what_it_printed() -> None:
    with pytest.raises(RuntimeError, match="a reason to read"), BrokenServer():
        pass


def test_free_ports_are_free() -> None:
    assert not answers(free_port())


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80, 0, 0)])
def test_nothing_but_this_computer_is_reached(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as probe, pytest.raises(RuntimeError, match="this computer only"):
        probe.connect(address)


def test_names_of_other_computers_are_not_even_looked_up() -> None:
    with pytest.raises(RuntimeError, match="this computer only"):
        socket.getaddrinfo("example.test", 80)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.1.2.3", "::1", "localhost", b"localhost", None, ""], ids=repr
)
def test_this_computer_is_known_by_all_its_names(host: object) -> None:
    assert is_local(host)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that PostgreSQL's user may enter, which pytest's own temporary folders don't let it."""
    with TemporaryDirectory(prefix="yamb-test-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def inner_run(
    folder: Path,
    tests: Mapping[str, str],
    *,
    workers: int,
    env: Mapping[str, str] | None = None,
    more: Sequence[str] = (),
) -> subprocess.Popen[str]:
    """A test run inside the test run, with the same fixtures, on tests written for it."""
    for name, content in tests.items():
        (folder / name).write_text(content)
    options = [
        "-p",
        "tests.conftest",
        "-p",
        "no:randomly",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        ".",
        "-n",
        str(workers),
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *more, *tests],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder), **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def ports_of(run: subprocess.Popen[str], folder: Path) -> list[int]:
    """Where its servers listen, once they are up."""
    while not (folder / "ports").exists():
        assert run.poll() is None, run.communicate()[0]
        time.sleep(0.05)
    return [int(port) for port in (folder / "ports").read_text().split()]


def end(run: subprocess.Popen[str], sent: signal.Signals) -> None:
    """As a person or a program does it: Ctrl-C reaches all that was started in the terminal."""
    if sent is signal.SIGINT:
        os.killpg(run.pid, sent)
    else:
        run.send_signal(sent)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends the children of a killed program")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=str)
def test_servers_are_gone_after_a_run_that_was_ended(open_folder: Path, sent: signal.Signals) -> None:
    with inner_run(open_folder, {"test_inner.py": A_RUN_WITH_SERVERS}, workers=2) as run:
        ports = ports_of(run, open_folder)
        assert all(answers(port) for port in ports)
        end(run, sent)
        shown = run.communicate(timeout=PATIENCE_SECONDS)[0]
    assert [port for port in ports if not is_silent_soon(port)] == [], shown


def test_a_run_in_the_background_ends_when_it_is_told_to(tmp_path: Path) -> None:
    """Shells have what they start in the background ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with inner_run(tmp_path, {"test_inner.py": A_RUN_WITHOUT_SERVERS}, workers=0) as run:
        signal.signal(signal.SIGINT, before)
        assert ports_of(run, tmp_path) == []
        end(run, signal.SIGTERM)
        shown = run.communicate(timeout=PATIENCE_SECONDS)[0]
    assert "KeyboardInterrupt" in shown


@pytest.mark.parametrize(
    ("workers", "ci", "outcome"),
    [
        (2, "", "1 passed, 2 skipped"),
        (0, "true", "1 failed, 1 passed, 1 error"),
        (2, "true", "1 failed, 1 passed, 1 error"),
    ],
)
def test_a_skip_fails_in_ci_only(tmp_path: Path, workers: int, ci: str, outcome: str) -> None:
    env = {"CI": ci, "PYTEST_ADDOPTS": "--continue-on-collection-errors"}
    with inner_run(tmp_path, TWO_SKIPS, workers=workers, env=env) as run:
        shown = run.communicate(timeout=PATIENCE_SECONDS)[0]
    assert outcome in shown
    assert (run.returncode == 0) == (not ci)
    assert shown.splitlines()[-1] == LEFT_OUT


def test_what_failed_is_named_at_the_end_and_a_warning_is_a_failure(tmp_path: Path) -> None:
    with inner_run(tmp_path, TWO_FAILURES, workers=2) as run:
        shown = run.communicate(timeout=PATIENCE_SECONDS)[0]
    *last, left_out = shown.splitlines()[-4:]
    assert run.returncode == 1
    assert left_out == "Nothing left out of the tests that were asked for."
    assert {line.partition(" - ")[0] for line in last[:2]} == {
        "FAILED test_fails.py::test_fails",
        "FAILED test_warns.py::test_warns",
    }
    assert "2 failed, 1 passed" in last[2]


def test_a_run_that_does_not_end_says_where_it_waits_and_fails(tmp_path: Path) -> None:
    soon = ["-o", f"{END_SECONDS}=1", "--max-worker-restart=0"]
    with inner_run(tmp_path, {"test_stays.py": A_RUN_THAT_DOES_NOT_END}, workers=1, more=soon) as run:
        shown = run.communicate(timeout=PATIENCE_SECONDS)[0]
    assert run.returncode == 1
    assert "Timeout (0:00:01)!" in shown
    assert 'test_stays.py", line 8 in left' in shown


def test_the_application_is_a_program_of_its_own_that_answers(start_app: StartApp) -> None:
    app = start_app()
    assert app.is_ready()
    assert app.pid != os.getpid()


def test_a_killed_application_starts_again_on_its_port_and_its_data(start_app: StartApp) -> None:
    app = start_app()
    kept = {path.name for path in (app.folder / "var").iterdir()}
    app.kill()
    assert not answers(app.port)
    app.restart()
    assert answers(app.port)
    assert kept <= {path.name for path in (app.folder / "var").iterdir()}


def test_an_application_that_cannot_start_says_why(start_app: StartApp) -> None:
    with pytest.raises(RuntimeError, match="YAMB_DATABASE_URL"):
        start_app({"YAMB_DATABASE_URL": "nonsense"})


def test_settings_of_the_shell_do_not_reach_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMB_REDIS_URL", "redis://elsewhere:1/0")
    assert "YAMB_REDIS_URL" not in AppServer().env()
    assert AppServer({"YAMB_REDIS_URL": "redis://here:1/0"}).env()["YAMB_REDIS_URL"] == "redis://here:1/0"
