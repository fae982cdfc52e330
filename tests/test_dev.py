"""The project's own commands: stopped in the middle of a set-up they leave nothing running."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers import ROOT

A_SET_UP = """
import signal, sys
from devtools.children import run_child
signal.signal(signal.SIGINT, signal.default_int_handler)
run_child(["sh", "-c", "sleep 50 & sleep 1; echo $! >$0; wait", sys.argv[1]])
"""


def is_running(pid: int) -> bool:
    """Whether there is such a program, one that only waits to be buried aside."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(shown.strip()) and not shown.startswith("Z")


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
        run.communicate(timeout=20)
    deadline = time.monotonic() + 10
    while is_running(int(noted.read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(int(noted.read_text()))


def test_a_wrong_verb_is_said_and_the_verbs_are_listed() -> None:
    ended = subprocess.run([sys.executable, "dev.py", "serve"], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.strip()) == (2, "There is no verb 'serve'.")
    assert "  run " in ended.stdout
