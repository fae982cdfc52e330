"""What is checked without running the tests, as a table: all of it runs, each failure has a name."""

import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from devtools.client import client_env, client_tool, ensure_client_tools
from devtools.venv import PYTHON, ROOT, tool

_TYPED = ("app", "tests", "benchmarks", "devtools", "dev.py")


@dataclass(frozen=True, slots=True)
class Check:
    """A command that exits 0 when all is well, and the name a failure is reported under."""

    name: str
    command: tuple[str, ...]
    env: dict[str, str] | None = None


def run_checks() -> int:
    """Run all checks, two at a time, show what failing ones printed, and return the exit status of all."""
    # The check of types takes as long as all others together, and one processor.
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(_run, _checks()))
    failed = [check.name for check, is_passed in done if not is_passed]
    print(f"\nFailed: {', '.join(failed)}" if failed else "\nAll checks passed.", flush=True)
    return 1 if failed else 0


def format_all() -> int:
    """Format both languages and apply the fixes that are safe."""
    env = client_env(ensure_client_tools())
    commands = (
        (tool("ruff"), "format", "."),
        (tool("ruff"), "check", "--fix", "."),
        (client_tool("biome"), "check", "--write", "."),
    )
    return max(subprocess.run(command, cwd=ROOT, env=env).returncode for command in commands)


def _checks() -> Iterator[Check]:
    yield from _server_checks()
    env = client_env(ensure_client_tools())
    yield Check("client types", (client_tool("tsc"), "--project", "tsconfig.json"), env)
    yield Check("client format and lint", (client_tool("biome"), "ci", "--colors=off", "."), env)


def _server_checks() -> tuple[Check, ...]:
    return (
        Check("types", (tool("mypy"), "--strict", *_TYPED)),
        Check("format", (tool("ruff"), "format", "--check", ".")),
        Check("lint", (tool("ruff"), "check", ".")),
        Check("imports", (tool("lint-imports"),)),
        Check("dependencies", (tool("deptry"), "--no-ansi", ".")),
        Check("migrations", (str(PYTHON), "-m", "tests.migration_drift")),
        Check("Dockerfile", (tool("hadolint"), "Dockerfile")),
        Check(
            "docker-compose.yml",
            (tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
        ),
    )


def _run(check: Check) -> tuple[Check, bool]:
    started = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=ROOT,
        env=(check.env or os.environ) | {"NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    is_passed = done.returncode == 0
    outcome = f"{'ok    ' if is_passed else 'FAILED'} {check.name} ({time.monotonic() - started:.1f} s)"
    # At once, so that nothing of another check comes in between.
    print(outcome if is_passed else f"{outcome}\n{done.stdout}", flush=True)
    return check, is_passed
