"""What was written last to a journal's file, in a small file beside it: so a restored one is noticed.

A file that is put in the place of the old one has another history, or ends before what was acknowledged, or
is another file of the system. One that a killed process leaves behind is none of that: it is told what was
reached only once the disk has it, and by memory that it shares with the system, which outlives the process.
"""

import os
import struct
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from zlib import crc32

_LAYOUT = struct.Struct(
    "<8sQQQI"
)  # what it is, identity, the file's number in its file system, batch, checksum
_KIND = b"yambseen"
_FILE_MODE = 0o600


class Seen:
    """What was seen of a journal's file, written as it goes on. `close` it."""

    def __init__(self, journal: Path, identity: int, number: int) -> None:
        self._identity, self._file_number = identity, journal.stat().st_ino
        path = _path_of(journal)
        part = path.with_name(f"{path.name}.new")
        with suppress(FileNotFoundError):
            part.unlink()
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, _FILE_MODE), "r+b") as file:
            file.write(self._packed(number))
            file.flush()
            os.fsync(file.fileno())
            self._shared = mmap(file.fileno(), _LAYOUT.size)
        part.replace(path)

    def reached(self, number: int) -> None:
        """The disk has the batch of that number."""
        # Neither a write nor a wait for the disk: Python's lock would be given away for either.
        self._shared[:] = self._packed(number)

    def close(self) -> None:
        """Write no more."""
        self._shared.close()

    def _packed(self, number: int) -> bytes:
        body = _LAYOUT.pack(_KIND, self._identity, self._file_number, number, 0)[:-4]
        return body + crc32(body).to_bytes(4, "little")


def is_seen_last(journal: Path, identity: int, written: int) -> bool:
    """Whether the file of that identity, with batches up to that one, is as it was left. Raises OSError."""
    try:
        packed = _path_of(journal).read_bytes()
    except FileNotFoundError:
        return False
    if len(packed) != _LAYOUT.size:
        return False
    kind, seen_identity, file_number, number, stated = _LAYOUT.unpack(packed)
    if kind != _KIND or stated != crc32(packed[:-4]):
        return False
    is_same_file = (seen_identity, file_number) == (identity, journal.stat().st_ino)
    return is_same_file and int(number) <= written


def _path_of(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.seen")
