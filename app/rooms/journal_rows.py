"""The rows of the local store's file: rooms as they are, their last steps, events of games, the outbox.

Knows SQL and rows; nothing of rooms' rules, threads or the event loop.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.rooms.store import KEPT_REQUESTS

# Python's lock is given away and won back at every statement, which under load takes milliseconds: so one
# statement carries many rows.
_ROWS_A_STATEMENT = 64


class RoomRow(NamedTuple):
    """A room. `log_from` is the version before its present game began, `recorded` the id of its last game
    that was recorded. Instants are milliseconds since 1970: `due` of its timer, `expires_at` the end of its
    life."""

    code: str
    epoch: str
    version: int
    log_from: int
    recorded: str | None
    due: int | None
    keep_ms: int | None
    expires_at: int | None
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


class FinishedRow(NamedTuple):
    """A game in the outbox at its place, with the room as it was. Its events are of the versions after
    `log_from` up to `version`."""

    place: int
    code: str
    game_id: str
    log_from: int
    version: int
    room: bytes


class Entry(NamedTuple):
    """What is written together. `forgotten` are rooms to delete, `recorded` places of the outbox, `trimmed`
    the version up to which a room's events are no longer wanted, `asked_at` when timers were asked for last,
    0 before that."""

    room: RoomRow | None = None
    step: StepRow | None = None
    events: Sequence[EventRow] = ()
    finished: FinishedRow | None = None
    recorded: Sequence[int] = ()
    trimmed: tuple[str, int] | None = None
    forgotten: Sequence[str] = ()
    asked_at: int | None = None


def step_row(code: str, version: int, request: str, message: bytes) -> StepRow:
    """The row of a step, in its slot."""
    return StepRow(code, version % KEPT_REQUESTS, version, request, message)


def read_rooms(connection: sqlite3.Connection) -> Iterable[RoomRow]:
    """All rooms."""
    return map(RoomRow._make, connection.execute("SELECT * FROM room"))


def read_steps(connection: sqlite3.Connection) -> Iterable[StepRow]:
    """All steps, each room's oldest first."""
    return map(StepRow._make, connection.execute("SELECT * FROM step ORDER BY code, version"))


def read_events(connection: sqlite3.Connection) -> Iterable[EventRow]:
    """All events, each room's oldest first."""
    return map(EventRow._make, connection.execute("SELECT * FROM event ORDER BY code, version, place"))


def read_finished(connection: sqlite3.Connection) -> Iterable[FinishedRow]:
    """The outbox, oldest first."""
    return map(FinishedRow._make, connection.execute("SELECT * FROM finished ORDER BY place"))


def read_asked_at(connection: sqlite3.Connection) -> int | None:
    """When timers were asked for last."""
    found = connection.execute("SELECT instant FROM mark WHERE name = 'asked_at'").fetchone()
    return None if found is None else int(found[0])


def write_entries(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Write all entries or none. Two of them never concern the same room."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        _delete(connection, entries)
        _replace(connection, "room", [entry.room for entry in entries if entry.room])
        _replace(connection, "step", [entry.step for entry in entries if entry.step])
        _replace(connection, "event", [event for entry in entries for event in entry.events])
        _replace(connection, "finished", [entry.finished for entry in entries if entry.finished])
        asked_at = [("asked_at", entry.asked_at) for entry in entries if entry.asked_at is not None]
        _replace(connection, "mark", asked_at[-1:])
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _delete(connection: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    if forgotten := [(code,) for entry in entries for code in entry.forgotten]:
        for table in ("room", "step", "event"):
            connection.executemany(f"DELETE FROM {table} WHERE code = ?", forgotten)  # noqa: S608 - our names
    if recorded := [(place,) for entry in entries for place in entry.recorded]:
        connection.executemany("DELETE FROM finished WHERE place = ?", recorded)
    if trimmed := [entry.trimmed for entry in entries if entry.trimmed]:
        connection.executemany("DELETE FROM event WHERE code = ? AND version <= ?", trimmed)


def _replace(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    for start in range(0, len(rows), _ROWS_A_STATEMENT):
        some = rows[start : start + _ROWS_A_STATEMENT]
        one = f"({','.join('?' * len(some[0]))})"
        statement = f"REPLACE INTO {table} VALUES {','.join([one] * len(some))}"  # noqa: S608 - our names
        connection.execute(statement, [value for row in some for value in row])
