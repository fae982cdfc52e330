"""The project's own Python environment: made once, installed again only when its pins change.

Must not know what the environment is used for.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from devtools.children import run_child

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
_STAMP = VENV / ".installed"

RUNTIME = "requirements.txt"
DEVELOPMENT = "requirements-dev.txt"
_CONTAINED = {RUNTIME: (RUNTIME,), DEVELOPMENT: (DEVELOPMENT, RUNTIME)}


def tool(name: str) -> str:
    """The path of a program which the environment brings."""
    return str(SCRIPTS / (f"{name}.exe" if os.name == "nt" else name))


def ensure_venv(requirements: str) -> None:
    """Make the environment hold exactly what this lock file pins, or more of the same lock."""
    wanted = [_fingerprint(name) for name in _CONTAINED[requirements]]
    installed = _STAMP.read_text().split() if _STAMP.exists() else []
    if wanted[0] in installed and PYTHON.exists():
        return
    if not _is_usable():
        _make()
    print(f"Installing {requirements} into {VENV.name} …", flush=True)
    install("-r", str(ROOT / requirements))
    _STAMP.write_text("\n".join(wanted))


def install(*what: str) -> None:
    """Install into the environment, with its own pip or the system's."""
    command = [*_pip(), "install", "--quiet", "--disable-pip-version-check", *what]
    if run_child(command) != 0:
        raise SystemExit(f"Could not install {' '.join(what)}: see the lines above.")


def _fingerprint(requirements: str) -> str:
    """One hash per lock and Python, so that a change of either installs again."""
    return hashlib.sha256((ROOT / requirements).read_bytes() + sys.version.encode()).hexdigest()


def _is_usable() -> bool:
    """Whether the environment's Python is the one that runs now; a copied or old one is not."""
    if not PYTHON.exists():
        return False
    found = subprocess.run(
        [str(PYTHON), "-c", "import sys; print(sys.version)"], capture_output=True, text=True
    )
    return found.stdout.strip() == sys.version


def _make() -> None:
    """Make it without pip where ensurepip is missing: Debian puts that into python3-venv."""
    if VENV.is_symlink():
        VENV.unlink()  # what it leads to belongs to somebody else
    elif VENV.exists():
        shutil.rmtree(VENV)
    without_pip = [] if importlib.util.find_spec("ensurepip") else ["--without-pip"]
    is_made = False
    try:
        is_made = run_child([sys.executable, "-m", "venv", *without_pip, str(VENV)]) == 0
    finally:
        if not is_made:
            shutil.rmtree(VENV, ignore_errors=True)  # half of one would be taken for a whole one
    if not is_made:
        raise SystemExit(f"Could not make {VENV.name}: see the lines above.")


def _pip() -> list[str]:
    if subprocess.run([str(PYTHON), "-c", "import pip"], capture_output=True).returncode == 0:
        return [str(PYTHON), "-m", "pip"]
    if importlib.util.find_spec("pip") is None:
        raise SystemExit("pip is missing: install it first (on Debian: apt-get install python3-pip).")
    return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
