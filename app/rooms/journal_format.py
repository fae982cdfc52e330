"""The format of the local store's file: made in a new one, one of an earlier version brought up to date."""

import sqlite3
from collections.abc import Iterable

from app.rooms.journal_entries import KeptGame, KeptRoom, RoomRow, encode_kept
from app.rooms.store import KEPT_UPDATES

_APPLICATION_ID = 0x59616D62  # "Yamb", in the header of the file
_FORMAT = 3
_READABLE = (1, 2, 3)

_BATCH_AND_ROOM = """
CREATE TABLE batch (number INTEGER PRIMARY KEY, entries BLOB NOT NULL);
CREATE TABLE room (code TEXT PRIMARY KEY, up_to INTEGER NOT NULL, kept BLOB NOT NULL);
"""
_MARK = "CREATE TABLE mark (name TEXT PRIMARY KEY, instant INTEGER NOT NULL);"

# Format 2 had a row for each room, each of its last steps, each event and each finished game, written anew
# with every step.
_ROOM_2 = """
CREATE TABLE room_2 (
    code TEXT PRIMARY KEY, epoch TEXT NOT NULL, version INTEGER NOT NULL, log_from INTEGER NOT NULL,
    recorded TEXT, due INTEGER, keep_ms INTEGER, expires_at INTEGER, room BLOB NOT NULL
);
"""
_FINISHED_2 = """
CREATE TABLE finished (
    place INTEGER PRIMARY KEY, code TEXT NOT NULL, game_id TEXT NOT NULL, log_from INTEGER NOT NULL,
    version INTEGER NOT NULL, room BLOB NOT NULL
);
"""
_RENAME_2 = "ALTER TABLE room RENAME TO room_2;"
_DROP_2 = ("room_2", "step", "event", "finished")
_KEPT_MS = 48 * 3600 * 1000  # without a step, what format 1 had no life for

# Format 1 knew one finished game a room (`finished`, its place in the outbox), and no life but that of a room
# whose game had been recorded (`recorded_at`).
_FROM_1 = f"""
ALTER TABLE room RENAME TO room_1;
{_ROOM_2}
{_FINISHED_2}
{_MARK}
INSERT INTO room_2 SELECT
    code, epoch, version, log_from,
    CASE WHEN recorded_at IS NOT NULL THEN json_extract(CAST(room AS TEXT), '$.game_id') END,
    NULL, {_KEPT_MS}, coalesce(recorded_at, CAST(strftime('%s') AS INTEGER) * 1000) + {_KEPT_MS}, room
FROM room_1;
INSERT INTO finished SELECT
    finished, code, json_extract(CAST(room AS TEXT), '$.game_id'), log_from, version, room
FROM room_1 WHERE finished IS NOT NULL;
DROP TABLE room_1;
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
    if is_new or found_format < _FORMAT:
        _bring_up_to_date(connection, 0 if is_new else found_format)


def _bring_up_to_date(connection: sqlite3.Connection, found_format: int) -> None:
    """All of it or nothing, whenever the process ends."""
    before = {0: _MARK, 1: _FROM_1, 2: _RENAME_2}[found_format]
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {before} {_BATCH_AND_ROOM}")
        if found_format:
            kept = ((room.row.code, 0, encode_kept(room)) for room in _rooms_of_2(connection))
            connection.executemany("INSERT INTO room VALUES (?, ?, ?)", kept)
            for table in _DROP_2:
                connection.execute(f"DROP TABLE {table}")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_FORMAT}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _rooms_of_2(connection: sqlite3.Connection) -> Iterable[KeptRoom]:
    for values in connection.execute("SELECT * FROM room_2"):
        *said, encoded = values
        row = RoomRow(*said)
        steps = connection.execute(
            "SELECT request, version, message FROM step WHERE code = ? ORDER BY version", [row.code]
        ).fetchall()
        finished = connection.execute(
            "SELECT place, room, log_from, version FROM finished WHERE code = ? ORDER BY place", [row.code]
        )
        yield KeptRoom(
            row,
            encoded,
            requests=[(request, version) for request, version, _ in steps],
            updates=[message for *_, message in steps[-KEPT_UPDATES:]],
            log=_log_of_2(connection, row.code, row.log_from, row.version),
            games=[
                KeptGame(place, room, _log_of_2(connection, row.code, log_from, version))
                for place, room, log_from, version in finished
            ],
        )


def _log_of_2(connection: sqlite3.Connection, code: str, after: int, up_to: int) -> list[bytes]:
    events = "SELECT event FROM event WHERE code = ? AND version > ? AND version <= ? ORDER BY version, place"
    return [event for (event,) in connection.execute(events, (code, after, up_to))]


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
