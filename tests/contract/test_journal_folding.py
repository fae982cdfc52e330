"""Rooms are kept in place of their entries, and whenever the process ends nothing is missing."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import takewhile
from operator import eq
from pathlib import Path

import pytest

from app.rooms.journal import note
from app.rooms.journal_entries import (
    Asked,
    Changed,
    Entry,
    Forgotten,
    KeptRoom,
    Made,
    RoomRow,
    Stepped,
    apply,
    encode_kept,
)
from app.rooms.journal_file import Drop, Found, Keep, drop, keep, write_batch
from app.rooms.journal_folding import Folding
from app.rooms.journal_format import prepare
from app.rooms.journal_reading import read
from app.rooms.local_room import common_start

BEGIN = 4096


class Journalled:
    """Rooms in memory and their file, without threads: entries by chance, folded at any moment."""

    def __init__(self, connection: sqlite3.Connection, seed: int) -> None:
        self.connection = connection
        self.chance = random.Random(seed)
        self.memory: dict[str, KeptRoom] = {}
        self.asked_at = 0
        self.number = 0
        self.places = 0
        self.waiting: list[Entry] = []  # in no batch yet
        self.work: Keep | Drop | None = None
        self.folding = Folding(Found(), BEGIN)

    def step(self) -> None:
        """Anything that may happen next."""
        happens = self.chance.choices(
            [self.add, self.write, self.take_up, self.fold, self.restart], [50, 25, 20, 15, 1]
        )
        happens[0]()

    def add(self) -> None:
        """An entry, which waits to be written. A room has one at most that waits, or is made anew."""
        code = f"ROOM{self.chance.randrange(12)}"
        if any(code in str(entry) for entry in self.waiting):
            return
        room = self.memory.get(code)
        if room is None:
            self.waiting.append(Made(row(code), b"new"))
        elif self.chance.random() < 0.1:
            del self.memory[code]  # in the file it is still
            self.waiting.append(Forgotten([code]))
            self.folding.waste(500)
            if self.chance.random() < 0.5:
                self.waiting.append(Made(row(code), b"new"))
        else:
            self.waiting.append(self.next_of(room))
        if self.chance.random() < 0.1:
            self.asked_at += 1
            self.waiting.append(Asked(self.asked_at))

    def next_of(self, room: KeptRoom) -> Entry:
        before = room.row
        if self.chance.random() < 0.1:
            place = room.games[0].place if room.games else None
            return Changed(row(before.code, before.version, before.log_from), place)
        version, ends = before.version + 1, self.chance.random() < 0.1
        log_from = before.version if self.chance.random() < 0.1 else before.log_from
        self.places += ends
        events = [f"{version}.{event}".encode() for event in range(self.chance.randrange(3))]
        place = self.places if ends else None
        state = b"room " + self.chance.randbytes(2) * 40
        same = common_start(room.room, state)
        request, update = f"request {version}", b"u" * 200
        step = row(before.code, version, log_from)
        return Stepped(step, same, state[same:], request, update, events, place)

    def write(self) -> None:
        """The thread writes what waits, and memory follows."""
        if not self.waiting:
            return
        batch, self.waiting = self.waiting, []
        self.number += 1
        size = write_batch(self.connection, self.number, batch)
        for entry in batch:
            apply(self.memory, entry)
            note(self.folding, entry)
        self.folding.wrote(self.number, size)

    def take_up(self) -> None:
        """A piece of folding is decided on; others may write before it is done."""
        if self.work is None:
            if self.chance.random() < 0.2:
                self.folding.go_on()
            self.work = self.folding.next(self.kept, self.asked_at)

    def fold(self) -> None:
        """It is done, or it fails."""
        work, self.work = self.work, None
        if work is None or self.chance.random() < 0.1:
            return
        if isinstance(work, Keep):
            keep(self.connection, work)
        else:
            drop(self.connection, work)
        self.folding.done(work)

    def restart(self) -> None:
        """The process is killed, with all that waited; another one opens the file."""
        found = read(self.connection)
        self.memory, self.number, self.asked_at = found.rooms, found.written, found.asked_at or 0
        self.waiting, self.work = [], None
        self.folding = Folding(found, BEGIN)

    def kept(self, code: str) -> bytes | None:
        room = self.memory.get(code)
        return None if room is None else encode_kept(room)

    def check(self) -> None:
        """The file has every room as it is in memory, but those that are forgotten there already."""
        found = read(self.connection)
        leaving = {code for entry in self.waiting if isinstance(entry, Forgotten) for code in entry.codes}
        assert {code: room for code, room in found.rooms.items() if code not in leaving} == self.memory
        written = [entry.instant for entry in self.waiting if isinstance(entry, Asked)]
        assert (found.asked_at or 0) in {self.asked_at, *(instant - 1 for instant in written)}


def row(code: str, version: int = 0, log_from: int = 0) -> RoomRow:
    return RoomRow(code, "epoch", version, log_from, None, None, None, None)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A new file, on which nothing waits for the disk."""
    with closing(sqlite3.connect(tmp_path / "rooms.db", isolation_level=None)) as connection:
        prepare(connection)
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (b"", b"abc"),
        (b"a" * 99, b"a" * 99),
        (b"a" * 99, b"a" * 50),
        (b"a" * 1000 + b"b", b"a" * 1001),
        (b"b", b"a"),
    ],
)
def test_a_common_beginning_is_one_and_nearly_all_of_it(before: bytes, now: bytes) -> None:
    same = common_start(before, now)
    assert before[:same] == now[:same]
    all_of_it = sum(1 for _ in takewhile(bool, map(eq, before, now)))
    assert all_of_it - 320 <= same <= all_of_it


@pytest.mark.parametrize("seed", range(4))
def test_whenever_the_process_ends_the_file_has_all_that_was_written(
    connection: sqlite3.Connection, seed: int
) -> None:
    journalled = Journalled(connection, seed)
    for _ in range(1200):
        journalled.step()
        journalled.check()
    numbers = connection.execute("SELECT min(number), max(number), max(up_to) FROM batch, room").fetchone()
    assert numbers[0] > 100  # so it was folded, more than once
    assert numbers[1] == journalled.number


def test_the_file_stays_as_large_as_a_few_times_its_rooms(connection: sqlite3.Connection) -> None:
    journalled = Journalled(connection, 0)
    journalled.memory = {code: KeptRoom(row(code), b"new") for code in ("A", "B")}
    pages: list[int] = []
    for _ in range(3000):
        journalled.waiting = [journalled.next_of(room) for room in journalled.memory.values()]
        journalled.write()
        journalled.take_up()
        journalled.fold()
        pages.append(connection.execute("PRAGMA page_count").fetchone()[0])
    rooms = sum(len(encode_kept(room)) for room in journalled.memory.values())
    assert read(connection).size < 6 * rooms + 2 * BEGIN
    assert max(pages[1500:]) <= 1.5 * max(pages[:1500])
