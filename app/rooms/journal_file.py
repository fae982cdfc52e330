"""The tables of the local store's file: batches of entries as they were written, and rooms as they were kept.

Kept are rooms by their code, each with the number of the last batch that is in it. Batches that are in all of
their rooms can be dropped. Knows SQL; nothing of rooms' rules, threads or the event loop.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.rooms.journal_entries import (
    Asked,
    Entry,
    KeptRoom,
    apply,
    codes_of,
    decode_entries,
    decode_kept,
    encode_entries,
)


@dataclass(slots=True)
class Found:
    """What the file holds. Of the `rooms`, or of those forgotten since, some are `kept`. Batches have the
    numbers after `dropped` up to `written`; they are of the rooms `changed`, and of so many bytes. `asked_at`
    as in Asked, None when nobody ever has."""

    rooms: dict[str, KeptRoom] = field(default_factory=dict)
    asked_at: int | None = None
    dropped: int = 0
    written: int = 0
    kept: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    size: int = 0


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


def read(connection: sqlite3.Connection) -> Found:
    """Every room as its entries made it. Raises ValueError for what can't be read."""
    found = Found()
    mark = connection.execute("SELECT instant FROM mark WHERE name = 'asked_at'").fetchone()
    found.asked_at = None if mark is None else int(mark[0])
    in_kept: dict[str, int] = {}
    for code, up_to, kept in connection.execute("SELECT code, up_to, kept FROM room"):
        found.rooms[code] = decode_kept(kept)
        in_kept[code] = up_to
    found.kept = set(in_kept)
    found.dropped = found.written = max(in_kept.values(), default=0)
    for place, (number, entries) in enumerate(connection.execute("SELECT * FROM batch ORDER BY number")):
        if place == 0:
            found.dropped = number - 1
        found.written = max(found.written, number)
        found.size += len(entries)
        for entry in decode_entries(entries):
            _read_entry(found, entry, number, in_kept)
    return found


def _read_entry(found: Found, entry: Entry, number: int, in_kept: dict[str, int]) -> None:
    if isinstance(entry, Asked):
        found.asked_at = entry.instant
        return
    codes = codes_of(entry)
    found.changed.update(codes)
    apply(found.rooms, entry, skipped=[code for code in codes if in_kept.get(code, 0) >= number])


def write_batch(connection: sqlite3.Connection, number: int, entries: Sequence[Entry]) -> int:
    """Write all entries or none, and say how many bytes they are. One that failed before is written over."""
    # One statement in a transaction of its own: Python's lock is given away and won back at every statement,
    # which under load takes milliseconds.
    encoded = encode_entries(entries)
    connection.execute("REPLACE INTO batch VALUES (?, ?)", (number, encoded))
    return len(encoded)


def keep(connection: sqlite3.Connection, work: Keep) -> None:
    """Each room is kept for itself: half of this done is well too."""
    if work.rooms:
        rows = ",".join(["(?,?,?)"] * len(work.rooms))
        values = [value for code, kept in work.rooms for value in (code, work.up_to, kept)]
        connection.execute(f"REPLACE INTO room VALUES {rows}", values)  # noqa: S608 - question marks
    if work.gone:
        gone = "DELETE FROM room WHERE code IN (SELECT value FROM json_each(?))"
        connection.execute(gone, [json.dumps(work.gone)])


def drop(connection: sqlite3.Connection, work: Drop) -> None:
    """Drop batches, once what they alone say is kept."""
    connection.execute("REPLACE INTO mark VALUES ('asked_at', ?)", [work.asked_at])
    connection.execute("DELETE FROM batch WHERE number <= ?", [work.up_to])
