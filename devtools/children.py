"""The programs of a set-up: when it is stopped they end at once, with whatever they have started."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from types import FrameType


def run_child(command: Sequence[str], *, cwd: str | None = None, env: Mapping[str, str] | None = None) -> int:
    """Run it to its end, without input; its exit status. Ctrl-C reaches this program alone, which ends it."""
    if os.name == "posix":
        signal.signal(signal.SIGTERM, _stop)
    with subprocess.Popen(
        command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, start_new_session=os.name == "posix"
    ) as child:
        try:
            return child.wait()
        except BaseException:
            _end(child)
            raise


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Told to end by a program: the same as Ctrl-C."""
    raise KeyboardInterrupt


def _end(child: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
