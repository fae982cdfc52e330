"""Opening the local store's file: what is damaged in it set aside, and a restored one noticed.

A damaged file is never written to. It is kept as it is under another name, and a new one takes its place with
every room that can be read.
"""

import logging
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from app.private_files import keep_private
from app.rooms.journal_file import Found, rewrite
from app.rooms.journal_format import new_identity, prepare, transaction
from app.rooms.journal_reading import read
from app.rooms.journal_seen import Seen, is_seen_last

_log = logging.getLogger(__name__)

Recover = Callable[[Found], Mapping[str, str]]
"""Takes the rooms that were found into memory. Answers, by code, what is wrong with those that can't be."""


class Opened(NamedTuple):
    """A file that is ready to be written to. All of it is to be closed."""

    connection: sqlite3.Connection
    found: Found
    seen: Seen


def open_file(path: Path, recover: Recover) -> Opened:
    """Read the file into memory and make it ready. Raises WrongFile, sqlite3.Error, OSError."""
    keep_private(path)
    connection = connect(path)
    try:
        prepare(connection)
        found = read(connection)
        is_restored = not found.damage and not is_seen_last(path, found.identity, found.written)
        if found.damage or is_restored:
            _begin_anew(found)
        found.broken |= recover(found)
        for code in found.broken:
            found.rooms.pop(code, None)
        if found.damage or found.broken:
            connection.close()
            connection = _mended(path, found)
        elif is_restored:
            _take_over(connection, path, found)
        return Opened(connection, found, Seen(path, found.identity, found.written))
    except BaseException:
        connection.close()
        raise


def connect(path: Path, *, timeout: float = 5) -> sqlite3.Connection:
    """A connection whose statements are transactions of their own."""
    return sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)


def _begin_anew(found: Found) -> None:
    """Steps may be missing: another epoch permits each room a lower version than its players have seen."""
    found.identity = new_identity()
    for room in found.rooms.values():
        room.row = replace(room.row, epoch=secrets.token_hex(8))


def _take_over(connection: sqlite3.Connection, path: Path, found: Found) -> None:
    with transaction(connection):
        rewrite(connection, found)
    if found.rooms:
        _log.warning(
            "%s is not as this server left it: it was restored. Its %d rooms have another epoch, "
            "and go on from there",
            path,
            len(found.rooms),
        )


def _mended(path: Path, found: Found) -> sqlite3.Connection:
    """A new file in the place of the damaged one, which is kept."""
    aside = _copied_aside(path)
    part = path.with_name(f"{path.name}.mended")
    part.unlink(missing_ok=True)
    keep_private(part)
    with closing(connect(part)) as connection:
        prepare(connection)
        with transaction(connection):
            rewrite(connection, found)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    part.replace(path)
    _tell(path, aside, found)
    connection = connect(path)
    prepare(connection)
    return connection


def _copied_aside(path: Path) -> Path:
    """A copy of the file as it is, under the first name that is free."""
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    for end in ("", "-wal"):
        source = path.with_name(path.name + end)
        if source.exists():
            copy = aside.with_name(aside.name + end)
            keep_private(copy)
            shutil.copyfile(source, copy)
            with copy.open("rb") as file:
                os.fsync(file.fileno())
    return aside


def _tell(path: Path, aside: Path, found: Found) -> None:
    for code, reason in sorted(found.broken.items()):
        _log.error(
            "room %s can't be read and is set aside in %s: %s", code, aside, reason, extra={"room": code}
        )
    if found.damage:
        _log.error(
            "%s is damaged (%s): it is kept as %s. %d rooms are sound and go on, with another epoch, since "
            "their last moves may be missing. Look after the disk; docs/operating.md says more",
            path,
            "; ".join(found.damage[:3]),
            aside,
            len(found.rooms),
        )
