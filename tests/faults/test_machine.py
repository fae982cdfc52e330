"""A crash of the machine takes back exactly what wasn't synced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.machine import Machine, Write, can_crash, read_notes

pytestmark = pytest.mark.skipif(not can_crash(), reason="needs Linux and a C compiler")

BEGINNING = """
import os, sqlite3, sys
folder = sys.argv[1]
def write(name, data, flags=os.O_RDWR | os.O_CREAT):
    number = os.open(f"{folder}/{name}", flags, 0o644)
    os.write(number, data)
    return number
"""


def run(machine: Machine, folder: Path, script: str) -> None:
    """A program on that machine, which ends without tidying up."""
    program = f"{BEGINNING}\n{script}\nos._exit(0)"
    env = os.environ | machine.env()
    subprocess.run([sys.executable, "-c", program, str(folder)], env=env, check=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the programs write."""
    made = tmp_path / "var"
    made.mkdir()
    return made


@pytest.fixture
def machine(tmp_path: Path, folder: Path) -> Machine:
    """The machine of that folder."""
    return Machine(folder, tmp_path)


@pytest.mark.parametrize("sync", ["fsync", "fdatasync"])
def test_what_is_synced_stays_and_what_came_after_is_lost(machine: Machine, folder: Path, sync: str) -> None:
    run(machine, folder, f"file = write('a', b'first'); os.{sync}(file); os.write(file, b' second')")
    assert (folder / "a").read_bytes() == b"first second"
    assert machine.lose() == 1
    assert (folder / "a").read_bytes() == b"first"


@pytest.mark.parametrize(
    "change",
    [
        "os.pwrite(file, b'IRS', 1)",
        "os.ftruncate(file, 2)",
        "os.ftruncate(file, 9)",
        "os.writev(file, [b'12', b'345'])",
        "os.pwrite(file, b'XX', 0); os.ftruncate(file, 1); os.pwrite(file, b'YYYYYYYY', 0)",
        "os.write(write('a', b'more', os.O_WRONLY | os.O_APPEND), b'still more')",
    ],
)
def test_each_way_to_change_a_file_is_taken_back(machine: Machine, folder: Path, change: str) -> None:
    run(machine, folder, f"file = write('a', b'first'); os.fsync(file); {change}")
    assert (folder / "a").read_bytes() != b"first"
    machine.lose()
    assert (folder / "a").read_bytes() == b"first"


def test_a_file_that_was_removed_leaves_nothing_to_one_made_after_it(machine: Machine, folder: Path) -> None:
    run(machine, folder, "write('a', b'old'); os.unlink(f'{folder}/a'); os.fsync(write('b', b'new'))")
    assert machine.lose() == 0
    assert (folder / "b").read_bytes() == b"new"


@pytest.mark.parametrize(("synchronous", "kept"), [("FULL", [1]), ("OFF", [])])
def test_sqlite_keeps_what_it_committed_only_where_it_syncs(
    machine: Machine, folder: Path, synchronous: str, kept: list[int]
) -> None:
    script = """
connection = sqlite3.connect(f"{folder}/a.db", isolation_level=None)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("CREATE TABLE t (x)")
connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
connection.execute("PRAGMA synchronous = CHOSEN")
connection.execute("INSERT INTO t VALUES (1)")
"""
    run(machine, folder, script.replace("CHOSEN", synchronous))
    machine.lose()
    read = "import sqlite3, sys; print([x for x, in sqlite3.connect(sys.argv[1]).execute('SELECT x FROM t')])"
    shown = subprocess.run(
        [sys.executable, "-c", read, str(folder / "a.db")], check=True, capture_output=True, text=True
    )
    assert shown.stdout.strip() == str(kept)


def test_a_note_that_the_crash_cut_off_is_of_no_write() -> None:
    whole = b"".join(number.to_bytes(8, sys.byteorder) for number in (3, 7, 2)) + b"ab"
    assert list(read_notes(whole + whole[:-1])) == [Write(3, 7, b"ab")]
    assert list(read_notes(whole + whole[:5])) == [Write(3, 7, b"ab")]
