"""The servers that tests run against: real programs on free ports of this computer, ended with the run.

Each is a child in a session of its own, so that Ctrl-C reaches the test run alone, which then ends them in
order. What a server printed is kept and shown when it does not start.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from devtools.programs import find_redis
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
_CHILD = Path(__file__).with_name("child.py")
_START_SECONDS = 3 * PATIENCE_SECONDS
_STOP_SECONDS = 40.0
_POLL_SECONDS = 0.02


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Whether something accepts connections there."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def is_silent_soon(port: int) -> bool:
    """Whether nothing listens there any more, after a time that an orderly end may take."""
    deadline = time.monotonic() + _STOP_SECONDS
    while answers(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


class Server:
    """A program that listens on a port. It can be stopped, killed, and started again in the same folder."""

    stop_signal = signal.SIGTERM
    death_signal = signal.SIGKILL

    def __init__(self, *, port: int | None = None, user: str | None = None) -> None:
        self.port = port or free_port()
        self._user = user
        self._child: subprocess.Popen[bytes] | None = None

    @cached_property
    def folder(self) -> Path:
        """A new temporary folder, made when it is first asked for and removed by close."""
        return Path(tempfile.mkdtemp(prefix="yamb-test-"))

    def command(self) -> Sequence[str]:
        """What is started, the program as a full path."""
        raise NotImplementedError

    def env(self) -> Mapping[str, str]:
        """The environment it is started with."""
        return os.environ

    def is_ready(self) -> bool:
        """Whether it does its work."""
        return answers(self.port)

    @property
    def pid(self) -> int:
        """The id of the running program."""
        return self._running().pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended since."""
        return self._child is not None and self._child.poll() is None

    @property
    def exit_status(self) -> int | None:
        """What it ended with, None while it runs; negative when a signal killed it."""
        return self._running().poll()

    @property
    def output(self) -> str:
        """Everything it has printed, over all its starts."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def start(self) -> None:
        """Start it and wait until it is ready."""
        wrapper = [sys.executable, "-I", str(_CHILD), str(int(self.death_signal)), self._user or "-"]
        with self._log.open("ab") as log:
            self._child = subprocess.Popen(
                [*wrapper, str(os.getpid()), *self.command()],
                env=dict(self.env()),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait_until_ready()

    def stop(self) -> None:
        """Ask it to end in order and wait for that; one that doesn't is killed, and that is an error."""
        if not self.is_running:
            return
        self._running().send_signal(self.stop_signal)
        try:
            self._running().wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise TimeoutError(f"{self._name} did not stop when asked:\n{self.output}") from None

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self.is_running:
            self._running().kill()
            try:
                self._running().wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                raise TimeoutError(f"{self._name} outlives being killed, as process {self.pid}") from None

    def close(self) -> None:
        """Stop it for good and remove its folder."""
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _name(self) -> str:
        return type(self).__name__

    @property
    def _log(self) -> Path:
        return self.folder / "output.log"

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            raise RuntimeError(f"{self._name} was not started")
        return self._child

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self.is_ready():
            if not self.is_running or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"{self._name} did not start:\n{self.output}")
            time.sleep(_POLL_SECONDS)


class RedisServer(Server):
    """A Redis that keeps its data over a crash, as the room store asks for."""

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def command(self) -> Sequence[str]:
        program = find_redis()
        if program is None:
            raise RuntimeError("no Redis found: see REDIS_SERVER in dev.py's programs")
        listen = ["--port", str(self.port), "--bind", HOST, "--dir", str(self.folder)]
        return [program, *listen, "--save", "", "--appendonly", "yes", "--maxmemory-policy", "noeviction"]

    def is_ready(self) -> bool:
        """It accepts connections before it has read its log back; until then a ping is refused."""
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False


# All who play in tests and benchmarks come from one address, and are many.
_BOUNDS = ("GUESTS_PER_ADDRESS", "ROOMS_PER_PLAYER", "ROOMS_PER_ADDRESS", "VARIANTS_PER_ADDRESS")
_BOUNDS_OF_SOCKETS = ("SOCKETS_PER_PLAYER", "SOCKETS_PER_ADDRESS", "CONNECTIONS_PER_ADDRESS")
_BOUNDS_OF_REQUESTS = ("SHARE_PER_ADDRESS", "MISSES_PER_ADDRESS")
_UNBOUNDED = {f"YAMB_{bound}": "0" for bound in (*_BOUNDS, *_BOUNDS_OF_SOCKETS, *_BOUNDS_OF_REQUESTS)}


class AppServer(Server):
    """The application as users start it, a program of its own with settings from its environment.

    How much one address may make and hold is bounded only where a test says so.

    Its working folder is a new temporary one: what it keeps in ./var survives a restart and no more. Settings
    of the surrounding shell don't reach it.
    """

    def __init__(self, env: Mapping[str, str] | None = None, *, port: int | None = None) -> None:
        super().__init__(port=port)
        self._env = dict(env or {})

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def command(self) -> Sequence[str]:
        return [sys.executable, "-m", "app.cli", "serve"]

    def env(self) -> Mapping[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("YAMB_")}
        own = {"PYTHONPATH": str(ROOT), "HOST": HOST, "PORT": str(self.port)}
        return inherited | _UNBOUNDED | own | self._env

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.base_url}/healthz", timeout=2) as answer:  # noqa: S310 - http
                return int(answer.status) == 200
        except (urllib.error.URLError, OSError):
            return False

    def terminate(self) -> None:
        """Ask it to end in order, as an operator would."""
        self.stop()

    def restart(self) -> None:
        """Stop it if it runs, and start it again on the same port and folder."""
        self.stop()
        self.start()
