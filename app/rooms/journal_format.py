"""The format of the local store's file: made in a new one, any other refused."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from app.rooms.journal_file import write_marks

_APPLICATION_ID = 0x59616D62  # "Yamb", in the header of the file
_FORMAT = 4
_TABLES = {
    "batch": "number INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL",
    "room": "code TEXT PRIMARY KEY, up_to INTEGER NOT NULL, kept BLOB NOT NULL, checksum INTEGER NOT NULL",
    "mark": "name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER NOT NULL",
}


class WrongFile(Exception):
    """The file isn't a journal that this version can read."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make the file safe against crashes and of the present format. Raises WrongFile, sqlite3.Error."""
    found_id, found_format = _number(connection, "application_id"), _number(connection, "user_version")
    is_new = (found_id, found_format, _number(connection, "schema_version")) == (0, 0, 0)
    if not is_new and found_id != _APPLICATION_ID:
        raise WrongFile("it is another program's database")
    if not is_new and found_format != _FORMAT:
        raise WrongFile(f"its format is {found_format}, this version reads {_FORMAT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if is_new:
        _make(connection)


def new_identity() -> int:
    """What tells one history of a file from another: positive, and as good as unique."""
    return secrets.randbits(62)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing, whenever the process ends."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _make(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        for table, columns in _TABLES.items():
            connection.execute(f"CREATE TABLE {table} ({columns})")
        write_marks(connection, identity=new_identity(), dropped=0)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_FORMAT}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
