"""The format of the local store's file: made in a new one, one of an earlier version brought up to date."""

import sqlite3

_APPLICATION_ID = 0x59616D62  # "Yamb", in the header of the file
_FORMAT = 2
_READABLE = (1, 2)

_ROOM = """
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch TEXT NOT NULL, version INTEGER NOT NULL, log_from INTEGER NOT NULL,
    recorded TEXT, due INTEGER, keep_ms INTEGER, expires_at INTEGER, room BLOB NOT NULL
);
"""
_STEP_AND_EVENT = """
CREATE TABLE step (
    code TEXT NOT NULL, slot INTEGER NOT NULL, version INTEGER NOT NULL, request TEXT NOT NULL,
    message BLOB NOT NULL, PRIMARY KEY (code, slot)
);
CREATE TABLE event (
    code TEXT NOT NULL, version INTEGER NOT NULL, place INTEGER NOT NULL, event BLOB NOT NULL,
    PRIMARY KEY (code, version, place)
);
"""
_FINISHED_AND_MARK = """
CREATE TABLE finished (
    place INTEGER PRIMARY KEY, code TEXT NOT NULL, game_id TEXT NOT NULL, log_from INTEGER NOT NULL,
    version INTEGER NOT NULL, room BLOB NOT NULL
);
CREATE TABLE mark (name TEXT PRIMARY KEY, instant INTEGER NOT NULL);
"""
_KEPT_MS = 48 * 3600 * 1000  # without a step, what format 1 had no life for

# Format 1 knew one finished game a room (`finished`, its place in the outbox), and no life but that of a room
# whose game had been recorded (`recorded_at`).
_FROM_1 = f"""
ALTER TABLE room RENAME TO room_1;
{_ROOM}
{_FINISHED_AND_MARK}
INSERT INTO room SELECT
    code, epoch, version, log_from,
    CASE WHEN recorded_at IS NOT NULL THEN json_extract(CAST(room AS TEXT), '$.game_id') END,
    NULL, {_KEPT_MS}, coalesce(recorded_at, CAST(strftime('%s') AS INTEGER) * 1000) + {_KEPT_MS}, room
FROM room_1;
INSERT INTO finished SELECT
    finished, code, json_extract(CAST(room AS TEXT), '$.game_id'), log_from, version, room
FROM room_1 WHERE finished IS NOT NULL;
DROP TABLE room_1;
DELETE FROM event WHERE version <= (SELECT log_from FROM room WHERE room.code = event.code);
"""  # noqa: S608 - our own statements and a number of ours


class WrongFile(Exception):
    """The file isn't a journal that this version can read."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make the file safe against crashes and of the present format. Raises WrongFile, sqlite3.Error."""
    found_id, found_format = _number(connection, "application_id"), _number(connection, "user_version")
    is_new = (found_id, found_format, _number(connection, "schema_version")) == (0, 0, 0)
    if not is_new and found_id != _APPLICATION_ID:
        raise WrongFile("it is another program's database")
    if not is_new and found_format not in _READABLE:
        raise WrongFile(f"its format is {found_format}, this version reads {_FORMAT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # Pages of 4 KiB. Rooms that are played change the same ones again and again: the longer they are only in
    # the log, the fewer are copied into the file (a quarter of the time of a step, by docs/benchmarks.md).
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    if is_new:
        _run(connection, _ROOM + _STEP_AND_EVENT + _FINISHED_AND_MARK)
    elif found_format == 1:
        _run(connection, _FROM_1)


def _run(connection: sqlite3.Connection, statements: str) -> None:
    """All of it or nothing, whenever the process ends."""
    marks = f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_FORMAT};"
    connection.executescript(f"BEGIN IMMEDIATE; {statements} {marks} COMMIT;")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
