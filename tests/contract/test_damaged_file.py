"""What is damaged in the local store's file is named and set aside, and everything else goes on."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.rooms.journal_entries import KeptRoom, Made, RoomRow, encode_entries, encode_kept
from app.rooms.journal_file import checksum
from app.rooms.journal_reading import read
from app.rooms.journal_seen import Seen
from app.rooms.local_store import LocalStore
from app.rooms.store import RoomNotFound, Stored, StoreUnavailable
from tests.contract.listener import Listener
from tests.contract.samples import advance, make_room

CODES = tuple(f"ROOM{number}" for number in range(6))
FLIPS = 250


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rooms.db"


async def write_rooms(path: Path, *, bytes_to_fold: int) -> dict[str, Stored]:
    """Some rooms, of different ages, in a file that is closed in order."""
    store = LocalStore(path, bytes_to_fold=bytes_to_fold)
    await store.open(Listener())
    rooms = {
        code: await advance(store, await store.create(make_room(code)), 3 + 7 * number)
        for number, code in enumerate(CODES)
    }
    await store.close()
    assert not path.with_name("rooms.db-wal").exists()
    return rooms


async def rooms_in(path: Path) -> dict[str, Stored]:
    store = LocalStore(path)
    await store.open(Listener())
    rooms: dict[str, Stored] = {}
    for code in CODES:
        try:
            rooms[code] = await store.load(code)
        except RoomNotFound:
            continue
    await store.close()
    return rooms


async def rooms_or_refusal(path: Path) -> dict[str, Stored] | str:
    try:
        return await rooms_in(path)
    except StoreUnavailable as error:
        return str(error)


def overwrite_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)


def flip(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


@pytest.mark.parametrize("bytes_to_fold", [4096, 1 << 30])
async def test_no_flipped_bit_gives_another_room_without_a_word(
    path: Path, caplog: pytest.LogCaptureFixture, bytes_to_fold: int
) -> None:
    rooms = await write_rooms(path, bytes_to_fold=bytes_to_fold)
    chance = random.Random(bytes_to_fold)
    original = path.with_name("original")
    shutil.copy(path, original)
    with closing(sqlite3.connect(original)) as connection:
        whole = read(connection)
    refused = 0
    for _ in range(FLIPS):
        for name in path.parent.glob("rooms.db.damaged*"):
            name.unlink()
        shutil.copyfile(original, path)
        Seen(path, whole.identity, whole.written).close()  # it isn't restored, as far as anybody knows
        bit = chance.randrange(original.stat().st_size * 8)
        flip(path, bit)
        caplog.clear()
        found = await rooms_or_refusal(path)
        if isinstance(found, str):
            assert "Restore a backup" in found
            refused += 1
            continue
        if found == rooms:
            continue
        assert "damaged" in caplog.text or "set aside" in caplog.text, bit
        for code in rooms.keys() - found.keys():
            assert f"room {code} can't be read" in caplog.text or "missing" in caplog.text, (bit, code)
        for code, stored in found.items():
            before = rooms[code]
            assert stored.version <= before.version
            if stored.version < before.version:
                assert stored.epoch != before.epoch
            else:
                assert stored.room == before.room
    assert refused < FLIPS // 20  # those of SQLite's own header


def row(code: str) -> RoomRow:
    return RoomRow(code, "epoch", 0, 0, None, None, None, None)


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ("batch", encode_entries([Made(row("ROOM9"), b"{}")])),
        ("batch", b"\x91\x91\x63"),
        ("batch", "text"),
        ("room", encode_kept(KeptRoom(row("ROOM9"), b"{}"))),
        ("room", b"\x00"),
    ],
)
@pytest.mark.parametrize("is_summed", [True, False])
async def test_one_unreadable_room_is_set_aside_and_the_others_start(
    path: Path, caplog: pytest.LogCaptureFixture, table: str, value: object, *, is_summed: bool
) -> None:
    rooms = await write_rooms(path, bytes_to_fold=1 << 30)
    with closing(sqlite3.connect(path)) as connection, connection:
        if table == "batch":
            (number,) = connection.execute("SELECT max(number) + 1 FROM batch").fetchone()
            key: tuple[str | int, ...] = (number,)
        else:
            key = ("ROOM9", 1)
        stated = checksum(value, *key) if is_summed and isinstance(value, bytes) else 1
        values = (*key, value, stated)
        connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(values))})", values)  # noqa: S608
    found = await rooms_in(path)
    assert {code: stored.room for code, stored in found.items()} == {
        code: stored.room for code, stored in rooms.items()
    }
    assert "ROOM9" in caplog.text or "batch" in caplog.text
    assert path.with_name("rooms.db.damaged-1").exists()
    caplog.clear()
    assert await rooms_in(path) == found  # mended: nothing is said again
    assert "app.rooms.journal" not in {record.name[:17] for record in caplog.records}
    with closing(sqlite3.connect(path.with_name("rooms.db.damaged-1"))) as aside:
        assert aside.execute("SELECT count(*) FROM batch").fetchone()[0] > 0


async def test_pages_that_are_gone_leave_the_rooms_of_the_others(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rooms = await write_rooms(path, bytes_to_fold=4096)
    overwrite_middle(path)
    found = await rooms_in(path)
    assert found.keys() <= rooms.keys()
    assert "is damaged" in caplog.text
    assert await rooms_in(path) == found
