"""The tables of the local store's file: batches of entries as they were written, and rooms as they were kept.

Kept are rooms by their code, each with the number of the last batch that is in it. Batches that are in all of
their rooms can be dropped. Every row has a checksum of all that it says. Knows SQL; nothing of rooms' rules,
threads or the event loop. What is read is in `journal_reading`.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from app.rooms.journal_entries import Entry, KeptRoom, encode_entries, encode_kept


@dataclass(slots=True)
class Found:
    """What the file holds. Of the `rooms`, or of those forgotten since, some are `kept`. Batches have the
    numbers after `dropped` up to `written`; they are of the rooms `changed`, and of so many bytes. `asked_at`
    as in Asked, None when nobody ever has. `identity` is that of the file's history.

    `damage` says what of the file can't be read, and `broken`, by code, why that is true of a room."""

    rooms: dict[str, KeptRoom] = field(default_factory=dict)
    asked_at: int | None = None
    dropped: int = 0
    written: int = 0
    kept: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    size: int = 0
    identity: int = 0
    damage: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Keep:
    """Rooms to keep, by code and encoded, with all batches in them up to that one; and rooms now gone."""

    up_to: int
    rooms: Sequence[tuple[str, bytes]]
    gone: Sequence[str]


@dataclass(frozen=True, slots=True)
class Drop:
    """Batches up to that one, no longer needed. `asked_at` may be in none of those that are left."""

    up_to: int
    asked_at: int


def checksum(blob: bytes, *key: str | int) -> int:
    """Of a row, by what it holds and the values that say what that is."""
    return crc32(blob, crc32(repr(key).encode()))


def write_batch(connection: sqlite3.Connection, number: int, entries: Sequence[Entry]) -> int:
    """Write all entries or none, and say how many bytes they are. One that failed before is written over."""
    # One statement in a transaction of its own: Python's lock is given away and won back at every statement,
    # which under load takes milliseconds.
    encoded = encode_entries(entries)
    row = (number, encoded, checksum(encoded, number))
    connection.execute("REPLACE INTO batch VALUES (?, ?, ?)", row)
    return len(encoded)


def keep(connection: sqlite3.Connection, work: Keep) -> None:
    """Each room is kept for itself: half of this done is well too."""
    if work.rooms:
        rows = ",".join(["(?,?,?,?)"] * len(work.rooms))
        values = [
            value
            for code, kept in work.rooms
            for value in (code, work.up_to, kept, checksum(kept, code, work.up_to))
        ]
        connection.execute(f"REPLACE INTO room VALUES {rows}", values)  # noqa: S608 - question marks
    if work.gone:
        gone = "DELETE FROM room WHERE code IN (SELECT value FROM json_each(?))"
        connection.execute(gone, [json.dumps(work.gone)])


def drop(connection: sqlite3.Connection, work: Drop) -> None:
    """Drop batches, once what they alone say is kept. Those that are still there say nothing."""
    write_marks(connection, asked_at=work.asked_at, dropped=work.up_to)
    connection.execute("DELETE FROM batch WHERE number <= ?", [work.up_to])


def write_marks(connection: sqlite3.Connection, **marks: int) -> None:
    """Set single numbers of the file."""
    rows = ",".join(["(?,?,?)"] * len(marks))
    values = [part for name, value in marks.items() for part in (name, value, checksum(b"", name, value))]
    connection.execute(f"REPLACE INTO mark VALUES {rows}", values)  # noqa: S608 - question marks


def rewrite(connection: sqlite3.Connection, found: Found) -> None:
    """Hold what was found and nothing else, every room kept. To be called in a transaction."""
    for table in ("batch", "room", "mark"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
    for code, kept in found.rooms.items():
        keep(connection, Keep(found.written, [(code, encode_kept(kept))], []))
    write_marks(connection, **_marks_of(found))
    found.kept, found.changed, found.size = set(found.rooms), set(), 0
    found.dropped = found.written


def _marks_of(found: Found) -> Mapping[str, int]:
    marks = {"identity": found.identity, "dropped": found.written}
    return marks if found.asked_at is None else marks | {"asked_at": found.asked_at}
