"""Reading the local store's file: what it holds, and what of it is damaged.

A room is told only if all that is said of it has its checksum and fits together. What can't be read is named,
and everything else is read all the same: pages behind one that is damaged are read from the other end.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

from app.rooms.journal_entries import (
    Asked,
    Entry,
    Forgotten,
    Made,
    apply,
    codes_of,
    decode_entries,
    decode_kept,
)
from app.rooms.journal_file import Found, checksum

_MOST_PROBLEMS = 5


def read(connection: sqlite3.Connection) -> Found:
    """Every room as its entries made it. Never raises for what is damaged: that stands in what it returns."""
    found = Found()
    found.damage += _problems(connection)
    marks = _read_marks(connection, found)
    found.identity = marks.get("identity", 0)
    found.asked_at = marks.get("asked_at")
    found.dropped = found.written = marks.get("dropped", 0)
    in_kept = _read_kept(connection, found)
    _Batches(found, in_kept).read(connection)
    return found


def _problems(connection: sqlite3.Connection) -> list[str]:
    """What SQLite itself finds wrong with the file."""
    try:
        rows = connection.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    # Its first line may be a heading, and names of tables may have become anything.
    return [" ".join(str(row[0]).split()) for row in rows if row[0] != "ok"]


def _rows(connection: sqlite3.Connection, found: Found, table: str, columns: str) -> Iterator[list[Any]]:
    """The rows in their order, as far as they can be read from either end."""
    select = f"SELECT rowid, {columns} FROM {table} ORDER BY rowid"  # noqa: S608 - names of ours
    last: int | None = None
    try:
        for rowid, *values in connection.execute(select):
            last = rowid
            yield values
    except sqlite3.DatabaseError as error:
        found.damage.append(f"of the table {table}: {error}")
    else:
        return
    yield from _rows_behind(connection, f"{select} DESC", last)


def _rows_behind(connection: sqlite3.Connection, select: str, last: int | None) -> list[list[Any]]:
    behind: list[list[Any]] = []
    try:
        for rowid, *values in connection.execute(select):
            if last is not None and rowid <= last:
                break
            behind.append(values)
    except sqlite3.DatabaseError:
        pass  # said already
    return behind[::-1]


def _read_marks(connection: sqlite3.Connection, found: Found) -> dict[str, int]:
    marks: dict[str, int] = {}
    for name, value, stated in _rows(connection, found, "mark", "CAST(name AS BLOB), value, checksum"):
        text = _text(name)
        if isinstance(value, int) and stated == checksum(b"", text, value):
            marks[text] = value
        else:
            found.damage.append(f"the mark {text!r} has another checksum")
    found.damage += [f"the mark {name!r} is missing" for name in ("identity", "dropped") if name not in marks]
    return marks


def _read_kept(connection: sqlite3.Connection, found: Found) -> dict[str, int]:
    """Take the rooms that are kept; up to which batch each is."""
    in_kept: dict[str, int] = {}
    for name, up_to, kept, stated in _rows(
        connection, found, "room", "CAST(code AS BLOB), up_to, kept, checksum"
    ):
        code = _text(name)
        if not isinstance(kept, bytes) or stated != checksum(kept, code, up_to):
            found.broken[code] = "what is kept of it has another checksum"
            continue
        try:
            found.rooms[code] = decode_kept(kept)
        except ValueError as error:
            found.broken[code] = f"what is kept of it can't be read: {error}"
            continue
        in_kept[code] = up_to
        found.written = max(found.written, up_to)
    found.kept = set(in_kept)
    for code in _listed(connection) - in_kept.keys() - found.broken.keys():
        found.broken[code] = "what is kept of it can't be read"
    return in_kept


def _listed(connection: sqlite3.Connection) -> set[str]:
    """The codes of kept rooms as SQLite's index has them, as far as it can be read."""
    listed: set[str] = set()
    try:
        for (name,) in connection.execute("SELECT CAST(code AS BLOB) FROM room ORDER BY code"):
            listed.add(_text(name))
    except sqlite3.DatabaseError:
        pass  # what SQLite finds wrong is said
    return listed


class _Batches:
    """Applies batches to the rooms that were kept before them."""

    def __init__(self, found: Found, in_kept: dict[str, int]) -> None:
        self._found = found
        self._in_kept = in_kept
        self._next = found.dropped + 1
        self._homeless: set[str] = set()  # rooms of which there are steps and nothing before them

    def read(self, connection: sqlite3.Connection) -> None:
        """Take all batches."""
        found = self._found
        for number, entries, stated in _rows(connection, found, "batch", "number, entries, checksum"):
            self._read_batch(number, entries, stated)
        if found.damage:  # else they were forgotten while that couldn't be written
            for code in self._homeless - found.broken.keys():
                found.broken[code] = "there are steps of it, and nothing before them"

    def _read_batch(self, number: int, entries: Any, stated: Any) -> None:
        found = self._found
        if number <= found.dropped:
            return
        if number != self._next:
            found.damage.append(f"batches {self._next} to {number - 1} are missing")
        self._next = number + 1
        found.written = max(found.written, number)
        if not isinstance(entries, bytes) or stated != checksum(entries, number):
            found.damage.append(f"batch {number} has another checksum")
            return
        found.size += len(entries)
        try:
            decoded = decode_entries(entries)
        except ValueError as error:
            found.damage.append(f"batch {number} can't be read: {error}")
            return
        for entry in decoded:
            self._read_entry(entry, number)

    def _read_entry(self, entry: Entry, number: int) -> None:
        found = self._found
        if isinstance(entry, Asked):
            found.asked_at = entry.instant
            return
        codes = codes_of(entry)
        found.changed.update(codes)
        skipped = [code for code in codes if self._in_kept.get(code, 0) >= number]
        applied = [code for code in codes if code not in skipped]
        if isinstance(entry, Made | Forgotten):
            for code in applied:  # whatever was before, nothing is left of it
                found.broken.pop(code, None)
                self._homeless.discard(code)
        else:
            self._homeless.update(code for code in applied if code not in found.rooms)
        self._apply(entry, skipped, applied)

    def _apply(self, entry: Entry, skipped: list[str], applied: list[str]) -> None:
        try:
            apply(self._found.rooms, entry, skipped=skipped)
        except ValueError as error:
            for code in applied:
                self._found.broken[code] = str(error)
                self._found.rooms.pop(code, None)


def _text(name: Any) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else repr(name)
