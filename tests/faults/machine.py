"""A computer that can crash: what its programs wrote and didn't sync is lost then, as without electricity.

Programs that are started with `env` note, before each write to a file of the folder, what stood there, until
that file is synced (unsynced.c). A crash puts all of that back. Linux alone, and only with a C compiler.
"""

import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from devtools.programs import find_c_compiler

_SOURCE = Path(__file__).with_name("unsynced.c")
_HEAD = struct.Struct("=qqq")


class Write(NamedTuple):
    """What a write can have taken the place of: bytes from an offset on, in a file of that size."""

    offset: int
    size: int
    before: bytes


def can_crash() -> bool:
    """Whether there is what this needs."""
    return sys.platform == "linux" and find_c_compiler() is not None


class Machine:
    """What a crash leaves of the files under a folder. `beside` is a folder for what is needed for that."""

    def __init__(self, folder: Path, beside: Path) -> None:
        self._folder = folder
        self._notes = beside / "unsynced"
        self._library = beside / "unsynced.so"

    def env(self) -> Mapping[str, str]:
        """What programs on it have in their environment; nothing where machines can't crash."""
        if not can_crash():
            return {}
        if not self._library.exists():
            self._notes.mkdir()
            _compile(self._library)
        return {
            "LD_PRELOAD": str(self._library),
            "CRASH_FOLDER": str(self._folder.resolve()),
            "CRASH_NOTES": str(self._notes),
        }

    def lose(self) -> int:
        """Take back all that isn't synced, when its programs are dead; how many writes that were."""
        lost = 0
        for path in self._files():
            notes = self._notes / str(path.stat().st_ino)
            if notes.exists():
                lost += _take_back(path, list(read_notes(notes.read_bytes())))
                notes.unlink()
            if path.name.endswith("-shm"):
                path.unlink()  # memory that SQLite shares by a file, and makes anew
        return lost

    def _files(self) -> list[Path]:
        return [path for path in self._folder.rglob("*") if path.is_file()]


def read_notes(notes: bytes) -> Iterator[Write]:
    """The writes in their order; one whose note was cut off by the crash was never made."""
    place = 0
    while place + _HEAD.size <= len(notes):
        offset, size, count = _HEAD.unpack_from(notes, place)
        place += _HEAD.size + count
        if place <= len(notes):
            yield Write(offset, size, notes[place - count : place])


def _take_back(path: Path, writes: list[Write]) -> int:
    with path.open("r+b") as file:
        for write in reversed(writes):
            file.seek(write.offset)
            file.write(write.before)
            file.truncate(write.size)
    return len(writes)


def _compile(library: Path) -> None:
    compiler = find_c_compiler()
    if compiler is None:
        raise RuntimeError("no C compiler found: name one by CC")
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    subprocess.run(command, check=True)
