"""The project's own commands: stopped in the middle of a set-up they leave nothing running."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from devtools.programs import find_chromium, first_known
from tests.servers import ROOT

A_SET_UP = """
import signal, sys
from devtools.children import run_child
signal.signal(signal.SIGINT, signal.default_int_handler)
run_child(["sh", "-c", "sleep 50 & sleep 1; echo $! >$0; wait", sys.argv[1]])
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_what_a_stopped_set_up_has_started_ends_with_it(tmp_path: Path, sent: signal.Signals) -> None:
    noted = tmp_path / "pid"
    with subprocess.Popen(
        [sys.executable, "-c", A_SET_UP, str(noted)], cwd=ROOT, stderr=subprocess.PIPE
    ) as run:
        while not (noted.exists() and noted.read_text().strip()):
            assert run.poll() is None
            time.sleep(0.02)
        run.send_signal(sent)
        # All that it has started writes to the same pipe, which ends with the last of them.
        run.communicate(timeout=40)


def test_a_wrong_verb_is_said_and_the_verbs_are_listed() -> None:
    ended = subprocess.run([sys.executable, "dev.py", "serve"], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.strip()) == (2, "There is no verb 'serve'.")
    assert "  run " in ended.stdout


def make_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder where programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    return tmp_path


def test_a_browser_without_a_window_is_taken_before_one_with(programs: Path) -> None:
    make_program(programs / "chromium", "exit")
    assert find_chromium() == str(programs / "chromium")
    make_program(programs / "chromium-headless-shell", "exit")
    assert find_chromium() == str(programs / "chromium-headless-shell")


@pytest.mark.parametrize(("known", "taken"), [("old new", "new"), ("old", "old"), ("", "old")])
def test_a_package_is_taken_by_the_first_of_its_names_that_is_known(
    programs: Path, known: str, taken: str
) -> None:
    make_program(programs / "apt-cache", f'case " {known} " in *" $2 "*) exit 0;; *) exit 100;; esac')
    assert first_known(["new", "old"]) == taken
