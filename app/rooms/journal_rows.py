"""The tables of the local store's file: rooms as they are, their last steps, the events of their games.

Knows SQL and rows; nothing of rooms' rules, threads or the event loop.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.rooms.store import KEPT_REQUESTS

_APPLICATION_ID = 0x59616D62  # "Yamb", in the header of the file
_FORMAT = 1
_SCHEMA = """
BEGIN;
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch TEXT NOT NULL, version INTEGER NOT NULL, log_from INTEGER NOT NULL,
    finished INTEGER, recorded_at INTEGER, room BLOB NOT NULL
);
CREATE TABLE step (
    code TEXT NOT NULL, slot INTEGER NOT NULL, version INTEGER NOT NULL, request TEXT NOT NULL,
    message BLOB NOT NULL, PRIMARY KEY (code, slot)
);
CREATE TABLE event (
    code TEXT NOT NULL, version INTEGER NOT NULL, place INTEGER NOT NULL, event BLOB NOT NULL,
    PRIMARY KEY (code, version, place)
);
PRAGMA application_id = %d;
PRAGMA user_version = %d;
COMMIT;
"""
# Python's lock is given away and won back at every statement, which under load takes milliseconds: so one
# statement carries many rows.
_ROWS_A_STATEMENT = 64


class RoomRow(NamedTuple):
    """A room. `log_from` is the version before its present game began, `finished` its place in the outbox,
    `recorded_at` when its game was recorded, in milliseconds since 1970."""

    code: str
    epoch: str
    version: int
    log_from: int
    finished: int | None
    recorded_at: int | None
    room: bytes


class StepRow(NamedTuple):
    """One step of a room. Slots are used again: a room keeps its last `KEPT_REQUESTS` steps."""

    code: str
    slot: int
    version: int
    request: str
    message: bytes


class EventRow(NamedTuple):
    """One event of a step, the `place`-th."""

    code: str
    version: int
    place: int
    event: bytes


class Entry(NamedTuple):
    """What is written together: a room as it is now and the step that made it so, or rooms to forget."""

    room: RoomRow | None = None
    step: StepRow | None = None
    events: Sequence[EventRow] = ()
    forgotten: Sequence[str] = ()


class WrongFile(Exception):
    """The file isn't a journal that this version can read."""


def step_row(code: str, version: int, request: str, message: bytes) -> StepRow:
    """The row of a step, in its slot."""
    return StepRow(code, version % KEPT_REQUESTS, version, request, message)


def prepare(connection: sqlite3.Connection) -> None:
    """Make the file safe against crashes, and its tables when it is new. Raises WrongFile, sqlite3.Error."""
    found_id, found_format = _number(connection, "application_id"), _number(connection, "user_version")
    is_new = (found_id, found_format, _number(connection, "schema_version")) == (0, 0, 0)
    if not is_new and found_id != _APPLICATION_ID:
        raise WrongFile("it is another program's database")
    if not is_new and found_format != _FORMAT:
        raise WrongFile(f"its format is {found_format}, this version reads {_FORMAT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if is_new:
        connection.executescript(_SCHEMA % (_APPLICATION_ID, _FORMAT))


def read_rooms(connection: sqlite3.Connection) -> Iterable[RoomRow]:
    """All rooms; those in the outbox in its order."""
    return map(RoomRow._make, connection.execute("SELECT * FROM room ORDER BY finished"))


def read_steps(connection: sqlite3.Connection) -> Iterable[StepRow]:
    """All steps, each room's oldest first."""
    return map(StepRow._make, connection.execute("SELECT * FROM step ORDER BY code, version"))


def read_events(connection: sqlite3.Connection) -> Iterable[EventRow]:
    """All events of present games, each room's oldest first."""
    query = """
    SELECT event.* FROM event JOIN room ON room.code = event.code AND event.version > room.log_from
    ORDER BY event.code, event.version, place
    """
    return map(EventRow._make, connection.execute(query))


def write_entries(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Write all entries or none. Two of them never concern the same row."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        forgotten = [(code,) for entry in entries for code in entry.forgotten]
        for table in ("room", "step", "event") if forgotten else ():
            connection.executemany(f"DELETE FROM {table} WHERE code = ?", forgotten)  # noqa: S608 - our names
        _replace(connection, "room", [entry.room for entry in entries if entry.room])
        _replace(connection, "step", [entry.step for entry in entries if entry.step])
        _replace(connection, "event", [event for entry in entries for event in entry.events])
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _replace(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        some = rows[start : start + _ROWS_A_STATEMENT]
        one = f"({','.join('?' * len(some[0]))})"
        statement = f"REPLACE INTO {table} VALUES {','.join([one] * len(some))}"  # noqa: S608 - our names
        connection.execute(statement, [value for row in some for value in row])


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
