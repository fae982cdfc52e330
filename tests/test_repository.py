"""What no committed file may hold: where packages come from, and where anybody's copy lies."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Written in pieces, so that this file passes its own test.
FORBIDDEN = {
    "a registry host": r"(pypi|files\.python" + r"hosted|registry\.npm" + r"js|npmjs)\.(org|com|io)",
    "an index option": r"--(extra-)?index" + r"-url|--find" + r"-links|--trusted" + r"-host|^registry *=",
    "a resolved address": '"resol' + 'ved"' + r"\s*:",
    "a path of one computer": "/wo" + r"rk/|/ho" + r"me/\w+/|/Us" + r"ers/\w+/",
}
PIN = re.compile(r"^[a-z0-9][a-z0-9._-]*(\[[a-z,-]+\])?==[^\s;]+( ; .+)?$")
HASH = re.compile(r"sha256:[0-9a-f]{64}")


def git_lines(*arguments: str) -> list[str]:
    """What git answers, line by line, names as they are."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def committed_files() -> list[Path]:
    """All files git follows, without those deleted in the working copy."""
    return [path for path in (ROOT / name for name in git_lines("ls-files")) if path.is_file()]


def text_of(path: Path) -> str:
    """The file as text; pictures and the like are read as empty."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode()


def requirement_names(file: str) -> set[str]:
    """The normalised names a requirements file asks for, without options and comments."""
    lines = (line.strip() for line in (ROOT / file).read_text().splitlines())
    names = (re.split(r"[\[<>=;!~ ]", line)[0] for line in lines if line and line[0] not in "#-")
    return {re.sub(r"[._-]+", "-", name).lower() for name in names}


def locked(lock: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each pin of a lock, and its hashes."""
    lines = (ROOT / lock).read_text().replace("\\\n", "").splitlines()
    parts = [line.split(" --hash=") for line in lines]
    return [(pin.strip(), tuple(each.strip() for each in hashes)) for pin, *hashes in parts]


@pytest.mark.parametrize("meaning", FORBIDDEN)
def test_no_committed_file_names_where_it_was_made(meaning: str) -> None:
    pattern = re.compile(FORBIDDEN[meaning], re.MULTILINE)
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in committed_files()
        for match in pattern.finditer(text_of(path))
    ]
    assert found == []


def test_no_committed_file_is_a_link() -> None:
    assert [line for line in git_lines("ls-files", "--stage") if line.startswith("120000")] == []


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-build.txt", "requirements-dev.txt"])
def test_a_lock_holds_pins_only(lock: str) -> None:
    assert [pin for pin, _ in locked(lock) if not PIN.match(pin)] == []


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-build.txt", "requirements-dev.txt"])
def test_a_lock_has_the_hashes_of_every_pin(lock: str) -> None:
    """One alone has pip ask for all; a pin without any would then stop every installation."""
    assert [pin for pin, hashes in locked(lock) if not hashes] == []
    wrong = [pin for pin, hashes in locked(lock) if not all(HASH.fullmatch(each) for each in hashes)]
    assert wrong == []


@pytest.mark.parametrize("lock", ["requirements", "requirements-build", "requirements-dev"])
def test_everything_asked_for_is_pinned(lock: str) -> None:
    assert requirement_names(f"{lock}.in") <= requirement_names(f"{lock}.txt")


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-build.txt"])
def test_all_locks_pin_the_same_versions(lock: str) -> None:
    assert set(locked(lock)) <= set(locked("requirements-dev.txt"))


def test_the_client_has_no_runtime_dependency_and_exact_development_versions() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    assert "dependencies" not in package
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in package["devDependencies"].values())


def test_every_locked_client_package_is_known_by_its_hash() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert [name for name, entry in packages.items() if name and "integrity" not in entry] == []
