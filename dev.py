#!/usr/bin/env python3
"""The project's own commands. Needs Python 3.11 and pip; everything else it sets up by itself."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

from devtools.checks import format_all, run_checks
from devtools.client import ensure_client_tools, run_client_tests
from devtools.programs import ensure_test_programs
from devtools.venv import DEVELOPMENT, PYTHON, ROOT, RUNTIME, ensure_venv

# Each worker has its own PostgreSQL, Redis and browser: more of them would slow a small computer down.
# One that dies has failed the run: another in its place would only make it longer.
_ALL_TESTS = ("-n", "2", "--max-worker-restart=0")


def run(arguments: list[str]) -> int:
    """Serve the game on http://127.0.0.1:8000 (HOST, PORT change it)."""
    ensure_venv(RUNTIME)
    _become("-m", "app.cli", "serve", *arguments)


def test(arguments: list[str]) -> int:
    """Run all tests, with real servers and browsers; --quick: those of daily work; arguments go to pytest."""
    setup([])
    if arguments in ([], ["--quick"]):
        run_client_tests(ensure_client_tools())
        arguments = [*_ALL_TESTS, *arguments]
    _become("-m", "pytest", *arguments)


def setup(arguments: list[str]) -> int:
    """Install what check and test need, and no more."""
    _refuse(arguments)
    ensure_venv(DEVELOPMENT)
    ensure_test_programs()
    ensure_client_tools()
    return 0


def check(arguments: list[str]) -> int:
    """Check format, lint, types, import contracts, dependencies, migrations, Docker files and the client."""
    _refuse(arguments)
    ensure_venv(DEVELOPMENT)
    return run_checks()


def fmt(arguments: list[str]) -> int:
    """Format everything and apply safe fixes."""
    _refuse(arguments)
    ensure_venv(DEVELOPMENT)
    return format_all()


def bench(arguments: list[str]) -> int:
    """Measure speed, all parts or those named (--help lists them; docs/benchmarks.md)."""
    ensure_venv(DEVELOPMENT)
    _become("-m", "benchmarks", *arguments)


def faults(arguments: list[str]) -> int:
    """Let servers and networks fail under play, or with --hostile have them attacked (docs/faults.md)."""
    ensure_venv(DEVELOPMENT)
    ensure_test_programs()
    _become("-m", "tests.faults", *arguments)


def compile_app(arguments: list[str]) -> int:
    """Make a faster copy, with its hot modules as machine code, in build/compiled or a folder named."""
    ensure_venv(DEVELOPMENT)
    _become("-m", "devtools.compiling", *arguments)


def show_help(arguments: list[str]) -> int:
    """List the verbs."""
    _refuse(arguments)
    print("usage: python3 dev.py VERB\n")
    for name, verb in VERBS.items():
        print(f"  {name:8}{verb.__doc__}")
    return 0


VERBS: dict[str, Callable[[list[str]], int]] = {
    "run": run,
    "setup": setup,
    "test": test,
    "check": check,
    "fmt": fmt,
    "bench": bench,
    "faults": faults,
    "compile": compile_app,
    "help": show_help,
}


def main(arguments: list[str]) -> int:
    """Run the verb named first; without one, list them."""
    name, *rest = arguments or ["help"]
    verb = VERBS.get({"-h": "help", "--help": "help"}.get(name, name))
    if verb is None:
        show_help([])
        print(f"\nThere is no verb {name!r}.", file=sys.stderr)
        return 2
    return verb(rest)


def _become(*arguments: str) -> NoReturn:
    """Replace this program, so that signals reach the one that matters; Windows has no such thing."""
    command = [str(PYTHON), *arguments]
    os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)  # noqa: S606 - no shell is what is wanted


def _refuse(arguments: list[str]) -> None:
    if arguments:
        raise SystemExit(f"This verb takes no arguments, got: {' '.join(arguments)}")


if __name__ == "__main__":
    # Where nothing compiled may be kept, every program started from here would compile everything anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)
